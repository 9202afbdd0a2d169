# labels: memory
# train, predict, eval; eval is compared with awk.
. "$TESTDIR/lib.inc"
series 120 >train.csv
tail -n 100 "$EXAMPLES/mackey-glass.csv" | sed '1i x(t-18),x(t-12),x(t-6),x(t),x(t+6)' >test.csv
"$SUGENO" train train.csv --preset mbgd-rda -t 'x(t+6)' -o m.json --iters 60 | steady
"$SUGENO" predict m.json test.csv -o p.csv
head -n 1 p.csv
wc -l <p.csv
"$SUGENO" predict m.json test.csv | cmp - p.csv
"$SUGENO" predict m.json test.csv --output - | cmp - p.csv
"$SUGENO" eval m.json test.csv | steady
"$SUGENO" eval m.json test.csv --json | tr -d '{}",' | tr ' ' '\n' | paste - - | tr -d : >judged
cut -d , -f 5 test.csv | paste -d , - p.csv | awk -F , 'NR > 1 {
    e = $1 - $2; squares += e * e; sizes += e < 0 ? -e : e; sum += $1; y[n++] = $1
} END {
    for (i = 0; i < n; i++) total += (y[i] - sum / n) ^ 2
    printf "rmse\t%.15g\nmae\t%.15g\nr2\t%.15g\nrows\t%d\n", sqrt(squares / n), sizes / n, 1 - squares / total, n
}' >own
paste own judged | awk '{ d = $2 - $4; if (d < 0) d = -d; print $1, $3, d <= 1e-12 ? "agree" : "differ: " $2 " " $4 }'
