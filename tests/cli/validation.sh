# labels: memory
# Validation rows from a file or held out; the best iterate is kept, and --patience ends training.
. "$TESTDIR/lib.inc"
series 100 >d.csv
tail -n 60 "$EXAMPLES/mackey-glass.csv" | sed '1i x(t-18),x(t-12),x(t-6),x(t),x(t+6)' >v.csv
check() { # the report's valid RMSE is that of the model on the rows in $1
    "$SUGENO" eval m.json "$1" | awk '/rmse/ { print $2 }' >judged
    awk '/valid RMSE/ { print $3 }' report | cmp - judged
}
"$SUGENO" train d.csv --preset mbgd-rda --valid v.csv --iters 40 -o m.json --quiet >report
grep -c 'valid RMSE' report
check v.csv
sed 's/^/text,/' v.csv >more.csv
"$SUGENO" train d.csv --preset mbgd-rda --valid more.csv --iters 40 -o n.json --quiet >report
cmp m.json n.json
"$SUGENO" train d.csv --preset mbgd-rda --valid-fraction 0.3 --rate 0.1 --patience 3 --iters 100000 -o m.json >report
grep rows report
awk '/iterations/ { print ($2 + 0 < 100000 ? "stopped early" : "not stopped"), $3, $4, $5, $6 }' report
cut -d , -f 2- v.csv >less.csv
run train d.csv --preset mbgd-rda --valid less.csv
run train d.csv --preset mbgd-rda --valid missing.csv
