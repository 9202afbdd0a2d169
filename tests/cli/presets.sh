# Every preset trains on a small file and predicts numbers.
. "$TESTDIR/lib.inc"
series 80 >d.csv
"$SUGENO" help presets | sed -n 's/^  \([a-z][^ ]*\).*/\1/p' >presets
cat presets
while read -r preset; do
    "$SUGENO" train d.csv --preset "$preset" --iters 15 --budget 1 -o m.json --quiet >report || fail "$preset"
    "$SUGENO" predict m.json d.csv >p.csv || fail "$preset"
    awk 'NR > 1 && $1 !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/' p.csv
    [ "$(wc -l <p.csv)" = 81 ] || fail "$preset: lines"
    "$SUGENO" rules m.json >rules || fail "$preset: rules"
    "$SUGENO" info m.json | grep -q -E "^preset +$preset\$" || fail "$preset: info"
done <presets
