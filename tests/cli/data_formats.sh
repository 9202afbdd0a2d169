# All data formats give the same model: read, written, concatenated and compressed.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "a,kind of,b,y"; for (i = 0; i < 40; i++) print i * 7 % 11 "," (i % 3 ? i % 2 ? "red" : "it'"'"'s blue" : 7) "," (i % 5 ? i % 13 / 4 : "") "," i % 9 }' >d.csv
train() { "$SUGENO" train "$@" --preset mbgd-rda --iters 30 --quiet >report; }
train d.csv -o csv.json
for f in npy arff dat; do
    run convert d.csv d.$f
    train d.$f -o $f.json
    cmp csv.json $f.json
    "$SUGENO" convert d.$f back.csv --quiet >report
    cmp d.csv back.csv
done
head -n 10 d.arff
head -n 11 d.dat
for f in arff dat; do
    gzip -c d.$f >packed.$f.gz
    train packed.$f.gz -o $f.json
    cmp csv.json $f.json
done
run convert d.arff d.npy d.csv d.dat all.csv
{ cat d.csv; sed 1d d.csv; sed 1d d.csv; sed 1d d.csv; } | cmp - all.csv
run convert d.csv d.svm
run convert d.csv d.svm --ignore "kind of"
run convert d.csv d.libsvm --ignore "kind of,b"
head -n 3 d.libsvm
gzip -c d.libsvm >packed.svm.gz
train d.libsvm -o svm.json
train packed.svm.gz -o packed.json
cmp svm.json packed.json
printf '5 1:3\n' >e.svm
printf '5 2:3\n' >f.svm
run predict svm.json e.svm f.svm | steady
run convert e.svm f.svm g.csv
cat g.csv
# Weights, roles, dates.
printf '@relation k\n@attribute y real [0,9]\n@attribute day date\n@attribute a real\n@attribute no real\n@inputs day, a\n@outputs y\n@data\n1,2001-01-01,2,3,{0.5}\n4,2001-01-02,5,6,{2}\n7,?,9,9\n' >k.dat
run info k.dat
run train k.dat --preset mbgd-rda --iters 3 | grep -E 'target|inputs'
# ARFF instance weights equal a column of weights, in train and eval.
awk 'BEGIN { for (i = 0; i < 30; i++) print i * 7 % 11 "," i * 3 % 8 "," i % 9 }' >rows
{ echo w,a,b,y; awk -F, '{ print $2 / 2 "," $1 "," $2 "," $3 }' rows; } >w.csv
{ printf '@relation w\n@attribute a real\n@attribute b real\n@attribute y real\n@data\n'; awk -F, '{ print $0 ",{" $2 / 2 "}" }' rows; } >w.arff
run train w.arff --preset mbgd-rda --iters 3 -o arff.json | grep -E 'inputs|weight'
run train w.arff --preset mbgd-rda --iters 3 --weights b | grep -E 'inputs|weight'
run train w.arff --preset mbgd-rda --iters 3 --ignore weight | grep -E 'inputs|weight'
run eval arff.json w.arff >a
cat a
run predict arff.json w.arff | grep weight
"$SUGENO" eval arff.json w.csv --weights w >b
sed 1,2d a | cmp - b
# A .dat file that is CSV; invalid files.
cp d.csv plain.dat
run info plain.dat | sed -n 2,4p
cp d.csv d2.arff
run info d2.arff
run info k.svm
sed 's/^@data/@data\n1,green,2,3/' d.arff >e.arff
run info e.arff
printf '1 1:2\n3 1:x\n' >bad.svm
run info bad.svm
