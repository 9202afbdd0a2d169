#!/bin/sh
# mackey-glass.sh SUGENO: makes docs/mackey-glass.svg with the program SUGENO and gnuplot.
set -eu
sugeno=$(realpath "${1:-build/release/sugeno}")
docs=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
series="$docs/../examples/mackey-glass.csv"
head -501 "$series" >train.csv
(head -1 "$series" && tail -500 "$series") >test.csv
"$sugeno" train train.csv --quiet -o fuzzy.json >train.txt
"$sugeno" train train.csv --quiet --preset rr -o ridge.json >ridge.txt
"$sugeno" predict fuzzy.json test.csv --quiet >fuzzy.csv
"$sugeno" predict ridge.json test.csv --quiet >ridge.csv
paste -d, test.csv fuzzy.csv ridge.csv | tail -n +2 >all.csv
# The last input's two terms: "low   about 0.45, sigma 0.32".
"$sugeno" rules fuzzy.json | awk '
    $1 == "x(t)" { found = 1 }
    found && $2 == "about" { n++; sub(",", "", $3); printf "c%d = %s\ns%d = %s\n", n, $3, n, $5 }
    n == 2 { exit }' >mfs.gp
gnuplot "$docs/mackey-glass.gp"
mv mackey-glass.svg "$docs/mackey-glass.svg"
