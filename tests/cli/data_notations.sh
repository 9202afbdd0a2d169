# The same numbers in different notations give the same bytes: standard input, gzip, CRLF, semicolons, tabs, quotes, a
# BOM, no header.
. "$TESTDIR/lib.inc"
plane 60 >d.csv
train() { "$SUGENO" train "$@" --preset mbgd-rda --iters 20 --quiet >report; }
train d.csv -o m.json
train - -o stdin.json <d.csv
gzip -c d.csv >d.csv.gz && train d.csv.gz -o gz.json
train - -o stdin_gz.json <d.csv.gz
sed 's/$/\r/' d.csv >crlf.csv && train crlf.csv -o crlf.json
tr , ';' <d.csv >semicolon.csv && train semicolon.csv -o semicolon.json
tr , '\t' <d.csv >tab.csv && train tab.csv --delimiter tab -o tab.json
sed 's/[^,]*/"&"/g' d.csv >quoted.csv && train quoted.csv -o quoted.json
(printf '\357\273\277' && cat d.csv) >bom.csv && train bom.csv -o bom.json
for other in stdin gz stdin_gz crlf semicolon tab quoted bom; do cmp m.json $other.json; done
sed 1d d.csv >bare.csv && train bare.csv -o bare.json
"$SUGENO" info bare.json | head -n 3
"$SUGENO" predict bare.json - <bare.csv >p.csv
"$SUGENO" predict m.json - <d.csv | cmp - p.csv
"$SUGENO" predict m.json d.csv.gz | cmp - p.csv
