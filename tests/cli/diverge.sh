# labels: memory
# Training that diverges keeps the last finite model, exits with 1 and prints a hint.
. "$TESTDIR/lib.inc"
series 200 | awk -F , 'NR > 1 { $5 = 1e3 * $5 } { print $1 "," $2 "," $3 "," $4 "," $5 }' >d.csv
"$SUGENO" train d.csv --preset mbgd-a --optim sgd --rate 10 -o m.json >report 2>said
echo "exit $?"
sed -E 's/[0-9]+/N/g' said
"$SUGENO" eval m.json d.csv | grep -c -E '^rmse [0-9.e+]+$'
"$SUGENO" train d.csv --preset mbgd-a --optim sgd --rate 10 --json 2>said | grep -o '"diverged": true'
"$SUGENO" cv d.csv --preset mbgd-a --optim sgd --rate 10 2>said
echo "exit $?"
sed -E 's/[0-9]+/N/g' said
# A bad but finite model gets a notice.
"$SUGENO" train d.csv --preset mbgd-rda --rate 1e-9 --target none --iters 2 -o m.json 2>&1 >report
# A single rule that covers all rows gets a notice, too, and scaling the target helps.
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 200; i++) { a = i % 20; b = i * 7 % 13; print a "," b "," 1e4 * (a > 10 ? b : 20 - b) } }' >large.csv
for target in center zscore; do
    "$SUGENO" train large.csv --preset mbgd-rda --rules 4 --pca 0 --target $target -o m.json 2>&1 >report
done
# Rare levels come last, and the effect of one row does not make an input the most important one.
awk 'BEGIN { print "x,city,y"; for (i = 0; i < 300; i++) { x = i * 7 % 31 / 31; c = substr("ABC", i % 3 + 1, 1); print x "," (i ? c : "zed") "," (i ? 3 * x + i % 3 / 5 : 90) } }' >rare.csv
"$SUGENO" train rare.csv --preset rr -o m.json >report
"$SUGENO" rules m.json | steady
