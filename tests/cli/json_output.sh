# labels: memory
# Every verb prints one JSON object to standard output, and nothing on failure.
. "$TESTDIR/lib.inc"
plane 40 >d.csv
"$SUGENO" train d.csv --preset rr --l2 0 -o m.json --json | sed -E 's/(rmse": )[0-9.e-]+/\1N/' | steady
"$SUGENO" train d.csv --preset mbgd --iters 7 --valid-fraction 0.25 --json --quiet |
    sed -E 's/(rmse": )[0-9.e-]+/\1N/g' | steady
head -n 4 d.csv >few.csv
"$SUGENO" predict m.json few.csv --json | sed -E 's/-?[0-9.]+(e-[0-9]+)?([],])/N\2/g'
"$SUGENO" predict m.json few.csv --json -o p.csv
"$SUGENO" eval m.json d.csv --json | sed -E 's/[0-9.]+e-[0-9]+/TINY/g' | steady
"$SUGENO" cv d.csv --preset rr --folds 2 --json | sed -E 's/: [0-9.e-]+([,}])/: N\1/g'
"$SUGENO" info d.csv --json | steady
"$SUGENO" info m.json --json | sed -E 's/("record": \{).*("preset": "rr").*("iterations": "1").*\}\}/\1..., \2, ..., \3, ...}}/'
"$SUGENO" rules m.json --json | tr -d '\n' | cut -c 1-30
"$SUGENO" demo --iters 5 --json | sed -E 's/("test_rmse": )[0-9.e-]+/\1N/g' | steady
"$SUGENO" help --json | cut -c 1-11
run train missing.csv --json
run eval m.json missing.csv --json
