# SUGENO_KERNEL and --precision: every kernel gives the same bytes; invalid names are errors.
. "$TESTDIR/lib.inc"
plane 300 >d.csv
for precision in f64 f32; do
    for kernel in "" portable avx2 neon; do
        export SUGENO_KERNEL=$kernel
        "$SUGENO" train d.csv --preset mbgd-rda --iters 20 --precision $precision -o m.json --quiet >report 2>why || {
            grep -q "SUGENO_KERNEL: $kernel does not run on this machine" why || fail "$(cat why)"
            continue
        }
        [ -e $precision.json ] || cp m.json $precision.json
        cmp m.json $precision.json
    done
done
cmp -s f64.json f32.json && fail "the precision changes nothing"
rm m.json report why

export SUGENO_KERNEL=nonsense
run train d.csv --preset mbgd-rda --iters 5 -o n.json
run predict f64.json d.csv -o p.csv
run eval f64.json d.csv
run cv d.csv --preset mbgd-rda --iters 5
unset SUGENO_KERNEL
run train d.csv --precision f16 -o n.json
run train d.csv --precision
ls
