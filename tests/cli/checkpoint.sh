#!/bin/bash
# --checkpoint: invalid paths are refused before any work; an interrupted training resumes and gives the same bytes;
# the file is removed once the model is written.
set -m
. "$TESTDIR/lib.inc"
series 200 >d.csv
series 150 >e.csv
echo 'iters = 60' >c.conf

# Paths that must not be written.
for checkpoint in d.csv e.csv c.conf m.json ./m.json - /dev/null . nowhere/ck; do
    run train d.csv --preset mbgd-rda --valid e.csv --config c.conf -o m.json --checkpoint $checkpoint
done
ln -s d.csv link
run train d.csv --preset mbgd-rda -o m.json --checkpoint link
run cv d.csv --preset mbgd-rda --checkpoint ck
run demo --checkpoint ck
run train d.csv --preset mbgd-rda --checkpoint-every -1
ls

# A finished training leaves no checkpoint, unless its model was not written; resuming then ends at once.
"$SUGENO" train d.csv --preset mbgd-rda --config c.conf -o whole.json >report
run train d.csv --preset mbgd-rda --config c.conf -o m.json --checkpoint ck | steady
cmp whole.json m.json && rm m.json
"$SUGENO" train d.csv --preset mbgd-rda --config c.conf --checkpoint ck >report
run train d.csv --preset mbgd-rda --iters 60 --threads 2 -o m.json --checkpoint ck | steady
cmp whole.json m.json && ls

# Checkpoints of other data or options are refused and kept.
"$SUGENO" train d.csv --preset mbgd-rda --config c.conf --checkpoint ck --quiet >report
cp ck kept
run train d.csv --preset mbgd-rda --iters 61 -o m.json --checkpoint ck
run train d.csv --preset mbgd-rda --iters 60 --rate 0.02 -o m.json --checkpoint ck
run train e.csv --preset mbgd-rda --iters 60 -o m.json --checkpoint ck
run train d.csv --preset mbgd-rda --iters 60 --valid e.csv -o m.json --checkpoint ck
head -c 3000 kept >ck
run train d.csv --preset mbgd-rda --iters 60 -o m.json --checkpoint ck
: >ck
run train d.csv --preset mbgd-rda --iters 60 -o m.json --checkpoint ck
run train d.csv --preset mbgd-rda --iters 60 -o m.json --checkpoint whole.json
cp kept ck
cmp whole.json m.json

# Weight averaging, a schedule, noise, and a final refit, which a resumed training repeats.
modern="--iters 60 --rules 4 --scale quantile --start ridge --average 0.9 --schedule cosine --warmup 0.1 --noise 0.1 --refit 0.01"
"$SUGENO" train d.csv --preset mbgd-rda $modern -o modern.json --quiet >report
"$SUGENO" train d.csv --preset mbgd-rda $modern --checkpoint ck2 --quiet >report
"$SUGENO" train d.csv --preset mbgd-rda $modern --checkpoint ck2 -o m.json --quiet --threads 2 >report
cmp modern.json m.json && [ ! -e ck2 ] && rm modern.json m.json

# A symbolic link is followed and kept.
mkdir far
ln -s far/ck near
mv ck far
"$SUGENO" train d.csv --preset mbgd-rda --iters 60 -o m.json --checkpoint near --quiet >report
[ -L near ] && ls far

# Ctrl-C, then resume.
steps=80000
[ -z "${TESTS_QUICK:-}" ] || steps=20000
many="d.csv --iters $steps --valid e.csv"
"$SUGENO" train $many --preset mbgd-rda -o whole.json --quiet >report
rm -f m.json
"$SUGENO" train $many --preset mbgd-rda -o m.json --checkpoint ck --checkpoint-every 0.02 >report 2>said &
until [ -e ck ]; do
    kill -0 %1 || fail "ended: $(cat said)"
    sleep 0.01
done
kill -INT %1
wait %1
echo "exit $?"
sed -E '/left/d; s/[0-9]+/N/g' said
cp ck older
"$SUGENO" info m.json >report || fail "no model so far"
"$SUGENO" train $many --preset mbgd-rda -o m.json --checkpoint ck >report 2>said || fail "$(cat said)"
sed -E '/left/d; s/[0-9]+/N/g' said
cmp whole.json m.json && ls

# A full disk: one notice, and the previous checkpoint remains.
cp older ck
(
    ulimit -f 4
    "$SUGENO" train $many --preset mbgd-rda --checkpoint ck --checkpoint-every 0.1 2>said >/dev/null
)
sed -E '/left/d; s/[0-9]+/N/g' said
cmp older ck && rm ck
(
    ulimit -f 4
    "$SUGENO" train d.csv --preset mbgd-rda --iters 60 --checkpoint ck --checkpoint-every 0 -o - 2>said
) | cat >m.json
grep notice said
"$SUGENO" train d.csv --preset mbgd-rda --iters 60 -o whole.json >report
cmp whole.json m.json && ls -A

# A training that diverges does so again after resuming.
run train d.csv --optim sgd --rate 1000 --preset mbgd-a -o m.json --checkpoint ck --checkpoint-every 0 | steady | tail -2
[ ! -e ck ] || echo "still there"
