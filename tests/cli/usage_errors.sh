# Incorrect usage: one message, exit 2, nothing on standard output.
. "$TESTDIR/lib.inc"
plane 30 >d.csv
run
run tran d.csv
run frobnicate
run --quiet train d.csv
run train
run predict m.json
run rules m.json more.csv
run demo d.csv
run train d.csv --kep 0.5
run train d.csv --zzzzzzzzz
run train d.csv -x
run train d.csv -target y
run train d.csv --no-iters
run rules m.json --iters 5
run predict m.json d.csv -t y
run train d.csv --folds 3
run train d.csv --iters
run train d.csv --iters -o m.json
run train d.csv -o
run train d.csv --output=
run train d.csv --iters 0
run train d.csv --rate -1
run train d.csv --rate=abc
run train d.csv --keep 1.5
run train d.csv --mfs 2,x
run train d.csv --preset mbgd-rda --mfs 2,2,2
run train d.csv --mfs 30000
run train d.csv --preset mbgd-rda --low-rank 2
run train d.csv --preset mbgd-rda --low-rank 2 --structure linear
run train d.csv --preset mbgd-rda --low-rank 1 --rules 3 --mf tri
run train d.csv --low-rank 4 --rules 3
awk 'BEGIN { for (i = 0; i < 30; i++) { for (j = 1; j < 13; j++) printf "%d,", i * j % 13; print i } }' >wide.csv
run train wide.csv --preset mbgd-rda --mfs 4 --pca 0
run train wide.csv --mfs 3 --pca 0 --preset anfis-gd-lse
awk 'BEGIN { for (i = 0; i < 30; i++) { for (j = 1; j < 5700; j++) printf "%.3f,", sin(i * j); print i * i } }' >wider.csv
run train wider.csv --pca 0 --preset rr
run train wider.csv --preset mbgd-rda --pca 0 --rules 1 --refit 0.1
run train wider.csv --preset mbgd-rda --pca 0 --structure linear --start ridge
run train wider.csv --preset mbgd-rda --rules 3 --scale quantile --start ridge
run train d.csv --preset mbgd-rdaa
run train d.csv --preset foo-bar
run train d.csv --optim sdg
run train d.csv --target price
run train d.csv --json=maybe
run train d.csv -o d.csv
run train d.csv -o - --json
run train d.csv --preset mbgd-rda --valid d.csv --valid-fraction 0.2
run train d.csv --preset mbgd-rda --valid-fraction 0.001
run train d.csv -t y --ignore a --weights y
run cv d.csv --folds 1
run cv d.csv --folds 2.5
run help trian
run help --format html
run help train --format man
run demo -o -
ls
