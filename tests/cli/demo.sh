# The demo and the commands that it suggests. Its model is that of the first 500 rows of the example.
. "$TESTDIR/lib.inc"
shown() { sed "s|$SUGENO|sugeno|" | sed -E 's/took [0-9.]+/took S/; s/([0-9]\.[0-9]{2})[0-9]+/\1/g'; }
"$SUGENO" demo 2>&1 | shown
"$SUGENO" demo -o mg.json --quiet | sed "s|$SUGENO|sugeno|" >shown
grep -c 'demo -o' shown
series 500 >d.csv
"$SUGENO" train d.csv --preset mbgd-rda -o other.json --quiet >report
cmp mg.json other.json
"$SUGENO" rules mg.json | grep -c IF
"$SUGENO" demo --preset anfis-gd-lse --iters 20 | grep -E 'anfis.* #|times' | shown
awk 'length > 80' shown
