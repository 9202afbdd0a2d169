#!/bin/sh
# scaling.sh ROOT PROBE: checks that bench/scaling/report.py turns bench/scaling.csv into docs/scaling.md, and that the
# program PROBE can time each part of a training.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# part ARGUMENTS...: the program must print two numbers above 0.
part() {
    "$probe" "$@" >"$work/out" || { echo "time_training_parts $*: failed" && exit 1; }
    awk 'NF == 2 && $1 > 0 && $2 > 0 { ok = 1 } END { exit !ok }' "$work/out" || { echo "time_training_parts $*: no times" && exit 1; }
}
probe=$2 rows=$1/examples/mackey-glass.csv
part reading "$rows" 1
part statistics "$rows" 1 structure=linear pca=0
part steps "$rows" 2 5
part crowd 3 2 batch=8192
"$probe" launch "$work/report" true
awk 'NF == 3 && $1 > 0 && $3 > 0 { ok = 1 } END { exit !ok }' "$work/report" || { echo "time_training_parts launch: no report" && exit 1; }

for program in python3 gnuplot; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: $program is not installed"
        exit 77
    fi
done
mkdir "$work/docs"
python3 "$1/bench/scaling/report.py" "$1/bench/scaling.csv" "$work/docs/scaling.md" "$work/docs/figures/scaling"
diff -u "$1/docs/scaling.md" "$work/docs/scaling.md"

# With only some of the stages there is no page, but no failure either.
grep -E '^(work|reading|statistics)' "$1/bench/scaling.csv" >"$work/some.csv"
python3 "$1/bench/scaling/report.py" "$work/some.csv" "$work/some.md" "$work/some" 2>"$work/said"
grep -q 'measure these stages, too: about ranks crowd$' "$work/said" && test ! -e "$work/some.md" || { cat "$work/said" && exit 1; }

for figure in "$1"/docs/figures/scaling/*.svg; do
    test -s "$work/docs/figures/scaling/$(basename "$figure")" || { echo "report.py no longer writes $figure" && exit 1; }
done
