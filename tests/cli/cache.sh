#!/bin/bash
# --cache keeps what was read: used while files and options are the same, made anew when they are not or it is
# damaged; a file that is none of ours is left alone.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "day,x,colour,y"
    for (i = 1; i <= 3000; i++) print "2024-01-0" i % 9 + 1 "," i * 37 % 997 "," (i % 3 ? "red" : "blue") "," i * 53 % 701 }' >d.csv
"$SUGENO" train d.csv --preset mbgd-rda --iters 20 -o table.json --quiet >report
# train, and whether the model is the same and the cache was written.
train() {
    local before=none after
    [ ! -e c.npy ] || before=$(stat -c %i c.npy)
    "$SUGENO" train d.csv --preset mbgd-rda --iters 20 --cache c.npy -o m.json "$@" 2>&1 >report | grep -v iteration
    after=$(stat -c %i c.npy)
    [ "$before" = "$after" ] && echo "  used" || echo "  written"
    cmp -s m.json table.json && echo "  the same model"
}
echo "fresh:"; train
echo "again:"; train
echo "in little memory:"; train --memory 1MB
echo "other options:"; train --missing 5
echo "and back:"; train
touch -d 2020-01-01 d.csv
echo "another time:"; train
printf 'x' | dd of=c.npy bs=1 seek=5000 conv=notrunc 2>/dev/null
echo "a damaged row:"; train
printf 'x' | dd of=c.npy bs=1 seek=$(($(stat -c %s c.npy) - 60)) conv=notrunc 2>/dev/null
echo "damaged behind the rows:"; train
"$SUGENO" eval table.json d.csv --cache e.npy --quiet >first
"$SUGENO" eval table.json d.csv --cache e.npy --quiet >second
cmp first second && cat second
run eval table.json d.csv --cache c.npy --quiet
"$SUGENO" train d.csv --preset mbgd-rda --valid d.csv --iters 5 --cache v.npy --quiet >report
"$SUGENO" train d.csv --preset mbgd-rda --valid d.csv --iters 5 --cache v.npy >report 2>said
grep anew said
for f in table.json d.csv; do
    cp $f before
    run train d.csv --cache $f --quiet
    cmp $f before
done
run train - --cache c.npy <d.csv
"$SUGENO" convert d.csv d.npy --quiet >report
run train d.csv d.npy --cache c.npy
run convert d.npy d2.csv --cache c.npy
run train d.csv --cache nowhere/c.npy --quiet
run train d.csv --cache m2.json -o m2.json
run train d.csv --cache k2 --checkpoint ./k2
run train none.csv --cache none.npy
(
    ulimit -f 20
    run train d.csv --cache full.npy --quiet
)
ls -A
