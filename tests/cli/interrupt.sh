#!/bin/bash
# SIGINT and SIGTERM end a long training: exit 0, the model so far is written. SIGKILL leaves the old file unchanged.
# (bash -m: background jobs of other shells ignore SIGINT.)
set -m
. "$TESTDIR/lib.inc"
series 200 >d.csv

for signal in INT TERM; do
    rm -f m.json
    start train d.csv --preset mbgd-rda --iters 1000000000 -o m.json --json
    kill -$signal $pid
    wait $pid
    echo "$signal: exit $?"
    sed -E 's/[0-9]+/N/g; /left/d' said
    grep -o '"interrupted": true' report
    "$SUGENO" eval m.json d.csv | grep -c rmse
    ls
done

echo old >m.json
start train d.csv --preset mbgd-rda --iters 1000000000 -o m.json
kill -KILL $pid
{ wait $pid; } 2>/dev/null
cat m.json
ls

start cv d.csv --preset mbgd-rda --iters 1000000000
kill -INT $pid
wait $pid
echo "cv: exit $?"
sed '/left/d' said
