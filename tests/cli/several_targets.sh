# labels: memory
# Several targets with names that need quotes.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "a,b,\"u, v\",\"w \"\"q\"\"\",z"
    for (i = 0; i < 50; i++) { a = i % 7; b = i * 5 % 11; print a "," b "," a + b "," a - b "," 3 * b } }' >d.csv
head -n 1 d.csv | sed 's/"u, v"/p/; s/"w.*",/q,/' >e.csv
sed 1d d.csv >>e.csv
"$SUGENO" train e.csv -t q,z,p --preset rr --l2 0 -o m.json --quiet --json | sed -E 's/(rmse": )[0-9.e-]+/\1N/' | steady
"$SUGENO" predict m.json e.csv | head -n 2 | sed -E 's/-?[0-9.]+(e-[0-9]+)?/N/g'
"$SUGENO" predict m.json e.csv --json | cut -c 1-28
"$SUGENO" eval m.json e.csv | awk '{ print $1, $4, $5 }'
"$SUGENO" eval m.json e.csv --json | sed -E 's/[0-9.]+e-[0-9]+/TINY/g' | steady
"$SUGENO" cv e.csv -t q,z --folds 2 --preset rr | awk '{ print $1 }'
"$SUGENO" cv e.csv -t q,z --folds 2 --preset rr --json | sed -E 's/: [0-9.e-]+([,}])/: N\1/g'
"$SUGENO" train d.csv -t 'w "q",z' --preset rr -o m.json --quiet >report
"$SUGENO" info m.json | sed -n 2,3p
"$SUGENO" predict m.json d.csv | head -n 1
"$SUGENO" predict m.json d.csv >p.csv && "$SUGENO" info p.csv --json | grep -o '"name": "[^,]*'
run train e.csv -t p,p
