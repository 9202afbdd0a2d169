# Rows that do not fit into --memory go to an unnamed temporary file: the same model as from memory, .npy or a pipe;
# nothing remains, however the program ends.
. "$TESTDIR/lib.inc"
awk 'BEGIN { print "id,x,colour,z,when,y"
    for (i = 1; i <= 60000; i++) {
        x = i * 37 % 997 / 10; z = i * 53 % 701
        print i "," x "," (i % 7 == 0 ? "" : i % 3 ? "red" : "blue") "," (i % 11 ? z : "NA") ",2024-01-0" i % 9 + 1 "," x * 2 + z % 13 } }' >d.csv
gzip -k d.csv
mkdir tmp
export TMPDIR=tmp
"$SUGENO" train d.csv --preset mbgd-rda --iters 50 --memory 1GB --valid-fraction 0.1 -o table.json --quiet >report
"$SUGENO" train d.csv --preset mbgd-rda --iters 50 --memory 1MB --valid-fraction 0.1 -o spool.json 2>said >report
grep -v iteration said >&2
"$SUGENO" train d.csv.gz --preset mbgd-rda --iters 50 --memory 1MB --valid-fraction 0.1 -o gz.json --quiet >report
"$SUGENO" train - --preset mbgd-rda --iters 50 --memory 1MB --valid-fraction 0.1 -o pipe.json --quiet <d.csv >report
"$SUGENO" convert d.csv d.npy --memory 1MB
"$SUGENO" convert d.csv table.npy --quiet >report
for m in 1MB 1GB; do
    "$SUGENO" train d.npy --preset mbgd-rda --iters 50 --memory $m --valid-fraction 0.1 -o npy-$m.json --quiet >report
done
for f in spool gz pipe npy-1MB npy-1GB; do cmp table.json $f.json && echo "$f: the same"; done
cmp d.npy table.npy && echo "convert: the same"
for m in 1MB 1GB; do
    "$SUGENO" eval table.json d.csv --memory $m --quiet >eval-$m
    "$SUGENO" predict table.json d.csv --memory $m --quiet >predict-$m
    "$SUGENO" cv d.csv --preset mbgd-rda --folds 2 --iters 5 --memory $m --quiet >cv-$m
done
for v in eval predict cv; do cmp $v-1MB $v-1GB && echo "$v: the same"; done
ls tmp

head -c 100000 d.csv.gz >cut.csv.gz
run train cut.csv.gz --memory 1MB --quiet
echo '1,five,red,2,2024-01-01,3' >>d.csv
run train d.csv --memory 1MB --numeric x --quiet
TMPDIR=/nowhere run train d.csv --memory 1MB --numeric y --quiet
(
    ulimit -f 200
    run train d.csv --preset mbgd-rda --memory 1MB --quiet
)
# Killed while reading.
mkfifo pipe
(
    cat d.csv
    sleep 5
) >pipe &
feeder=$!
"$SUGENO" train - --preset mbgd-rda --memory 1MB --quiet <pipe >report 2>&1 &
sleep 0.7
kill -KILL $!
wait $! 2>/dev/null
kill $feeder
ls -A tmp
run train d.csv --memory 1k
run train d.csv --memory lots
