# labels: memory
# Rules as text; the single rule of a plane is the plane.
. "$TESTDIR/lib.inc"
plane 50 >d.csv
"$SUGENO" train d.csv --preset rr --l2 0 -o m.json --quiet >report
"$SUGENO" rules m.json
"$SUGENO" train d.csv --preset mbgd-rda --mfs 2,1 --iters 3 -o m.json --quiet >report
"$SUGENO" rules m.json | grep -E 'IF|rules'
# Clustered rules: those with the largest coverage come first.
series 300 >s.csv
"$SUGENO" train s.csv --preset mbgd-rda --rules 4 --iters 300 -o c.json --quiet >report
"$SUGENO" rules c.json --top 2 | sed -E 's/([0-9]\.[0-9]{2})[0-9]+/\1/g'
"$SUGENO" rules c.json --top 1 --format markdown | grep -E '^#|^- \*\*IF|^- On these rows' | sed -E 's/([0-9]\.[0-9])[0-9]+/\1/g'
"$SUGENO" rules c.json --json >a
"$SUGENO" rules c.json --format json --top 1 >b
cmp a b
"$SUGENO" rules c.json --format man || echo "exit $?"
"$SUGENO" help --json >a
"$SUGENO" help --format json | cmp a -
# A model file without coverage.
sed -E 's/, "share": [^}]*//; s/, "(quantiles|before)": [^]]*\]//' c.json >old.json
grep -c share old.json
"$SUGENO" rules old.json | grep -E 'Rule|On these rows|Partial dependence|data'
