#!/bin/sh
# same_bytes.sh DATA.csv PROGRAM...: the same data, options and seed give the same model file and
# predictions, whichever compiler built the program, however it was optimised, on whichever
# architecture, and with the fast kernel that needs no special instructions, too.
set -eu
data=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
head -n 121 "$data" >"$work/few" # enough for a search with boxes, synthetic rows and a student, which takes its time

try() { # PROGRAM SETTINGS KERNEL: against the first one's files
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
    [ "$rows" = "$data" ] || grep -q '"tried_student"' "$work/model.json" || { echo "$1: $2: no student was tried" && status=1; }
}

for settings in "" "--preset auto --iters 100 --rules 4 --budget 4" "--preset mbgd" "--preset anfis-gd-lse-r --iters 20" \
    "--rules 7 --mf gauss-a --optim adabelief" "--mf gbell --batch 600 --iters 50" \
    "--mf tri --drop mf" "--mf trap --drop membership --loss mean" "--pca 2 --valid-fraction 0.3" \
    "--precision f32" "--rules 9 --precision f32 --keep 0.9" "--mfs 3 --iters 100"; do
    rm -f "$work"/*.json "$work"/*.csv
    for program; do try "$program" "$settings" ""; done
    try "$1" "$settings" portable
    rm -f "$work"/first-*
done
exit $status
