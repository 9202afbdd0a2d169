# Categories: training, the model file, unseen and missing levels, numeric levels.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "sex,a,y"; split("M F I", s); for (i = 0; i < 60; i++) { k = i % 3 + 1; a = i * 7 % 11; print s[k] "," a "," k * a } }' >d.csv
run train d.csv --preset rr --pca 0 -o m.json | steady
run rules m.json
run info m.json | head -n 8
run train d.csv --preset mbgd-rda --rules 3 --pca 0 --iters 200 -o c.json --json | steady
"$SUGENO" rules c.json | grep -E '^  IF|^       and' | grep -c 'sex is'
run eval c.json d.csv | steady
# X and Y are unseen, one is missing.
printf 'a,sex\n1,M\n2,X\n3,Y\n4,\n5,X\n' >x.csv
run predict c.json x.csv -o p.csv
wc -l <p.csv
run predict c.json x.csv -o p.csv --quiet
# Text for a numeric input, and numbers for a category.
printf 'a,sex\nfive,M\n' >w.csv
run predict c.json w.csv
sed 's/M/1/; s/F/2/; s/I/3.0/' d.csv >n.csv
run train n.csv --preset mbgd-rda --categorical sex --rules 3 --pca 0 --iters 50 -o n.json | grep inputs
run info n.json | grep category
run convert n.csv n.npy
run train n.npy --preset mbgd-rda --categorical sex --rules 3 --pca 0 --iters 50 -o npy.json | grep inputs
cmp n.json npy.json
run predict n.json n.npy -o p.csv
printf 'a,sex\n1,1\n2,4\n3,word\n' >u.csv
run predict n.json u.csv -o p.csv
run cv d.csv --preset mbgd-rda --rules 3 --pca 0 --iters 20 --folds 3 | wc -l
