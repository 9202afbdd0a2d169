# Row weights in train and eval: rows of weight 0 have no effect.
. "$TESTDIR/lib.inc"
plane 40 | awk -F , 'NR == 1 { print $0 ",w"; next } { print $0 "," (NR % 2) }' >d.csv
plane 40 | awk 'NR == 1 || NR % 2' >half.csv
"$SUGENO" train d.csv -t y --weights w --preset rr -o m.json --quiet >report
"$SUGENO" train half.csv --preset rr -o n.json --quiet >report
"$SUGENO" predict m.json d.csv >p.csv
"$SUGENO" predict n.json d.csv | paste -d , p.csv - |
    awk -F , 'NR > 1 { d = $1 - $2; if (d * d > 1e-16) print "differ", $0 }'
"$SUGENO" eval m.json d.csv --weights w >a
"$SUGENO" eval m.json half.csv >b
paste a b | awk '/rmse|mae/ { d = $2 - $4; print $1, d * d < 1e-16 ? "agree" : "differ" }'
sed 's/,1$/,-1/' d.csv >bad.csv
run train bad.csv -t y --weights w
