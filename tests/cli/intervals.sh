# Prediction intervals, and rows outside the training data.
. "$TESTDIR/lib.inc"
# noisy ROWS SEED: y is 2 a + (kind is x) with noise of at most 1; every number has few digits.
noisy() {
    awk -v n="$1" -v s="$2" 'BEGIN {
        print "a,b,kind,y"
        for (i = 0; i < n; i++) {
            s = (s * 69069 + 1) % 4294967296; a = int(s / 65536) % 100 / 10
            s = (s * 69069 + 1) % 4294967296; e = (int(s / 65536) % 201 - 100) / 100
            print a "," i % 8 "," (i % 3 ? "x" : "w") "," 2 * a + (i % 3 > 0) + e
        }
    }'
}
noisy 200 1 >d.csv
noisy 400 2 >new.csv

echo "# trained once: by trainings without a part of the rows"
"$SUGENO" train d.csv --preset rr --pca 0 --intervals 10 -o m.json --quiet >report
run info m.json | grep -E '^intervals'
run predict m.json new.csv --interval 0.9 -o p.csv
head -n 1 p.csv
within() { cut -d , -f 4 new.csv | paste -d , p.csv - | awk -F , 'NR > 1 { n += $2 <= $4 && $4 <= $3 } END { print (n / (NR - 1) > 0.85 && n / (NR - 1) < 0.95) ? "about 0.9 within" : n }'; }
within
awk -F , 'NR > 1 { d = $3 + $2 - 2 * $1; if (d * d > 1e-18) print "not in the middle" }' p.csv

echo "# by rows that were used for nothing else"
"$SUGENO" train d.csv --preset rr --pca 0 -o bare.json --quiet >report
run predict bare.json new.csv --interval 0.9
noisy 300 3 >more.csv
run calibrate bare.json more.csv -o m.json
run calibrate bare.json d.csv -o n.json
run calibrate bare.json more.csv -o m.json --json
"$SUGENO" predict m.json new.csv --interval 0.9 -o p.csv
within
run calibrate bare.json more.csv
run calibrate m.json more.csv -o m.json
run calibrate bare.json p.csv -o n.json

echo "# levels"
run predict m.json new.csv --interval 0.999
run predict m.json new.csv --interval 1
"$SUGENO" predict m.json new.csv --interval 90% | cmp p.csv -
"$SUGENO" predict m.json new.csv --interval "90 %" | cmp p.csv -
run predict m.json new.csv --interval 100%
run train d.csv --preset rr --intervals 1 -o n.json
run eval m.json new.csv --interval 0.9

echo "# outside"
printf 'a,b,kind\n5,3,x\n-1,3,w\n5,99,z\n,3,\n' >far.csv
run predict m.json far.csv --outside 2>&1 | sed 's/^[0-9.-]*,/P,/'
run predict m.json far.csv --outside --interval 0.5 --json --quiet | sed -E 's/[0-9]+\.[0-9]+/P/g'
grep -v '"covered"' m.json >old.json
run predict old.json far.csv --outside 2>&1 | sed 's/^[0-9.-]*,/P,/'

echo "# several targets"
awk -F , '{ print $0 "," (NR == 1 ? "z,q" : -$4) }' d.csv | sed 's/,q$//' >two.csv
"$SUGENO" train two.csv -t y,z --preset rr --pca 0 --intervals 5 -o two.json --quiet >report
"$SUGENO" predict two.json far.csv --interval 0.9 --outside --quiet | head -n 1
"$SUGENO" predict two.json far.csv --interval 0.9 --quiet | awk -F , 'NR == 2 { d = $3 + $6; e = $4 + $5; print d * d + e * e < 1e-12 ? "mirrored" : $0 }'

echo "# auto has them without a word, and the same for any number of threads"
"$SUGENO" train d.csv --budget 0.1 --threads 1 -o one.json --quiet >report
"$SUGENO" train d.csv --budget 0.1 --threads 3 -o three.json --quiet >report
cmp one.json three.json
"$SUGENO" predict one.json new.csv --interval 0.9 -o p.csv
within
