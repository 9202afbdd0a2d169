# labels: memory
# Several files of any formats form one dataset, with the same bytes as one file.
. "$TESTDIR/lib.inc"
series 120 >d.csv
head -1 d.csv >head.csv
part() { { cat head.csv; sed 1d d.csv | sed -n "$1"; } >"$2"; }
part 1,50p a.csv
part 51,51p b.csv
part '52,$p' c.csv
sed 1d d.csv | sed -n 1,70p >a-bare.csv
sed 1d d.csv | sed -n '71,$p' >b-bare.csv
sed 1d d.csv >bare.csv
gzip -c b.csv >b.csv.gz
tr , ';' <c.csv >c-semicolon.csv
for f in a b c; do "$SUGENO" convert $f.csv $f.npy --quiet >report; done

train() { "$SUGENO" train "$@" --preset mbgd-rda --iters 40 --quiet >report; }
train d.csv -o one.json
for files in "a.csv b.csv c.csv" "a.csv b.csv.gz c-semicolon.csv" "a.npy b.npy c.npy" "a.csv b.npy c.csv" "a.csv b.csv c.npy"; do
    # shellcheck disable=SC2086 # several words
    train $files -o several.json
    cmp one.json several.json
done
"$SUGENO" train a.csv --preset mbgd-rda - c.csv --iters 40 --quiet -o several.json <b.csv >report
cmp one.json several.json
train bare.csv -o one-bare.json
train a-bare.csv b-bare.csv -o several.json
cmp one-bare.json several.json
for verb in "eval one.json" "predict one.json" "cv --preset mbgd-rda --iters 20"; do
    # shellcheck disable=SC2086 # several words
    for files in d.csv "a.csv b.csv c.csv" "a.npy b.npy c.npy"; do "$SUGENO" $verb $files --json --quiet; done | uniq | wc -l
done
run convert a.csv b.npy c.csv all.csv
cmp all.csv d.csv

# Files with different columns.
sed 's/x(t-6)/y/' b.csv >other.csv
run train a.csv other.csv
run train a.npy other.csv
run train a.csv b-bare.csv
cut -d, -f1-4 b.csv >narrow.csv
run train a.csv narrow.csv
run train a.npy narrow.csv
: >empty.csv
run train a.csv empty.csv
cat b.csv >bad.csv
echo 1,2,x,4,5 >>bad.csv
run train a.csv bad.csv c.csv
run train a.csv nowhere.csv
run train
run convert a.csv
run eval one.json
