#!/bin/sh
# same_bytes.sh DATA.csv PROGRAM...: checks that all programs, built by different compilers, with different optimisation
# and for different processors, give the same model file and predictions, also with the portable kernel.
set -eu
data=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
head -n 121 "$data" >"$work/few" # enough rows for all parts of the search, which is slow

try() { # PROGRAM SETTINGS KERNEL: compares with the files of the first program
    export SUGENO_KERNEL="$3"
    rows=$data
    case $2 in *"--preset auto"*) rows=$work/few ;; esac
    # shellcheck disable=SC2086 # a list of words
    "$1" train "$rows" --preset mbgd-rda $2 --quiet -o "$work/model.json" >/dev/null
    "$1" predict "$work/model.json" "$data" --quiet -o "$work/y.csv"
    for file in model.json y.csv; do
        [ -e "$work/first-$file" ] || cp "$work/$file" "$work/first-$file"
        cmp "$work/first-$file" "$work/$file" || { echo "$1: $2 $3" && status=1; }
    done
    [ "$rows" = "$data" ] || grep -q '"tried_student_1"' "$work/model.json" || { echo "$1: $2: the search did not try a student" && status=1; }
}

for settings in "" "--preset auto --iters 100 --rules 4 --budget 4" "--preset auto --iters 100 --budget 4" \
    "--preset additive-pairs" "--preset mbgd" "--preset anfis-gd-lse-r --iters 20" \
    "--rules 7 --mf gauss-a --optim adabelief" "--mf gbell --batch 600 --iters 50" \
    "--mf tri --drop mf" "--mf trap --drop membership --loss mean" "--pca 2 --valid-fraction 0.3" \
    "--precision f32" "--rules 9 --precision f32 --keep 0.9" "--mfs 3 --iters 100"; do
    rm -f "$work"/*.json "$work"/*.csv
    for program; do try "$program" "$settings" ""; done
    try "$1" "$settings" portable
    rm -f "$work"/first-*
done
exit $status
