# A constant column is dropped with a notice; a constant target is predicted exactly.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "a,b,c,y"; for (i = 0; i < 60; i++) print i / 2 ",5," i * i % 17 ",0.3" }' >d.csv
for preset in rr mbgd-rda anfis-gd-lse; do
    "$SUGENO" train d.csv -o m.json --preset $preset 2>&1 >report | sort
    "$SUGENO" predict m.json d.csv | sort | uniq -c | tr -s ' '
    "$SUGENO" eval m.json d.csv
done
