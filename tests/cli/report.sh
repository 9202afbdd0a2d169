# Reports with and without data; names cannot break out of the page; errors.
. "$TESTDIR/lib.inc"
plane 60 | sed '1s/.*/<\/script><script>alert(1)<\/script>,b,y/' >d.csv
"$SUGENO" train d.csv --preset mbgd-rda --iters 3 -o m.json --quiet >said
run report m.json d.csv -o page.html
run report m.json d.csv -o again.html --json
cmp page.html again.html && echo "the same bytes"
run report m.json
run report m.json d.csv -o - | sed '1d' | cmp - page.html && echo "the same on standard output"
run report m.json d.csv d.csv -o twice.html --quiet

# A page has four script elements, whatever the column names.
for f in page.html m.html; do
    echo "$f: $(head -n 1 "$f"), $(grep -c '</script>' "$f") ends of scripts, $(tail -n 1 "$f")"
done
grep -o 'name": "[^"]*script[^"]*"' page.html
sed -n '/id="data"/,/script>/p' m.html
sed -n '/id="data"/,/script>/p' page.html | cut -c 1-40 | head -4

# More rows than a page embeds: an even sample, and metrics of all rows.
plane 30000 | sed '1s/.*/<\/script><script>alert(1)<\/script>,b,y/' >many.csv
run report m.json many.csv -o many.html
grep -o '{"rows": [0-9]*' many.html | sed -n 2,3p # the first are those that the model was trained on
grep -o '^"row": [^]]*' many.html | tr ',' '\n' | sed -n '1,3p;$p'

echo "--- bad input"
rm -f page.html
run report
run report none.json -o page.html
run report d.csv -o page.html
echo '{"kind": "sugeno model"' >half.json
run report half.json d.csv -o page.html
run report m.json none.csv -o page.html
echo 'b,y' >few.csv
run report m.json few.csv -o page.html
printf '"</script><script>alert(1)</script>",b,y\n1,2,three\n' >bad.csv
run report m.json bad.csv -o page.html
run report m.json d.csv -o none/page.html
run report m.json d.csv -o .
run report m.json d.csv -o d.csv
run report m.json d.csv -o m.json
run report m.json --rules 3
ls page.html 2>/dev/null || echo "nothing was written"
