# Prediction intervals of additive models come from the folds of the fit, and --intervals trains without each fold.
. "$TESTDIR/lib.inc"
# noisy ROWS SEED: y is a*a/5 + (kind is x) with noise of at most 1; every number has few digits.
noisy() {
    awk -v n="$1" -v s="$2" 'BEGIN {
        print "a,b,kind,group,y"
        for (i = 0; i < n; i++) {
            s = (s * 69069 + 1) % 4294967296; a = int(s / 65536) % 100 / 10
            s = (s * 69069 + 1) % 4294967296; e = (int(s / 65536) % 201 - 100) / 100
            print a "," i % 8 "," (i % 3 ? "x" : "w") "," i % 25 "," a * a / 5 + (i % 3 > 0) + e
        }
    }'
}
noisy 300 1 >d.csv
noisy 600 2 >new.csv
# within LEVEL: prints whether the share of new rows within the intervals of m.json is about LEVEL.
within() {
    "$SUGENO" predict m.json new.csv --interval "$1" --quiet -o p.csv
    cut -d , -f 5 new.csv | paste -d , p.csv - | awk -F , -v p="$1" 'NR > 1 { n += $2 <= $4 && $4 <= $3 }
        END { d = n / (NR - 1) - p; print (d * d < 0.0025) ? "about " p " within" : n / (NR - 1) " within, not " p }'
}
for preset in additive additive-pairs; do
    echo "# $preset"
    "$SUGENO" train d.csv --ignore group --preset $preset -o m.json --quiet >report
    run info m.json | grep -E '^intervals'
    within 0.9
    within 0.5
done
echo "# by groups"
"$SUGENO" train d.csv --group group --preset additive-pairs -o m.json --quiet >report
within 0.9
echo "# trained without each fold"
"$SUGENO" train d.csv --ignore group --preset additive --intervals 5 -o m.json --quiet >report
run info m.json | grep -E '^intervals'
within 0.9
echo "# a group of all rows leaves nothing to hold out"
sed 's/,[0-9]*,\([^,]*\)$/,1,\1/' d.csv >one.csv
"$SUGENO" train one.csv --group group --preset additive -o m.json --quiet | grep -c valid
run predict m.json new.csv --interval 0.9
echo "# several targets, of which one is the other times -10, with weights"
awk -F , '{ print $0 (NR == 1 ? ",w,z" : "," (i++ % 3 + 1) "," (-10 * $5)) }' d.csv >two.csv
"$SUGENO" train two.csv -t y,z --ignore group --weights w --preset additive-pairs -o m.json --quiet >report
"$SUGENO" predict m.json new.csv --interval 0.9 --quiet | awk -F , 'NR == 1 { print; next }
    { d = $6 - $5 - 10 * ($4 - $3); if (d * d > 1e-12) { print "not in proportion: " $0; exit } }'
