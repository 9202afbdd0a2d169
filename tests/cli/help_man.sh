# The manual page uses only macros of man(7) and contains all options, presets and verbs.
"$SUGENO" help --format man >page
head -n 1 page | sed 's/sugeno [0-9.]*/sugeno VERSION/'
grep '^\.SH' page
grep '^[.'"']" page | awk '{ print $1 }' | sort -u
sed 's/\\-/-/g' page >plain
"$SUGENO" help --json | tr '{' '\n' | sed -n 's/^"name": "\([^"]*\)".*/\1/p' >names
[ "$(wc -l <names)" -gt 50 ] || echo "too few names"
while read -r name; do
    grep -q -e "$name" plain || echo "$name is missing"
done <names
