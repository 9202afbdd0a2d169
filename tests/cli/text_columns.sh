# Text columns are left out with a notice, which --quiet silences.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "sex,a,y"; for (i = 0; i < 30; i++) print (i % 2 ? "M" : "F") "," i "," 2 * i }' >d.csv
"$SUGENO" train d.csv --iters 5 -o m.json 2>&1 >report
"$SUGENO" train d.csv --iters 5 -o m.json --quiet 2>&1 >report
"$SUGENO" train d.csv --iters 5 2>&1 >report
"$SUGENO" info d.csv 2>&1
