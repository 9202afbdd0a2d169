#!/bin/sh
# instructions.sh BENCH ROOT: compares instructions per example, counted by callgrind, with ROOT/bench/instructions.csv.
# Fails if a count has grown by more than 10 %. Counts depend on the compiler and on the kernel for this processor, so the
# check is skipped if they differ from those in the table. UPDATE=1 rewrites the table.
set -eu
bench=$(realpath "$1") table=bench/instructions.csv
cd "$2"
if ! command -v valgrind >/dev/null; then
    echo "skipped: valgrind is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SUGENO_KERNEL
head -n 1 "$table" >"$work/new"
: >"$work/code"

# Count only the instructions of the function counted().
tail -n +2 "$table" | while IFS=, read -r what of precision compiler kernel expected; do
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=counted \
        "$bench" --count "$what" "$of" "$precision" >"$work/out" 2>"$work/log" ||
        { cat "$work/log" && echo 1 >>"$work/code" && continue; }
    IFS=, read -r examples this_compiler this_kernel <"$work/out"
    total=$(awk '/Collected *:/ { print $NF }' "$work/log")
    count=$(awk "BEGIN { printf \"%.1f\", $total / $examples }")
    echo "$what,$of,$precision,$this_compiler,$this_kernel,$count" >>"$work/new"
    [ -z "${UPDATE:-}" ] || continue
    if [ "$compiler,$kernel" != "$this_compiler,$this_kernel" ]; then
        echo "skipped: the table is for $compiler and the kernel $kernel, this is $this_compiler and $this_kernel"
        [ -s "$work/code" ] || echo 77 >"$work/code"
        break
    fi
    awk -v name="$what $of $precision" -v old="$expected" -v new="$count" 'BEGIN {
        word = ""
        if (new > 1.1 * old) word = sprintf(": %.0f %% more", 100 * (new / old - 1))
        if (new < 0.9 * old) word = ": fewer; update the table with UPDATE=1"
        printf "%-40s %9.1f instructions per example, expected %.1f%s\n", name, new, old, word
        exit new > 1.1 * old
    }' || echo 1 >>"$work/code"
done

if [ -n "${UPDATE:-}" ]; then
    cp "$work/new" "$table"
fi
exit "$(tail -n 1 "$work/code" | grep . || echo 0)"
