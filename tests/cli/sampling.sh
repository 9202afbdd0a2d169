#!/bin/bash
# --sampling blocks: a different model than with uniform; the same for tables, .npy files and temporary files, for any
# number of threads, and when resumed.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "x,z,y"; for (i = 1; i <= 150000; i++) print i * 37 % 997 "," i * 53 % 701 "," i * 37 % 997 + i * 53 % 701 % 13 }' >d.csv
"$SUGENO" convert d.csv d.npy --quiet >report
"$SUGENO" train d.csv --preset mbgd-rda --iters 3000 -o uniform.json --quiet >report
"$SUGENO" train d.csv --preset mbgd-rda --iters 3000 --sampling blocks -o blocks.json --quiet --memory 1GB >report
cmp -s uniform.json blocks.json && fail "the same as uniform"
grep -h '"sampling"' uniform.json blocks.json
for f in "d.csv --memory 1MB" "d.npy --memory 1GB" "d.npy --memory 1MB" "d.npy --memory 16MB --threads 1"; do
    # shellcheck disable=SC2086 # words
    "$SUGENO" train $f --preset mbgd-rda --iters 3000 --sampling blocks -o m.json --quiet >report
    cmp m.json blocks.json && echo "$f: the same"
done
start train d.npy --preset mbgd-rda --iters 1000000000 --sampling blocks --memory 1MB --checkpoint k --checkpoint-every 0.1 -o m.json
until [ -e k ]; do sleep 0.05; done
kill -KILL $pid
wait $pid 2>/dev/null
run train d.npy --preset mbgd-rda --iters 1000000000 --checkpoint k --quiet
run train d.csv --sampling block
