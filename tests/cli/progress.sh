#!/bin/bash
# Progress: on a terminal a bar that fits and is removed; otherwise lines; nothing with --quiet.
. "$TESTDIR/lib.inc"
script -q -c true /dev/null >/dev/null 2>&1 || exit 77 # no program, or no pseudo-terminals
series 200 >d.csv
plain() { sed -E '/^$/d; s/\x1b\[K/<clear>/g; s/[0-9]+/N/g; s/=+/=/; s/ +/ /g; s/N(.N)?(e-N)?/N/g'; }
on_terminal() { # COLUMNS ARGUMENTS...
    script -q -c "stty cols $1; TERM=xterm timeout --foreground -s INT 2 '$SUGENO' ${*:2}" /dev/null |
        tr '\r' '\n' | plain
}
for columns in 80 41 30; do
    echo "--- $columns columns"
    on_terminal $columns train d.csv --preset mbgd-rda --valid-fraction 0.2 --iters 10000000 | grep -vE "RMSE|^target" | uniq | head -n 5
done
echo "--- quiet"
on_terminal 80 train d.csv --preset mbgd-rda --quiet --iters 10000000 | grep left
echo "--- a pipe"
timeout -s INT 3 "$SUGENO" train d.csv --preset mbgd-rda --iters 10000000 2>&1 >report | plain
