#!/bin/bash
# A file that is cut off while it is trained on: a sentence, exit 1, no model. It is larger than what is kept
# in memory. SIGBUS, which is left for the moment between looking and reading, says a sentence, too.
. "$TESTDIR/lib.inc"
awk 'BEGIN { for (i = 0; i < 600000; i++) print i % 97 "," i % 89 "," i % 83 "," i % 7 "," i % 5 "," i % 11 }' >d.csv
"$SUGENO" convert d.csv d.npy --quiet >report

for harm in "truncate -s 1000" touch "kill -BUS"; do
    start train d.npy --iters 1000000000 -o m.json
    # shellcheck disable=SC2086 # two words
    if [ "$harm" = "kill -BUS" ]; then $harm $pid; else $harm d.npy; fi
    wait $pid
    echo "$harm: exit $?"
    # Which of three sentences it is that says so depends on the moment.
    grep -v iteration said | sed -E 's/(d.npy: the file was (changed|cut off) while it was read|a file that was read in place was cut off.*)$/SENTENCE/'
    [ ! -e m.json ] || fail "a model was written"
    "$SUGENO" convert d.csv d.npy --quiet >report
done
ls
