# Cross-validation: folds, mean and standard deviation, compared with awk.
. "$TESTDIR/lib.inc"
series 100 >d.csv
"$SUGENO" cv d.csv --preset mbgd-rda --folds 4 --iters 20 | tee table | awk '{ print $1, $NF ~ /^25$/ ? $NF : "" }'
"$SUGENO" cv d.csv --preset mbgd-rda --folds 4 --iters 20 --json >j
tr '{,' '\n\n' <j | sed -n 's/.*"rmse": \([0-9.e-]*\).*/\1/p' | awk '
    { s += $1; x[n++] = $1 }
    END { for (i = 0; i < n; i++) v += (x[i] - s / n) ^ 2; printf "%.10f %.10f\n", s / n, sqrt(v / (n - 1)) }' >own
sed 's/.*"rmse_mean": \([^,]*\), "rmse_sd": \([^,]*\),.*/\1 \2/' j | awk '{ printf "%.10f %.10f\n", $1, $2 }' | cmp - own
"$SUGENO" cv d.csv --preset mbgd-rda --folds 4 --iters 20 | cmp - table
"$SUGENO" cv d.csv --preset mbgd-rda --folds 4 --iters 20 --seed 1 | cmp -s - table && echo "the seed does nothing"
:
