#!/bin/sh
# same_bytes.sh DATA.csv PROGRAM...: the same data, options and seed give the same model file and
# predictions, whichever compiler built the program, however it was optimised, on whichever architecture.
set -eu
data=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for settings in "--preset mbgd-rda" "--preset mbgd" "--preset anfis-gd-lse-r --iters 20" \
    "--rules 7 --mf gauss-a --optim adabelief" "--mf gbell --batch 600 --iters 50" \
    "--mf tri --drop mf" "--mf trap --drop membership --loss mean" "--pca 2 --valid-fraction 0.3"; do
    rm -f "$work"/*.json "$work"/*.csv
    for program; do
        # shellcheck disable=SC2086 # a list of words
        "$program" train "$data" $settings --quiet -o "$work/model.json" >/dev/null
        "$program" predict "$work/model.json" "$data" --quiet -o "$work/y.csv"
        for file in model.json y.csv; do
            [ -e "$work/first-$file" ] || cp "$work/$file" "$work/first-$file"
            cmp "$work/first-$file" "$work/$file" || { echo "$program: $settings" && status=1; }
        done
    done
    rm -f "$work"/first-*
done
exit $status
