# Every membership function, structure, optimiser and drop technique that the help lists.
. "$TESTDIR/lib.inc"
series 60 >d.csv
choices() { "$SUGENO" help --json | sed "s/.*\"name\": \"$1\"[^[]*\[\([^]]*\)\].*/\1/" | tr -d '",'; }
for option in mf structure optim drop consequents scale target loss; do
    echo "$option: $(choices $option)"
    for value in $(choices $option); do
        "$SUGENO" train d.csv --preset mbgd-rda --$option "$value" --iters 8 --rate 0.001 -o m.json --quiet >report ||
            fail "--$option $value"
        "$SUGENO" rules m.json >rules || fail "rules of --$option $value"
        if "$SUGENO" eval m.json d.csv | grep nan; then fail "--$option $value"; fi
    done
done
