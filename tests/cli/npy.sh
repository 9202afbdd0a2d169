# labels: memory
# .npy files: convert in both directions, and every verb on them, with the same numbers and bytes.
. "$TESTDIR/lib.inc"
series 120 >d.csv
run convert d.csv d.npy
run convert d.npy back.csv --json
cmp d.csv back.csv
run convert back.csv again.npy --quiet
cmp d.npy again.npy
"$SUGENO" convert d.npy - | cmp - d.csv
sed 1d d.csv >bare.csv
"$SUGENO" convert bare.csv bare.npy >report
"$SUGENO" convert bare.npy bare2.npy >report
cmp bare.npy bare2.npy
head -c 100 bare.npy | tail -c 90 | tr -d '\n' && echo

train() { "$SUGENO" train "$@" --preset mbgd-rda --iters 40 --quiet >report; }
for name in d bare; do
    train $name.csv -o csv.json
    train $name.npy -o npy.json
    cmp csv.json npy.json
done
train d.csv --valid d.csv --ignore 'x(t-18)' --weights 'x(t)' -o csv.json
train d.npy --valid d.npy --ignore 'x(t-18)' --weights 'x(t)' -o npy.json
cmp csv.json npy.json
cp d.npy d.bin # the first bytes tell, not the name
for verb in "eval csv.json" "predict csv.json" "cv --preset mbgd-rda --iters 20" "info"; do
    # shellcheck disable=SC2086 # two words
    for file in d.csv d.npy d.bin; do "$SUGENO" $verb $file --json --quiet >$file.out; done
    cmp d.csv.out d.npy.out
    cmp d.csv.out d.bin.out
done
run predict csv.json d.npy -o p.csv

# Files that cannot be read or written.
run info - <d.npy
gzip -c d.npy >d.npy.gz
run info d.npy.gz
head -c 2000 d.npy >short.npy
run info short.npy
head -c 20 d.npy >shorter.npy
run train shorter.npy
printf '\223NUMPY\001\000\006\000[1, 2]' >odd.npy
run eval csv.json odd.npy
run train d.npy --preset mbgd-rda -t none
run train d.npy --ignore none
run convert d.csv d.txt
run convert d.csv d
run convert d.npy d.npy
ln d.npy same.npy
run convert d.npy same.npy
run convert d.csv - --json
run convert d.csv /dev/null
run convert d.csv nowhere/d.npy
run convert nowhere.csv d.npy
run convert d.csv
ls
