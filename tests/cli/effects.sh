# --effects finds hidden groups; the same bytes for any number of threads, kernel and --memory.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "g,x,k,y"; for (i = 0; i < 1500; i++) { g = i * 7919 % 60; x = i * 104729 % 997 / 997
    print g / 4 "," (i % 50 == 7 ? "" : x) "," (i % 3 ? "red" : "blue") "," x + 3 * (g * 37 % 17) / 17 } }' >d.csv
head -n 1000 d.csv >train.csv
(head -n 1 d.csv && tail -n 400 d.csv) >test.csv
for effects in "" g x all; do
    "$SUGENO" train train.csv --preset rr ${effects:+--effects "$effects"} -o m.json --quiet >report
    echo "effects of <$effects>: $("$SUGENO" eval m.json test.csv | steady | head -n 1)"
done
"$SUGENO" train train.csv --preset rr --effects g -o m.json --quiet >report
run rules m.json
"$SUGENO" rules m.json --json | head -c 300 | steady
printf 'g,x,k\n3.25,0.5,red\n3.26,0.5,red\n99,0.5,red\n,0.5,red\n' >new.csv
run predict m.json new.csv | steady
o="--effects g,x --rules 4 --iters 40 --batch 600 --limit range --valid-fraction 0.2"
"$SUGENO" train train.csv --preset mbgd-rda $o --threads 1 -o 1.json --quiet >report
"$SUGENO" train train.csv --preset mbgd-rda $o --threads 3 -o 2.json --quiet >report
SUGENO_KERNEL=portable "$SUGENO" train train.csv --preset mbgd-rda $o --memory 1MB -o 3.json --quiet >report
cmp 1.json 2.json && cmp 1.json 3.json && echo "the same"
"$SUGENO" train train.csv --preset mbgd-rda $o --seed 1 -o 4.json --quiet >report
cmp -s 1.json 4.json || echo "another seed, other folds"
"$SUGENO" cv train.csv --preset rr --effects g --folds 3 --quiet | steady | head -n 3
run train train.csv --preset mbgd-rda --effects h
run train train.csv --preset mbgd-rda --effects k
run train train.csv --preset mbgd-rda --effects g -t y,x

# predict and eval count values that the table does not list; train prints a notice.
awk 'BEGIN { print "v,y"; for (i = 0; i < 2100; i++) { v = i * 7919 % 700; print v "," v * v % 13 } }' >many.csv
run train many.csv --preset rr --effects v -o m.json | grep notice
printf 'v,y\n3,9\n3.5,9\n,9\n698.5,1\n1e9,2\n' >new.csv
run predict m.json new.csv | grep notice
run eval m.json new.csv | grep notice
run eval m.json many.csv | grep -c notice
run cv many.csv --preset rr --effects v --folds 2 | grep notice
