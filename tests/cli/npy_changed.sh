#!/bin/bash
# A file that is cut off while it is trained on: a sentence, exit 1, no model. It is larger than what is kept
# in memory. SIGBUS, which is left for the moment between looking and reading, says a sentence, too.
. "$TESTDIR/lib.inc"
awk 'BEGIN { for (i = 0; i < 600000; i++) print i % 97 "," i % 89 "," i % 83 "," i % 7 "," i % 5 "," i % 11 }' >d.csv
"$SUGENO" convert d.csv d.npy --quiet >report

# start ARGUMENTS...: in the background, until the first line of progress.
start() {
    : >said
    "$SUGENO" "$@" >report 2>>said &
    pid=$!
    until grep -q iteration said; do
        kill -0 $pid || fail "ended: $(cat said)"
        sleep 0.05
    done
}

for harm in "truncate -s 1000" touch "kill -BUS"; do
    start train d.npy --iters 1000000000 -o m.json
    # shellcheck disable=SC2086 # two words
    if [ "$harm" = "kill -BUS" ]; then $harm $pid; else $harm d.npy; fi
    wait $pid
    echo "$harm: exit $?"
    grep -v iteration said
    [ ! -e m.json ] || fail "a model was written"
    "$SUGENO" convert d.csv d.npy --quiet >report
done
ls
