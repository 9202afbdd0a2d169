# Standard output that cannot be written is an error with a message.
. "$TESTDIR/lib.inc"
plane 40 >d.csv
"$SUGENO" train d.csv --preset rr -o m.json --quiet >report
for command in "help" "train --help" "demo --iters 2" "rules m.json" "info d.csv" "eval m.json d.csv" \
    "predict m.json d.csv" "predict m.json d.csv --json" "train d.csv --preset rr --quiet" "cv d.csv --preset rr"; do
    "$SUGENO" $command >/dev/full
    echo "exit $?" >&2
done 2>&1
"$SUGENO" help 2>&1 >&-
echo "exit $?"
"$SUGENO" help options | head -n 1
