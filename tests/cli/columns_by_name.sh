# labels: memory
# predict finds columns by name: their order, other columns and an absent target do not matter.
. "$TESTDIR/lib.inc"
plane 40 >d.csv
"$SUGENO" train d.csv --preset rr -o m.json --quiet >report
"$SUGENO" predict m.json d.csv -o p.csv
awk -F , '{ print "x y," $2 "," $1 }' d.csv >swapped.csv
"$SUGENO" predict m.json swapped.csv --quiet | cmp - p.csv
run predict m.json swapped.csv -o q.csv
run eval m.json swapped.csv
cut -d , -f 1,3 d.csv >less.csv
run predict m.json less.csv -o r.csv
sed 's/^a,b/A,B/' d.csv >case.csv
run predict m.json case.csv -o r.csv
sed '5s/,/,oops/' d.csv >text.csv
run predict m.json text.csv -o r.csv
ls *.csv
