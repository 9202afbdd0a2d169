# --clip and --limit; the same bytes for any number of threads and any kernel.
. "$TESTDIR/lib.inc"
plane 2000 >d.csv
echo '90,5,166' >>d.csv
printf 'a,b\n3,5\n1e6,5\n-1e6,5\n3,\n' >far.csv
"$SUGENO" train d.csv --preset rr --l2 0 --clip 0.1 -o m.json --quiet >report
run predict m.json far.csv | steady
run rules m.json
run rules m.json --json | steady
for limit in none range tails; do
    "$SUGENO" train d.csv --preset rr --l2 0 --limit $limit -o m.json --quiet >report
    run predict m.json far.csv | steady
    "$SUGENO" rules m.json | tail -n +5
done
run rules m.json --json | steady
series 900 >s.csv
for scale in zscore quantile; do
    "$SUGENO" train s.csv --preset mbgd-rda --limit tails --clip 0 --scale $scale --pca 0 --iters 30 --batch 600 --threads 1 -o 1.json --quiet >report
    "$SUGENO" train s.csv --preset mbgd-rda --limit tails --clip 0 --scale $scale --pca 0 --iters 30 --batch 600 --threads 3 -o 2.json --quiet >report
    SUGENO_KERNEL=portable "$SUGENO" train s.csv --preset mbgd-rda --limit tails --clip 0 --scale $scale --pca 0 --iters 30 --batch 600 -o 3.json --quiet >report
    cmp 1.json 2.json && cmp 1.json 3.json && echo "the same"
done
run train d.csv --clip some
run train d.csv --clip -0.5
run train d.csv --limit all
