# Errors of explain: one message, and no output file.
. "$TESTDIR/lib.inc"
plane 60 >d.csv
"$SUGENO" train d.csv --preset mbgd-rda --iters 40 -o m.json --quiet >report
run explain m.json d.csv --row 61
run explain m.json d.csv --row 0
run explain m.json d.csv --row 2.5
run explain m.json d.csv --partial c
run explain m.json d.csv --partial sex
run explain m.json d.csv --row 1 --importance
run explain m.json d.csv --partial a --importance
run explain m.json d.csv --importance -o i.csv
run explain m.json d.csv --by columns
run explain m.json d.csv -o d.csv
run explain m.json d.csv --json -o -
run explain m.json
run explain m.json missing.csv
printf 'a,b\n1,2\n3,five\n' >bad.csv
run explain m.json bad.csv --row 1
printf 'a,c\n1,2\n' >bad.csv
run explain m.json bad.csv
printf 'a,b\n' >bad.csv
run explain m.json bad.csv
run explain m.json bad.csv --importance
[ -e i.csv ] || echo "nothing was written"
