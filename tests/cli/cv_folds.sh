# labels: threads
# Group folds and ordered folds with every preset; out-of-fold predictions.
. "$TESTDIR/lib.inc"
# patient: text that looks like identifiers; day: dates; nr: row numbers.
awk 'BEGIN {
    print "nr,patient,day,ward,a,b,y"
    for (i = 0; i < 120; i++) { p = i * 7 % 71; a = i % 7; b = i * 5 % 11
        printf "%d,p%03d,2024-%02d-%02d,%s,%d,%d,%.3f\n", i + 1, p, 1 + p % 12, 1 + p % 28, i % 9 == 4 ? "" : p % 6, a, b, 2 * a - 3 * b + p / 9 }
}' >d.csv

# kept COLUMN: checks that each value of the column is in one fold; prints the sizes of the folds.
kept() {
    paste -d, d.csv p.csv | awk -F, -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { value = $at[name]; fold = $at["fold"]; rows[fold]++
          if (value in of && of[value] != fold) print "torn: " value
          of[value] = fold; if ($at["row"] != NR - 1) print "row " NR }
        END { for (i = 1; i <= 5; i++) printf "%s%d", (i > 1 ? " " : name ": "), rows[i]; print "" }'
}
for column in patient day ward; do
    run cv d.csv --preset mbgd-rda --group $column --iters 5 --predictions p.csv >said
    grep notice said
    grep -c fold said
    head -n 1 p.csv
    kept $column
done

# Ordered folds: a prediction does not depend on later rows.
run cv d.csv --preset mbgd-rda --ordered --folds 3 --iters 5 --predictions p.csv | grep -v mean | awk '/^fold/ { print $1, $2, $NF }'
head -n 2 p.csv | cut -d , -f 1-3
tail -n 1 p.csv | cut -d , -f 1-3
awk -F, -v OFS=, 'NR > 61 { $NF = 1e6; $5 = 77 } { print }' d.csv >late.csv
"$SUGENO" cv late.csv --preset mbgd-rda --ordered --folds 3 --iters 5 --predictions late --quiet >report
head -n 31 p.csv >early
head -n 31 late | cmp - early

# Several targets, as JSON; the same bytes for any number of threads.
"$SUGENO" cv d.csv --preset mbgd-rda -t y,b --group patient --iters 4 --predictions p.csv --threads 1 --json --quiet >j
grep -o '"predictions": .*' j
head -n 1 p.csv
for threads in 2 3; do
    "$SUGENO" cv d.csv --preset mbgd-rda -t y,b --group patient --iters 4 --predictions p$threads.csv --threads $threads --quiet >report
    cmp p.csv p$threads.csv
done
"$SUGENO" cv d.csv --preset mbgd-rda -t y,b --group patient --iters 4 --seed 1 --predictions other.csv --quiet >report
cmp -s p.csv other.csv && echo "the seed does nothing"

# The same groups in other formats: nominal attributes, strings, dates.
"$SUGENO" cv d.csv --preset mbgd-rda --group patient --ignore nr,day,ward --iters 4 --predictions p.csv --quiet >report
"$SUGENO" convert d.csv d.npy --ignore nr,day,ward --categorical patient
"$SUGENO" convert d.csv d.arff --ignore nr,day,ward --categorical patient
for file in d.npy d.arff; do
    "$SUGENO" cv $file --preset mbgd-rda --group patient --iters 4 --predictions q.csv --quiet >report
    cmp p.csv q.csv
done
{
    echo "@relation r"
    echo "@attribute patient string"
    for name in a b y; do echo "@attribute $name numeric"; done
    echo @data
    awk -F, -v OFS=, 'NR > 1 { print $2, $5, $6, $7 }' d.csv
} >text.arff
sed -e 's/patient string/patient date/' -e 's/^p\([0-9]*\)/2001-01-01T00:00:00.\1/' text.arff >date.arff
for file in text.arff date.arff; do
    "$SUGENO" cv $file --preset mbgd-rda --group patient --iters 4 --predictions q.csv --quiet >report
    cmp p.csv q.csv
done
"$SUGENO" cv d.csv --preset mbgd-rda --group patient --ignore nr,day,ward --iters 4 --predictions q.csv --quiet >report
cmp p.csv q.csv

# Every preset with every kind of folds.
"$SUGENO" help presets | sed -n 's/^  \([a-z][^ ]*\).*/\1/p' >presets
while read -r preset; do
    for kind in "--ignore patient" "--group patient" "--ordered"; do
        # shellcheck disable=SC2086 # two words
        "$SUGENO" cv d.csv --preset "$preset" $kind --folds 3 --iters 8 --budget 1 --predictions p.csv --quiet >table || fail "$preset $kind"
        awk '/^mean/ && $2 < 1e3 { n++ } END { exit n != 1 }' table || fail "$preset $kind: $(cat table)"
        awk -F, 'NR > 1 && $4 !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/' p.csv
    done
done <presets

run cv d.csv --group patien
run cv d.csv --group ward --folds 8
run cv d.csv --group patient --ordered
run cv d.csv --group patient --ignore patient
run cv d.csv --group y -t y
run cv d.csv --ordered --folds 60
run cv d.csv --predictions -
run cv d.csv --predictions missing/p.csv
run cv d.csv --predictions d.csv
run train d.csv --preset mbgd-rda --group patient
run eval m.json d.csv --group patient
run cv d.csv --preset mbgd-rda --ordered --iters 5 --predictions /dev/full
