# Text columns are categories; dates and identifiers are dropped with a notice, which --quiet suppresses.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "sex,day,id,\"a, b\",y"; for (i = 0; i < 30; i++) printf "%s,2020-01-%02d,k%d,%d,%d\n", i % 7 ? i % 2 ? "M" : "F" : "\"M, or\"\"F\"", i + 1, i, i, 2 * i }' >d.csv
run train d.csv --preset mbgd-rda --iters 5 -o m.json | grep -E 'notice|inputs'
run train d.csv --preset mbgd-rda --iters 5 -o m.json --quiet | grep -E 'notice|inputs'
run train d.csv --preset mbgd-rda --iters 5 -t sex
run train d.csv --preset mbgd-rda --iters 5 --weights sex
run train d.csv --iters 5 --numeric sex
run train d.csv --iters 5 --categorical sex --numeric sex
run train d.csv --iters 5 --categorical day,ID
run info d.csv
run info d.csv --json
run info d.csv --categorical id,y,day
run info d.csv --categorical "a, b"
# Converted files read back the same.
run convert d.csv e.csv --categorical y,day
head -n 4 e.csv
run convert e.csv f.csv --categorical y,day
cmp e.csv f.csv
# A column that counts the rows.
awk 'BEGIN { print "n,a,y"; for (i = 1; i < 30; i++) print i "," i * i % 7 "," i % 5 }' >n.csv
run info n.csv
run info n.csv --numeric n
