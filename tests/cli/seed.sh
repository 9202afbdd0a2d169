# A different seed gives a different model.
. "$TESTDIR/lib.inc"
series 100 >d.csv
"$SUGENO" train d.csv --preset mbgd-rda --iters 5 -o a.json --quiet >report
"$SUGENO" train d.csv --preset mbgd-rda --iters 5 -o b.json --quiet --seed 9007199254740991 >report
cmp -s a.json b.json && echo same
"$SUGENO" info b.json | grep seed
