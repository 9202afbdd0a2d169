#!/bin/sh
# accuracy.sh ROOT SUGENO: checks that bench/accuracy/report.py turns bench/accuracy.csv into docs/accuracy.md, and that
# make accuracy works without PyPI, on two small datasets (one with duplicate rows) that are named like known ones.
set -eu
root=$1 sugeno=$2
for program in python3 gnuplot; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: $program is not installed"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" && exit 1; }
in_line() { grep -q "$1" "$2" || { cat "$2" && fail "$2 has no line with $1"; }; }

mkdir "$work/docs" "$work/data" "$work/build"
python3 "$root/bench/accuracy/report.py" "$root/bench/accuracy.csv" "$work/docs/accuracy.md" "$work/docs/figures/accuracy"
diff -u "$root/docs/accuracy.md" "$work/docs/accuracy.md"
for figure in "$root"/docs/figures/accuracy/*.svg; do
    test -s "$work/docs/figures/accuracy/$(basename "$figure")" || fail "report.py no longer writes $figure"
done

# The splits must never change, or results of different runs could not be compared.
keys=$(cd "$root/bench/accuracy" && python3 -B -c "import splits; print(*splits.order('pm10', 0, 12))")
[ "$keys" = "9 2 10 5 3 11 7 1 8 0 4 6" ] || fail "split 0 of pm10 has changed: $keys"

rows=$root/examples/mackey-glass.csv
head -301 "$rows" >"$work/data/pm10.csv"
{ head -201 "$rows" && sed -n 2,101p "$rows"; } >"$work/data/wine-red.csv"
methods="mbgd-rda fcm-rdpa rr hand auto:budget=.5"
export SUGENO_DATA="$work/data" SETS="pm10 wine-red" METHODS="$methods" SPLITS=2 SEED=3 PYTHON=python3
ln -s "$sugeno" "$work/build/sugeno"
run() { "$root/bench/accuracy.sh" "$work/build" "$work/out" 2>"$work/said" || { cat "$work/said" && fail "the harness failed"; }; }
table=$work/out/results.csv
ours=5
run
[ "$(wc -l <"$table")" = $((1 + 4 * ours)) ] || { cat "$table" && fail "there must be one line per dataset, split and method"; }
in_line '^| wine-red (2) | ' "$work/out/accuracy.md"
test ! -e "$work/out/venv" || fail "the peers were installed although no method needs them"
test -s "$work/out/figures/ratios.svg" || test ! -e "$work/out/figures/ratios.svg" || fail "ratios.svg is empty"

# The harness must report the same RMSE as sugeno eval.
python3 -B "$root/bench/accuracy/splits.py" "$work/data" "$work/splits" pm10 3
here=$work/splits/pm10/3
[ "$(wc -l <"$here/train.csv") $(wc -l <"$here/test.csv")" = "211 91" ] || fail "the training set must have 70 % of 300 rows"
"$sugeno" train "$here/train.csv" --preset mbgd-rda --seed 3 --quiet -o "$work/model.json" >"$work/talk"
"$sugeno" eval "$work/model.json" "$here/test.csv" --json --quiet >"$work/eval.json"
python3 - "$table" "$work/eval.json" "$here/train.csv" <<'EOF'
import csv, json, sys
rows = {(r["set"], r["split"], r["method"]): r for r in csv.DictReader(open(sys.argv[1]))}
own, expected = float(rows["pm10", "3", "mbgd-rda"]["rmse"]), json.load(open(sys.argv[2]))["rmse"]
assert abs(own / expected - 1) < 1e-5, f"RMSE {own}, sugeno eval: {expected}"
assert rows["pm10", "3", "mbgd-rda"]["unseen"] == "", "a second score for a set without duplicates"
assert rows["wine-red", "3", "mbgd-rda"]["unseen"] != rows["wine-red", "3", "mbgd-rda"]["rmse"], "duplicates were counted"
assert all(int(r["cost"]) > 0 for r in rows.values()), "no reading cost"
inputs = len(open(sys.argv[3]).readline().split(",")) - 1
assert int(rows["pm10", "3", "rr"]["cost"]) == inputs + 1, "ridge regression has a coefficient per input and an intercept"
EOF
in_line '^| rr | .* |$' "$work/out/accuracy.md"

# Reading cost: conditions + distinct terms + nonzero numbers. Of our models, and of peers that have the attributes of an EBM and of FIGS.
cat >"$work/counted.json" <<'EOF'
{"targets": [{}], "antecedents_see": [{"step": "zscore"}],
 "effects": [{"bins": [0.5, 0], "values": [3], "effects": [2]}],
 "blocks": [{"mf": "gauss", "mfs": [{"input": 0, "c": 1, "sigma": 1}, {"input": 0, "c": 2, "sigma": 1}, {"input": 1, "c": 2, "sigma": 1}],
             "rules": [{"if": [0, -1], "then": [[1, 0, 2]]}, {"if": [0, 2], "then": [[1, 3, 2]]}]},
            {"mf": "gauss", "mfs": [{"input": 1, "c": 2, "sigma": 1, "before": [0, 0]}], "rules": [{"if": [-1, 0], "then": [[4]]}]}]}
EOF
cat >"$work/curves.json" <<'EOF'
{"format": 2, "targets": [{}, {}], "blocks": [],
 "curves": [{"input": 0, "knots": [1, 2, 3], "then": [[-1, 0, 1], [2, 0, 0]], "missing": [0, 0.5], "terms": [0, 2]},
            {"input": 1, "then": [[1, 2], [3, 4]], "missing": [0, 0], "terms": [0, 1]}],
 "pairs": [{"curves": [0, 1], "then": [[[1, 0], [2, 0]], [[1, 0], [2, 4]]]}]}
EOF
# 4 conditions, 2 of 3 MFs (one is in two blocks), 6 consequents, a table of 3 bins with 2 numbers; 5 terms and 3 + 2 + 3 numbers and a mean
[ "$(python3 -B "$root/bench/accuracy/reading_cost.py" "$work/counted.json" "$work/curves.json" | tr '\n' ' ')" = "17 14 " ] ||
    fail "reading_cost.py counts $(python3 -B "$root/bench/accuracy/reading_cost.py" "$work/counted.json" "$work/curves.json")"
/usr/bin/python3 -c "import numpy" 2>/dev/null && /usr/bin/python3 -B - "$root/bench/accuracy" <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
from types import SimpleNamespace as Fake
import numpy as np
import peers
leaf = lambda value: Fake(left=None, right=None, value=np.array([value]))
assert peers.figs_cost(Fake(left=leaf(1.), right=Fake(left=leaf(0.), right=leaf(2.)))) == 4, "2 splits and 2 leaf values"
table = np.zeros((4, 4))
table[1, 1] = 7  # the only bin of the first input in a pair has no cut: another bin than those of its curve
ebm = Fake(term_features_=[(0,), (0, 1)], bins_=[[np.array([5.]), np.array([])], [{"a": 1, "b": 2}]], intercept_=3.,
           term_scores_=[np.array([0, -1., 1, 0]), table[:3]])
assert peers.ebm_cost(ebm) == 2 + 1 + 2 + 2 + 1, peers.ebm_cost(ebm)
rules = [Fake(rule="a <= 1 and b > 2"), Fake(rule="a <= 1"), Fake(rule="b > 2")]
assert peers.rulefit_cost(Fake(coef=np.array([0, 2., 1, 0, 3]), rules_=rules, intercept=1.)) == 3 + 3 + 1
train = np.array([["1", "a", "5"], ["", "b", "6"], ["3", "a", "7"]])
x, y, z = peers.completed(train, np.array([["", "c", "0"]]))
assert x.tolist() == [[1, 1, 0, 0], [2, 0, 1, 1], [3, 1, 0, 0]] and z.tolist() == [[2, 0, 0, 1]], (x, z)
EOF

# A table of an older harness has no reading cost. It is kept.
mkdir -p "$work/older"
cut -d, -f 1-8,10- "$table" >"$work/older/results.csv"
before=$(wc -l <"$work/older/results.csv")
LOG=$work/none.csv METHODS=mbgd-rda python3 -B "$root/bench/accuracy/run.py" "$sugeno" "$work/older/results.csv" 2>"$work/said"
in_line '^set,split,method,version,build,rmse,unseen,rules,cost,seconds,date$' "$work/older/results.csv"
[ "$(wc -l <"$work/older/results.csv")" = "$before" ] || fail "results of an older harness were lost or computed again"

# A second run must reuse all results. After an interruption, only missing results are computed. A method with a changed
# option is a new method.
cp "$table" "$work/first.csv"
run
cmp "$table" "$work/first.csv"
[ "$(grep -c ' in .* s$' "$work/said")" = 0 ] || { cat "$work/said" && fail "the second run computed results again"; }
sed '3d' "$work/first.csv" >"$table"
METHODS="$methods mbgd-rda:keep=.9" run
[ "$(grep -c ' in .* s$' "$work/said")" = 5 ] || { cat "$work/said" && fail "there must be one missing and four new results"; }

# Runs with the seeds that claims are based on are logged. Wrong names are errors.
harness() { LOG=$work/runs.csv python3 -B "$root/bench/accuracy/run.py" "$sugeno" "$work/claims.csv" 2>"$work/said"; }
echo "date,version,first_seed,sets,methods,claim" >"$work/runs.csv"
SETS=pm10 SPLITS=1 SEED=1000 METHODS=rr CLAIM="a test" harness
in_line ',1000,pm10,rr,a test$' "$work/runs.csv"
SETS=pm10 SPLITS=1 SEED=7 METHODS=rr harness
[ "$(wc -l <"$work/runs.csv")" = 2 ] || fail "a run with a development seed was logged"
if METHODS=abacus harness; then fail "an unknown method was accepted"; fi
in_line 'there is no method abacus' "$work/said"
if METHODS=rr SETS=moon harness; then fail "an unknown dataset was accepted"; fi
in_line 'there is no set moon' "$work/said"
if METHODS=rr:rate=-1 SETS=pm10 harness; then fail "a failed training was accepted"; fi
in_line 'runs failed, of rr:rate=-1' "$work/said"

# Datasets that are held back have no development seeds. Their results have a section of the page.
if METHODS=rr SETS=heldback harness; then fail "development on datasets that are held back was accepted"; fi
in_line 'datasets that are held back have no development seeds' "$work/said"
python3 -B - "$root/bench/accuracy" <<'EOF'
import sys
sys.path.insert(0, sys.argv[1])
import heldback, splits
assert list(heldback.SOURCES) == list(splits.HELD_BACK) and not set(splits.SETS) & set(splits.HELD_BACK)
lines = heldback.prepared('"","y","id","a","b"\n"1",5,7,"x, y",NA\n"2",NA,8,"z",2\n"3",6,9,"z",3\n', "y", ["id"])
assert lines == ["a,b,y", "x; y,,5", "z,3,6"], lines
EOF
cp "$work/first.csv" "$work/with.csv"
{ head -1 "$table" && echo "quakes,1000,rr,0,0,3,,1,5,0.1,2026-01-01" && echo "quakes,1000,xgboost,0,0,2,,,900,0.1,2026-01-01"; } >"$work/heldback.csv"
python3 -B "$root/bench/accuracy/report.py" "$work/with.csv" "$work/with.md" "$work/figures"
in_line '^| quakes (1) | 1.500 | 1.000 |$' "$work/with.md"
in_line '^| median reading cost | 5 | 900 |$' "$work/with.md"

# Results of other source files are not reused.
mkdir -p "$work/tree/bench" "$work/tree/src"
cp -r "$root/bench/accuracy" "$work/tree/bench/accuracy"
for text in one two two; do
    echo "$text" >"$work/tree/src/a.c"
    SETS=pm10 SPLITS=1 METHODS=rr python3 -B "$work/tree/bench/accuracy/run.py" "$sugeno" "$work/tree/out.csv" 2>>"$work/tree/said"
done
[ "$(grep -c ' in .* s$' "$work/tree/said")" = 2 ] || { cat "$work/tree/said" && fail "there must be one run for each version of the sources"; }

# An interrupted training exits with 0, but must not become a result.
cat >"$work/interrupted" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && echo "sugeno 0" && exit
echo '{"rules": 1, "interrupted": true}'
EOF
chmod +x "$work/interrupted"
sugeno=$work/interrupted
if METHODS=rr SETS=pm10 harness; then fail "an interrupted training was accepted"; fi
in_line 'the training was interrupted' "$work/said"
