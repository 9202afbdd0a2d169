#!/bin/bash
# Inputs are never overwritten; read-only files are not replaced; odd file names and closed streams are handled.
. "$TESTDIR/lib.inc"
plane 40 >d.csv
plane 30 >v.csv
echo "iters = 5" >my.conf

for file in v.csv my.conf; do cp "$file" "$file.before"; done
run train d.csv --valid v.csv -o v.csv
run train d.csv --config my.conf -o my.conf
run predict d.csv d.csv -o d.csv
for file in v.csv my.conf; do cmp "$file" "$file.before"; done

# The same number in different notations.
run cv d.csv --folds 2 --preset rr --json >two
run cv d.csv --folds 0.2e1 --preset rr --json | sed 's/0.2e1/2/' | cmp - two
run cv d.csv --folds 0x5
run cv d.csv --folds 1

long=$(printf 'n%.0s' $(seq 250)).json
"$SUGENO" train d.csv --preset rr --quiet -o "$long" >report && "$SUGENO" eval "$long" d.csv | grep rows
odd=$(printf 'caf\351.json')
"$SUGENO" train d.csv --preset rr --quiet --json -o "$odd" | grep -o '"model": .*'
"$SUGENO" train d.csv --preset rr --quiet -o closed.json >&- 2>/dev/null
"$SUGENO" eval closed.json d.csv | grep rows
ls | grep -c tmp

# Not as root, who can write any file.
if [ "$(id -u)" = 0 ]; then
    as_nobody() { setpriv --reuid=65534 --clear-groups --inh-caps=-all "$@"; }
    chmod 777 . ..
else
    as_nobody() { "$@"; }
fi
echo precious >kept.json
chmod 444 kept.json
chmod 644 d.csv
# Skipped if the user nobody cannot run the program (a private folder).
if as_nobody "$SUGENO" --version >/dev/null 2>&1; then
    as_nobody "$SUGENO" train d.csv --preset rr --quiet -o kept.json >report 2>said && echo written
    grep -q "can't write kept.json: Permission denied" said || cat said
fi
cat kept.json

# Standard input, and the file behind a standard stream, are inputs too.
cp d.csv again.csv
run train - -o again.csv <again.csv
run predict closed.json - -o again.csv <again.csv
cmp d.csv again.csv
(echo before; "$SUGENO" predict closed.json d.csv --quiet -o /dev/stdout | head -n 1; echo after) >all.txt
(echo before; "$SUGENO" predict closed.json d.csv --quiet -o /dev/stdout; echo after) >whole.txt
wc -l <all.txt
wc -l <whole.txt
