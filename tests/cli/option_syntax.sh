# labels: memory
# Equivalent ways to write a command.
. "$TESTDIR/lib.inc"
plane 40 >d.csv
plane 40 >-d.csv
train() { "$SUGENO" train --quiet --preset mbgd-rda "$@" >report || echo "[exit $?]"; }
train d.csv --preset rr --seed 7 -o a.json
train --preset=rr --seed=7 --output=b.json d.csv
train -o c.json --preset rr --seed 7 -- -d.csv
train --no-json --json=no --seed 1 --seed 7 -t y --output d.json d.csv --preset rr
for other in b c d; do cmp a.json $other.json; done
"$SUGENO" train - --preset rr --seed 7 -o - --quiet <d.csv 2>report | cmp - a.json
grep -c RMSE report
run train d.csv --preset rr --seed -7
