# Training of additive models: odd inputs, bad options, options that other models use too, threads, folds.
. "$TESTDIR/lib.inc"
# rows N: y depends on a, on b, on the level of k, and on b and k together. w is a weight, g a group.
rows() {
    awk -v n="$1" 'BEGIN {
        print "a,b,k,w,g,y"; s = 7
        for (i = 0; i < n; i++) {
            s = (s * 69069 + 1) % 4294967296; a = int(s / 65536) % 1000 / 100 - 5
            s = (s * 69069 + 1) % 4294967296; b = int(s / 65536) % 1000 / 100
            s = (s * 69069 + 1) % 4294967296; e = (int(s / 65536) % 201 - 100) / 500
            k = substr("xxxxyyyzzw", i % 10 + 1, 1)
            printf "%g,%g,%s,%d,%d,%g\n", a, b, k, 1 + i % 3, i % 20, a * a / 5 + b + (k == "x") + (k == "y") * (b > 5) + e
        }
    }'
}
rows 300 >all.csv
cut -d , -f 1-3,6 all.csv >d.csv
# train DATA OPTION...: trains m.json quietly; prints what it says, and whether a number in the model is not finite.
train() {
    run train "$@" -o m.json | grep -E '^(\$|sugeno:|\[exit)'
    ! grep -Ei '[^a-z"](nan|inf)' m.json
}

echo "# inputs that are constant, repeated or missing"
awk -F , '{ print NR == 1 ? "c,a2,m,a,b,k2,k,near,y" : 3 "," $1 ",," $1 "," $2 "," $3 "," $3 "," $1 + (NR == 300) "," $4 }' d.csv >odd.csv
train odd.csv --preset additive-pairs
run predict m.json odd.csv --quiet | sed 1d | head -n 300 | awk '$1 != $1 + 0 && $1 !~ /^[0-9.e+-]+$/'
for option in "--monotone c:+" "--monotone m:+" "--monotone a:+" "--pairs c:b" "--pairs a2:a"; do run train odd.csv --preset additive-pairs $option --quiet; done
awk -F , '{ print (NR % 7 ? $1 : "") "," (NR % 5 ? $2 : "") "," (NR % 6 ? $3 : "") "," $4 }' d.csv | sed '1s/.*/a,b,k,y/' >gaps.csv
train gaps.csv --preset additive-pairs

echo "# bad options"
for option in "--monotone" "--monotone q:+" "--monotone a" "--monotone k:+" "--monotone y:-" "--monotone a:+,a:-" "--pairs b:b" "--pairs q:b" "--pairs b:y" \
    "--pairs b" "--pairs 4" "--pairs -1" "--mfs 1" "--mfs 3,4" "--mfs 101" "--smoothing 0" "--huber 1" "--pca 2" "--effects b" "--refit 1" \
    "--checkpoint c"; do
    run train d.csv --preset additive-pairs $option --quiet
done
run train d.csv --preset mbgd-rda --monotone a:+ --quiet
run train d.csv --ignore a,k --preset additive-pairs --pairs 1 --quiet

echo "# unseen levels add nothing"
train d.csv --preset additive
printf 'a,b,k\n1,2,v\n1,2,\n' >new.csv
run predict m.json new.csv

echo "# options of other models"
train d.csv --preset additive-pairs
cp m.json plain.json
"$SUGENO" predict m.json d.csv --quiet >plain.csv
for option in "--scale none" "--scale quantile" "--limit range" "--precision f32" "--threads 1" "--threads 3"; do
    train d.csv --preset additive-pairs $option
    "$SUGENO" predict m.json d.csv --quiet | paste -d , plain.csv - |
        awk -F , 'NR > 1 { d = $1 - $2; if (d * d > 1e-8) { print "differs: " $0; exit } }'
done
cmp plain.json m.json
train d.csv --preset additive-pairs --limit tails
train d.csv --preset additive-pairs --clip 0
"$SUGENO" predict m.json d.csv --quiet | sed 1d | sort -g | sed -n '1p; $p' >clipped
cut -d , -f 4 d.csv | sed 1d | sort -g | sed -n '1p; $p' | paste - clipped | awk '{ print ((NR == 1 ? $2 - $1 : $1 - $2) >= 0 ? "within" : $0) }'

echo "# weights: a row of weight 2 counts like two rows of the same group"
awk -F , -v OFS=, 'NR == 1 { print; next } { w = $4; $4 = 1; while (w--) print }' all.csv >repeated.csv
"$SUGENO" train all.csv --weights w --group g --preset additive --mfs 5 --smoothing 1 -o w.json --quiet >report
"$SUGENO" train repeated.csv --ignore w --group g --preset additive --mfs 5 --smoothing 1 -o r.json --quiet >report
"$SUGENO" predict w.json d.csv --quiet >p.csv
"$SUGENO" predict r.json d.csv --quiet | paste -d , - p.csv | awk -F , 'NR > 1 { d = $1 - $2; s += d * d } END { print (sqrt(s / (NR - 1)) < 0.02 ? "about equal" : sqrt(s / (NR - 1))) }'
"$SUGENO" train all.csv --ignore w --group g --preset additive --mfs 5 --smoothing 1 -o r.json --quiet >report
cmp -s w.json r.json && echo "weights make no difference"

echo "# cross-validation"
for how in "--ignore w,g" "--group g --ignore w" "--ordered --ignore w,g" "--weights w --ignore g"; do
    echo "$how"
    "$SUGENO" cv all.csv --preset additive-pairs --folds 3 $how --quiet | sed -n 's/^mean *\(0\.[0-9][0-9]\).*/\1/p'
done
