# Explanations: rows as text, JSON and CSV; importance; partial dependence.
. "$TESTDIR/lib.inc"
# sums FILE FIRST: checks on each line that the numbers from column FIRST on, added in order, equal the one before them.
sums() { awk -F, -v first="$2" 'NR > 1 { s = 0; for (i = first; i <= NF; i++) s += $i; if (s != $(first - 1)) bad++ } END { print NR - 1, "lines,", bad + 0, "do not add up" }' "$1"; }
# told: the same check for the text output.
told() { awk '/^ +[-0-9.e+]+  / { if (/  the prediction$/) { print s == $1 ? "adds up" : "does not add up"; s = 0 } else s += $1 }'; }
plane 60 >d.csv
"$SUGENO" train d.csv --preset rr --l2 0 -o rr.json --quiet >report
run explain rr.json d.csv --row 9 | steady
run explain rr.json d.csv --row 9 --json | steady
"$SUGENO" train d.csv --preset mbgd-rda --iters 40 --clip 0 -o m.json --quiet >report
run explain m.json d.csv --row 60 | steady
"$SUGENO" explain m.json d.csv --row 60 | told
# All rows; the predictions equal those of predict.
"$SUGENO" explain m.json d.csv | head -n 3 | steady
for by in inputs rules; do
    "$SUGENO" explain m.json d.csv --by $by -o $by.csv
    sums $by.csv 3
    "$SUGENO" predict m.json d.csv >p.csv
    cut -d, -f2 $by.csv | cmp - p.csv
done
run explain m.json d.csv --row 7 --by rules -o one.csv --json
head -n 1 one.csv
grep -c . one.csv
"$SUGENO" explain m.json d.csv --json | grep -c '"row"'
# Extreme and missing values, a category, two targets, pooled levels.
printf 'sex,u,"v, w",y,z\nF,1,2,3,4\nM,2,,5,1\nF,4,1,2,2\nI,3,3,1,7\nM,1,5,2,2\nF,3,2,2,8\nI,5,,1,1\n' >c.csv
"$SUGENO" train c.csv -t y,z --preset mbgd-rda --rules 3 --pca 0 --iters 20 --limit range -o c.json --quiet >report
printf '"v, w",u,sex,more\n,1e9,X,\n2,2,,a\n' >new.csv
run explain c.json new.csv --row 1 | steady
"$SUGENO" explain c.json new.csv --quiet | steady
"$SUGENO" explain c.json new.csv --quiet -o two.csv
cut -d, -f 1-2 two.csv
tail -n +2 two.csv | sed '1i h' >numbers.csv
sums numbers.csv 4
run explain c.json c.csv --partial sex | steady
run explain c.json c.csv --partial u --json --quiet | steady | cut -c 1-100
run explain m.json d.csv --partial b -o partial.csv
head -n 2 partial.csv | steady
run explain rr.json d.csv --importance | steady
run explain rr.json d.csv --importance --json | steady
