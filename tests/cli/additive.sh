# A model of curves and pairs (format 2): predict, eval, info, intervals, --outside, rules, explain and simplify.
# labels: memory
. "$TESTDIR/lib.inc"
cat >m.json <<'END'
{
  "kind": "sugeno model",
  "format": 2,
  "inputs": [
    {"name": "age", "low": 1, "high": 365, "mean": 45.7},
    {"name": "wood", "levels": ["oak", "ash"], "shares": [0.5, 0.5]},
    {"name": "water", "low": 120, "high": 250, "mean": 181}
  ],
  "targets": [
    {"name": "y", "mean": 35.75, "scale": 1, "y0": 0},
    {"name": "z", "mean": -2.25, "scale": 1, "y0": 0, "low": -3, "high": 1000}
  ],
  "antecedents_see": [
  ],
  "blocks": [
  ],
  "curves": [
    {"input": 0, "monotone": "+", "knots": [1, 7, 28, 90],
     "then": [[-18.25, -7.25, 2.5, 9.5], [-1, -0.5, 0, 0]], "missing": [-2.125, 0.25],
     "terms": [0, 2, 3]},
    {"input": 1,
     "then": [[-1.5, 0.5], [0.25, 0.125]], "missing": [0.75, 0.5],
     "terms": [0, 1]}
  ],
  "pairs": [
    {"curves": [0, 1], "then": [[
       [0.25, -0.5],
       [0.5, 0.25],
       [0.75, 0.5]
     ], [
       [0, 0],
       [0.5, 0],
       [1, 0.25]
     ]]}
  ],
  "training": {
    "edited": "by hand",
    "curve": []
  }
}
END
cat >d.csv <<'END'
age,wood,water,y,z
1,oak,150,16,-3
4,oak,160,22,-2
,ash,170,34,-2
500,,180,46,-1
28,elm,119,38,-2
59,ash,200,42,-2
END
run info m.json
run info m.json --json | grep -E '"(rules|blocks|parameters)"'
run predict m.json d.csv
run predict m.json d.csv -o p.csv
for options in "--threads 1" "--threads 2"; do
    "$SUGENO" predict m.json d.csv $options -o other.csv --quiet && cmp p.csv other.csv
done
"$SUGENO" predict m.json - --quiet <d.csv | cmp - p.csv
"$SUGENO" predict - d.csv --quiet <m.json | cmp - p.csv
run predict m.json d.csv --outside --quiet | sed 's/.*,//'
run eval m.json d.csv | steady
run eval m.json d.csv --threads 2 | steady
# Writing the model again does not change it.
run report m.json d.csv -o r.html
sed -n '/id="model"/,/<\/script>/p' r.html | sed '1d; $d' >embedded.json
[ "$(cat embedded.json)" = "$(cat m.json)" ] || fail "the report has another model"
run rules m.json
run rules m.json --top 1 --format markdown
run explain m.json d.csv --row 6 --quiet
run explain m.json d.csv --quiet
run explain m.json d.csv --by rules --quiet
run explain m.json d.csv --importance --quiet
run explain m.json d.csv --partial age --quiet | head -4
run simplify m.json d.csv -o s.json --tolerance 20% --quiet
run rules s.json
# Messages name the place.
sed 's/\[1, 7, 28, 90\]/[1, 7, 7, 90]/' m.json >bad.json
run predict bad.json d.csv
sed 's/-7.25, 2.5/3.5, 2.5/' m.json >bad.json
run predict bad.json d.csv
sed 's/"format": 2/"format": 3/' m.json >bad.json
run predict bad.json d.csv
sed 's/"format": 2/"format": 1/' m.json >bad.json
run info bad.json
