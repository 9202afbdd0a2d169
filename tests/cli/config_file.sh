# labels: memory
# Options from a file; the command line takes precedence, wherever --config is.
. "$TESTDIR/lib.inc"
plane 40 >d.csv
cat >my.conf <<'END'
# a comment
preset = mbgd-a
iters = 20   # another one
rate=0.02

targets = y
END
echo "iters = 30" >more.conf
facts() { "$SUGENO" info m.json | grep -E '^(preset|iters|rate|batch) '; }
"$SUGENO" train d.csv --config my.conf -o m.json --quiet >report && facts
"$SUGENO" train d.csv --iters 10 --config my.conf -o m.json --quiet >report && facts
"$SUGENO" train d.csv --config my.conf --config more.conf -o m.json --quiet >report && facts
# Options that a verb does not accept are skipped.
"$SUGENO" eval m.json d.csv --config my.conf | grep rows
echo "iterz = 5" >bad.conf
run train d.csv --config bad.conf
echo "iters 5" >bad.conf
run train d.csv --config bad.conf
run train d.csv --config missing.conf

# The file may also contain options of the command line.
printf 'output = kept.json\nquiet = yes\niters = 5\n' >own.conf
"$SUGENO" train d.csv --preset mbgd-rda --config own.conf >/dev/null && ls kept.json
"$SUGENO" train d.csv --preset mbgd-rda --config own.conf -o other.json >/dev/null && ls other.json
echo "folds = 3" >>own.conf
"$SUGENO" train d.csv --preset mbgd-rda --config own.conf >/dev/null
for line in "json = perhaps" "config = own.conf"; do
    echo "$line" >bad.conf
    run train d.csv --config bad.conf
done
