#!/bin/sh
# paper_results.sh PAPER ROOT: a part of ROOT/paper/results.csv, made again, is the same bit for bit.
set -eu
if [ -z "${SUGENO_DATA:-}" ]; then
    echo "SUGENO_DATA names no folder of datasets: skipped"
    exit 77
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
again() { # PAPER EXPERIMENTS DATASETS ALGORITHMS
    "$1" --data "$SUGENO_DATA" --tables "$root/paper" --check "$root/paper/results.csv" \
        --out "$out" --experiments "$2" --datasets "$3" --algorithms "$4"
}
root=$2
if [ "${INSTRUMENTED:-OFF}" = ON ]; then # ten times slower
    again "$1" curves pm10 "rr mbgd-d mbgd-rda"
    exit 0
fi
again "$1" "curves drop adam" "pm10 housing" "rr mbgd mbgd-r mbgd-d mbgd-rd mbgd-a mbgd-rda mbgd-rda-dropmf mbgd-rda-dropmembership mbgd-rd-adam"
again "$1" "curves" "powerplant wine-red" "rr"
again "$1" "one-hot unique" "abalone wine-red" "rr"
