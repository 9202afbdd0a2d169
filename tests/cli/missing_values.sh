# Missing values: words that denote them, columns and rows without values; every row is predicted.
. "$TESTDIR/lib.inc"
cat >d.csv <<'EOF'
a,b,none,y
1,2,,3
2,NA,,1
,3,?,4
4,null,,2
5,-9,NA,
6,x,,7
EOF
run train d.csv --preset mbgd-rda --iters 5 -o m.json --missing 'NA,?,null,x,-9' | steady
run train d.csv --iters 5
run info d.csv --missing 'NA,?,null,x,-9'
run info d.csv --missing 'NA,?,null,x,-9' --json
run eval m.json d.csv --missing 'NA,?,null,x,-9' | steady
"$SUGENO" predict m.json d.csv --missing 'NA,?,null,x,-9' --quiet | grep -c -E '^-?[0-9]'
printf 'a,b\n,\n' >empty.csv
"$SUGENO" predict m.json empty.csv --quiet | grep -c -E '^-?[0-9]'
printf 'a,b,y\n1,2,3\n2,3,NA\n4,4,4\n4,6,5\n' >v.csv
"$SUGENO" train v.csv --preset mbgd-rda --iters 5 --valid v.csv -o m.json 2>&1 >report
