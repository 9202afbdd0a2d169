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
