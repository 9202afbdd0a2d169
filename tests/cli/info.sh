# labels: memory
# info of models and data files.
. "$TESTDIR/lib.inc"
plane 50 >d.csv
run info d.csv
run info d.csv --ignore b
run info - <d.csv | head -n 3
"$SUGENO" train d.csv --preset mbgd-rda --iters 10 -o m.json --quiet >report
run info m.json | sed '1,/training record/!d'
"$SUGENO" info m.json | sed '1,/training record/d' | grep -E '^(preset|iters|rate|seed|rows|iterations|best_iteration) '
printf '\n  {"format": 99}' >other.json
run info other.json
run info missing
