# Names with control characters are escaped in text output and exact in JSON and CSV; the column names of explain are
# unique.
. "$TESTDIR/lib.inc"
esc=$(printf '\033') csi=$(printf '\302\233') turn=$(printf '\342\200\256')
# acting: counts lines with characters that a terminal interprets.
acting() { grep -c -a "$esc\|$csi\|$turn\|$(printf '\r')\|$(printf '\007')" || :; }
# In a CSV header, control characters become blanks, but not bidirectional ones. A model file may be written by hand.
awk -v e="$esc" -v t="$turn" 'BEGIN {
    print "A" e "A,B,kind" t ",Y"
    for (i = 0; i < 90; i++) print i % 7 "," i * 5 % 11 ",le" e "vel" i % 3 "," i % 7 - i % 3
}' >d.csv
"$SUGENO" train d.csv --preset mbgd-rda --rules 4 --pca 0 --iters 30 --effects all --limit range --clip 0 -o m.json >report 2>&1
"$SUGENO" info d.csv >>report
"$SUGENO" explain m.json d.csv --row 4 >>report
acting <report
sed -i 's/"A A"/"a\\u001b[31m"/; s/"of": "A A"/"of": "a\\u001b[31m"/; s/"name": "B"/"name": "b\\r\\u009b2J"/; s/"of": "B"/"of": "b\\r\\u009b2J"/
    s/"name": "Y"/"name": "y\\u0007"/; s/le vel2/le\\nvel2/; s/"preset": "/"preset": "\\u001b[0m/' m.json
printf '"a\033[31m","b\r\302\2332J",kind\342\200\256,y\n1,2,le vel0,3\n' >few.csv
{
    "$SUGENO" rules m.json
    "$SUGENO" rules m.json --format markdown
    "$SUGENO" info m.json
    "$SUGENO" predict m.json few.csv
    "$SUGENO" explain m.json d.csv --importance
    "$SUGENO" explain m.json d.csv --partial "a$esc[32m"
    "$SUGENO" explain m.json d.csv --partial "zzzzzzzz$esc"
    "$SUGENO" cv d.csv --preset rr --folds 2
    "$SUGENO" train d.csv -t "z$esc" --preset rr -o n.json
    "$SUGENO" train d.csv --ignore "z$esc" --preset rr -o n.json
    "$SUGENO" predict m.json "no$esc[2Jfile.csv"
    "$SUGENO" rules "no$esc[2Jfile.json"
    "$SUGENO" report m.json d.csv
    "$SUGENO" calibrate m.json d.csv -o n.json
    "$SUGENO" simplify m.json d.csv -o n.json
    "$SUGENO" eval m.json d.csv
} >said 2>&1
acting <said
sed -E 's/[0-9.]{6,}/N/g' said | grep -a '\\[xnru]' | sort -u | cut -c 1-100 >shown
for name in 'a\\x1b\[31m' 'b\\r\\u009b2J' 'kind\\u202e is' 'y\\x07' 'le\\nvel2' 'effect of a\\x1b' 'no\\x1b\[2Jfile'; do grep -c "$name" shown >count || echo "never: $name"; done
grep -a "can't read" said
# Exact in JSON and CSV.
"$SUGENO" info m.json --json | grep -c '"a\\u001b\[31m"'
"$SUGENO" rules m.json --json | grep -c '"a\\u001b\[31m"' >count || echo never

# Inputs with the names of fixed columns of explain.
awk 'BEGIN { print "base,rules,prediction,rounding,row,base (input),target,y"
    for (i = 0; i < 60; i++) { for (k = 2; k < 9; k++) printf "%d,", i * k % 11; print i % 7 - i % 3 } }' >d.csv
"$SUGENO" train d.csv --preset rr --pca 0 -o m.json --quiet >report
"$SUGENO" explain m.json d.csv | head -n 1
"$SUGENO" explain m.json d.csv --partial prediction | head -n 1
"$SUGENO" explain m.json d.csv --row 1 --json | grep -c '"term": "base"' || :

# No line is wider than a terminal.
long() { awk 'length > 80' ; }
awk 'BEGIN { print "inside_temperature_in_degrees,share_of_water_in_percent,kind,energy_in_kilojoules"
    for (i = 0; i < 90; i++) print i % 7 * 1.2345678 "," i * 5 % 11 / 3 "," (i % 2 ? "an_oak_tree" : "an_ash_tree") "," i % 7 - i % 3 / 7 }' >d.csv
for options in '--rules 4 --scale quantile' '--rules 4 --low-rank 2 --mf gauss-a --firing mean --limit range' '--preset rr' '--mfs 3 --clip 0' '--pca 2' '--effects all --rules 3'; do
    "$SUGENO" train d.csv --preset mbgd-rda --pca 0 --iters 30 $options -o m.json --quiet >report
    "$SUGENO" rules m.json | long
    "$SUGENO" explain m.json d.csv --row 5 | long
    "$SUGENO" explain m.json d.csv --importance | long
done
echo done
