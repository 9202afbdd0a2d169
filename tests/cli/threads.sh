# labels: threads
# The same bytes for any number of threads, and in every run.
. "$TESTDIR/lib.inc"
series 1000 >d.csv
for preset in mbgd-rda anfis-gd anfis-gd-lse-r; do
    for threads in 1 2 3 1; do
        "$SUGENO" train d.csv --preset $preset --batch 600 --iters 8 --valid-fraction 0.3 \
            --threads $threads -o m$threads.json --quiet >report
        "$SUGENO" predict m1.json d.csv --threads $threads -o p$threads.csv
        "$SUGENO" cv d.csv --preset $preset --iters 4 --folds 3 --threads $threads >cv$threads
        for file in m@.json p@.csv cv@; do
            cmp "$(echo $file | sed s/@/1/)" "$(echo $file | sed s/@/$threads/)"
        done
    done
done
