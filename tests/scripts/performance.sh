#!/bin/sh
# performance.sh ROOT: checks that bench/report.py turns bench/results.csv into docs/performance.md.
set -eu
for program in python3 gnuplot; do
    if ! command -v "$program" >/dev/null; then
        echo "skipped: $program is not installed"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/docs"
python3 "$1/bench/report.py" "$1/bench/results.csv" "$work/docs/performance.md" "$work/docs/figures"
diff -u "$1/docs/performance.md" "$work/docs/performance.md"
for figure in "$1"/docs/figures/*.svg; do
    test -s "$work/docs/figures/$(basename "$figure")" || { echo "report.py no longer writes $figure" && exit 1; }
done
