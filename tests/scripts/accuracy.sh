#!/bin/sh
# accuracy.sh ROOT SUGENO: docs/accuracy.md is what bench/accuracy/report.py makes of bench/accuracy.csv; and make accuracy's harness runs our
# methods without PyPI, on two small sets that are made here: one with duplicates, under the names of two that it knows.
set -eu
root=$1 sugeno=$2
for program in python3 gnuplot; do
    if ! command -v "$program" >/dev/null; then
        echo "$program is not installed: skipped"
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
    test -s "$work/docs/figures/accuracy/$(basename "$figure")" || fail "$figure is not made any more"
done

# A row's place depends on its key alone: these stand here for ever, or no two runs can be compared.
keys=$(cd "$root/bench/accuracy" && python3 -B -c "import splits; print(*splits.order('pm10', 0, 12))")
[ "$keys" = "9 2 10 5 3 11 7 1 8 0 4 6" ] || fail "split 0 of pm10 is another one: $keys"

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
[ "$(wc -l <"$table")" = $((1 + 4 * ours)) ] || { cat "$table" && fail "not a line for each set, split and method"; }
in_line '^| wine-red (2) | ' "$work/out/accuracy.md"
test ! -e "$work/out/venv" || fail "peers were asked for, and nobody wanted them"
test -s "$work/out/figures/ratios.svg" || test ! -e "$work/out/figures/ratios.svg" || fail "an empty picture"

# The same RMSE as ours of the same files.
python3 -B "$root/bench/accuracy/splits.py" "$work/data" "$work/splits" pm10 3
here=$work/splits/pm10/3
[ "$(wc -l <"$here/train.csv") $(wc -l <"$here/test.csv")" = "211 91" ] || fail "not 70 % of 300 rows"
"$sugeno" train "$here/train.csv" --preset mbgd-rda --seed 3 --quiet -o "$work/model.json" >"$work/talk"
"$sugeno" eval "$work/model.json" "$here/test.csv" --json --quiet >"$work/eval.json"
python3 - "$table" "$work/eval.json" <<'EOF'
import csv, json, sys
rows = {(r["set"], r["split"], r["method"]): r for r in csv.DictReader(open(sys.argv[1]))}
own, judge = float(rows["pm10", "3", "mbgd-rda"]["rmse"]), json.load(open(sys.argv[2]))["rmse"]
assert abs(own / judge - 1) < 1e-5, f"RMSE {own}, by eval {judge}"
assert rows["pm10", "3", "mbgd-rda"]["unseen"] == "", "a second score for a set without duplicates"
assert rows["wine-red", "3", "mbgd-rda"]["unseen"] != rows["wine-red", "3", "mbgd-rda"]["rmse"], "duplicates were counted"
EOF

# A second run has nothing to do, one that was interrupted does what is lacking, and a changed option counts as another method.
cp "$table" "$work/first.csv"
run
cmp "$table" "$work/first.csv"
[ "$(grep -c ' in .* s$' "$work/said")" = 0 ] || { cat "$work/said" && fail "the second run did something"; }
sed '3d' "$work/first.csv" >"$table"
METHODS="$methods mbgd-rda:keep=.9" run
[ "$(grep -c ' in .* s$' "$work/said")" = 5 ] || { cat "$work/said" && fail "not one that lacked and four new ones"; }

# Runs on seeds for claims are listed; wrong names end with a sentence.
harness() { LOG=$work/runs.csv python3 -B "$root/bench/accuracy/run.py" "$sugeno" "$work/claims.csv" 2>"$work/said"; }
echo "date,version,first_seed,sets,methods,claim" >"$work/runs.csv"
SETS=pm10 SPLITS=1 SEED=1000 METHODS=rr CLAIM="a test" harness
in_line ',1000,pm10,rr,a test$' "$work/runs.csv"
SETS=pm10 SPLITS=1 SEED=7 METHODS=rr harness
[ "$(wc -l <"$work/runs.csv")" = 2 ] || fail "a run of development was listed"
if METHODS=abacus harness; then fail "took a method that is not there"; fi
in_line 'there is no method abacus' "$work/said"
if METHODS=rr SETS=moon harness; then fail "took a set that is not there"; fi
in_line 'there is no set moon' "$work/said"
if METHODS=rr:rate=-1 SETS=pm10 harness; then fail "a training that failed passed"; fi
in_line 'runs failed, of rr:rate=-1' "$work/said"

# A result of other sources is another one.
mkdir -p "$work/tree/bench" "$work/tree/src"
cp -r "$root/bench/accuracy" "$work/tree/bench/accuracy"
for text in one two two; do
    echo "$text" >"$work/tree/src/a.c"
    SETS=pm10 SPLITS=1 METHODS=rr python3 -B "$work/tree/bench/accuracy/run.py" "$sugeno" "$work/tree/out.csv" 2>>"$work/tree/said"
done
[ "$(grep -c ' in .* s$' "$work/tree/said")" = 2 ] || { cat "$work/tree/said" && fail "not one run for each of two sources"; }

# A training that was interrupted ended well, but is no result.
cat >"$work/interrupted" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && echo "sugeno 0" && exit
echo '{"rules": 1, "interrupted": true}'
EOF
chmod +x "$work/interrupted"
sugeno=$work/interrupted
if METHODS=rr SETS=pm10 harness; then fail "took a training that was interrupted"; fi
in_line 'the training was interrupted' "$work/said"
