# labels: memory
# A rule base in words; of a plane, the plane.
. "$TESTDIR/lib.inc"
plane 50 >d.csv
"$SUGENO" train d.csv --preset rr --l2 0 -o m.json --quiet >report
"$SUGENO" rules m.json
"$SUGENO" train d.csv --preset mbgd-rda --mfs 2,1 --iters 3 -o m.json --quiet >report
"$SUGENO" rules m.json | grep -E 'IF|rules'
