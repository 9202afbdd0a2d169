# simplify: fewer rules, their cost, and the written model.
. "$TESTDIR/lib.inc"
series 400 >d.csv
"$SUGENO" train d.csv --preset mbgd-rda --rules 8 --iters 300 -o m.json --quiet >report
"$SUGENO" simplify m.json d.csv -o s.json --tolerance 10% >shown
head -n 2 shown | sed -E 's/ +[0-9.]+  original.*/ E  original/'
grep -c chosen shown
tail -n 1 shown
rules=$(grep -c '"share"' s.json)
[ "$rules" -le 8 ] && grep -E '<- chosen' shown | awk -v n="$rules" '{ print $1 == n ? "as many rules" : "not as many" }'
"$SUGENO" eval s.json d.csv | grep -c rmse
grep -c '"simplified": "from 8 rules, 32 conditions' s.json
"$SUGENO" simplify m.json d.csv --max-rules 2 --tolerance 0 -o two.json --json | grep -o '"model": "two.json"'
"$SUGENO" rules two.json | head -n 1
"$SUGENO" simplify m.json d.csv --max-rules 2 | tail -n 1
cp two.json one.json
"$SUGENO" simplify m.json d.csv --max-rules 2 --tolerance 0.00 -o two.json --quiet >report
cmp one.json two.json
run simplify m.json
run simplify m.json d.csv --tolerance much
run simplify m.json d.csv --tolerance -2%
run simplify m.json d.csv --tolerance 2
run simplify m.json d.csv --tolerance 2.5%%
"$SUGENO" simplify m.json d.csv --max-rules 2 --tolerance "10 %" --quiet >a
"$SUGENO" simplify m.json d.csv --max-rules 2 --tolerance 0.1 --quiet | cmp a -
# Rows other than the training rows: no notice.
head -n 300 d.csv >other.csv
"$SUGENO" simplify m.json other.csv >report
run simplify m.json d.csv -o -
run simplify m.json d.csv -o m.json
run simplify m.json d.csv --max-rules -1
