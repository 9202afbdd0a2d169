#!/bin/bash
# A file that is truncated or modified during training: a message, exit 1, no model. For a file that is small enough to
# be in memory, training continues, and Ctrl-C gives the model so far.
. "$TESTDIR/lib.inc"
awk 'BEGIN { for (i = 0; i < 600000; i++) print i % 97 "," i % 89 "," i % 83 "," i % 7 "," i % 5 "," i % 11 }' >d.csv
"$SUGENO" convert d.csv d.npy --quiet >report

for memory in 16MB 256MB; do
    for harm in "truncate -s 1000" touch; do
        start train d.npy --preset mbgd-rda --iters 1000000000 --memory $memory -o m.json
        # shellcheck disable=SC2086 # two words
        $harm d.npy
        if [ $memory = 256MB ]; then kill -INT $pid; fi
        wait $pid
        echo "$memory, $harm: exit $?"
        # Which of two messages is printed depends on timing.
        grep -v -e iteration -e notice said | sed -E 's/(d.npy: the file was (changed|truncated) while it was read)$/SENTENCE/'
        ls m.json 2>/dev/null
        rm -f m.json
        "$SUGENO" convert d.csv d.npy --quiet >report
    done
done
ls
