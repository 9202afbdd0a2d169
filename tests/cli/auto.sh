# The default preset searches: it prints the systems that it compared and the one that it chose, whose error is
# valid_rmse. Options that a search does not support are refused with a hint.
. "$TESTDIR/lib.inc"
series 60 >d.csv
series 30 >few.csv
quick=${TESTS_QUICK:+--budget 0.3}

# chosen_error STDERR: the error of the chosen system.
chosen_error() { sed -nE 's/^chosen .* ([0-9.e-]+) \([0-9.e-]+\)$/\1/p' "$1"; }
agree() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a / b < 1.0001 && b / a < 1.0001) }' || fail "$1 is not $2"; }

# shellcheck disable=SC2086 # no word or two
"$SUGENO" train d.csv $quick >report 2>talk
sed -E 's/ +[0-9].*/ N/; s/_[0-9]+//' report
grep -q '^ .*  ridge regression ' talk || grep -q '^chosen .* ridge regression ' talk || fail "ridge regression was not compared"
grep -q "^compared" talk || fail "nothing was compared"
agree "$(chosen_error talk)" "$(sed -nE 's/^valid RMSE *([^ ]*) .*/\1/p' report)"

"$SUGENO" train d.csv --budget 0.3 -o m.json --json >report 2>talk
agree "$(chosen_error talk)" "$(sed -E 's/.*"valid_rmse": ([0-9.e-]+).*/\1/' report)"
"$SUGENO" train d.csv --preset auto --budget 0.3 -o n.json --quiet --json >report
cmp m.json n.json
"$SUGENO" info m.json | grep -cE '^(chosen|tried_ridge|valid_rmse) '
"$SUGENO" cv d.csv --budget 0.3 --folds 2 --quiet | awk '{ print $1 }'

# A warning names the rows that dominate the error by their numbers in the file; one row has no target.
awk 'BEGIN { print "a,b,y"; for (i = 1; i <= 300; i++) { a = i * 37 % 101; b = i * 53 % 89
    print a "," b "," (i == 7 ? "" : 2 * a - b + i * 7919 % 11 + (i % 60 == 30 ? 900 : 0)) } }' >wrong.csv
"$SUGENO" train wrong.csv --budget 0.3 -o m.json 2>&1 >report | sed -n 's/^note *//p' >talk
grep -oE '[0-9]+ of [0-9]+ rows account for [789][0-9] %' talk | sed 's/ account.*//'
sed -nE 's/.*: rows ([0-9, ]+);.*/\1/p' talk | tr -d ' ' | tr ',' '\n' | sort -n | tr '\n' ' ' && echo
"$SUGENO" info m.json >about
while read -r sentence; do grep -qF "$sentence" about || fail "the model does not know: $sentence"; done <talk

# If effects are chosen, a warning says that they help only for recurring values.
awk 'BEGIN { print "g,x,y"; for (i = 0; i < 1200; i++) { g = i * 7919 % 60; x = i * 104729 % 997 / 997; print g / 4 "," x "," x + 3 * (g * 37 % 17) / 17 } }' >hidden.csv
run train hidden.csv --budget 0.3 --mf gauss-a | grep 'note.*effects'
"$SUGENO" train hidden.csv --budget 0.3 --effects "" -o m.json --quiet >report
"$SUGENO" info m.json | grep -c 'tried.*--effects' || true

# --aim: the most accurate system is the last of the list; readable ones have no rules beside curves.
"$SUGENO" train wrong.csv --aim accurate --iters 200 2>&1 >report | grep -E '^(compared|chosen|  )' | tail -n 1 | cut -c1-6
"$SUGENO" train wrong.csv --aim readable --iters 200 2>&1 >report | grep '^chosen' | grep -c 'rules' || true
run train wrong.csv --aim best
"$SUGENO" train wrong.csv --monotone a:+ -o m.json 2>&1 >report | grep -v percent
"$SUGENO" info m.json | sed -nE 's/^(preset|curves) +//p'

# With --group, whole sites are held out, and the column is not an input.
awk 'BEGIN { print "site,a,b,y"; for (i = 0; i < 400; i++) { g = i % 10
    print "s" g "," g * 37 % 101 / 10 + i * 7919 % 13 / 30 "," g * 53 % 89 / 10 + i * 104729 % 17 / 40 "," g * g * 29 % 23 + i % 7 / 20 } }' >sites.csv
by_sites() { "$SUGENO" train sites.csv --budget 0.3 --quiet --json "$@" | sed -E 's/.*"inputs": ([0-9]+).*"valid_rmse": ([^,]+).*/\1 \2/'; }
{ by_sites --ignore site && by_sites --group site; } >errors
awk '{ print $1; e[NR] = $2 } END { if (e[2] < 3 * e[1]) print "--group is not heard: " e[1] ", " e[2] }' errors
run train sites.csv --group sit
run train sites.csv --preset mbgd-rda --group site
run train sites.csv --group site --ignore site

# Too few rows for a search; several targets have no single RMSE.
run train few.csv --json | sed -E 's/.*("valid_rmse": [^,]*).*/\1/'
"$SUGENO" train d.csv -t 'x(t+6),x(t)' --budget 0.3 --quiet --json | grep -o '"valid_rmse": [^,]*'

for option in "--valid few.csv" "--valid-fraction 0.2" "--patience 5" "--refit 0.1" "--consequents lse" "--checkpoint ck" "--mfs 3"; do
    # shellcheck disable=SC2086 # two words
    run train d.csv $option
done
run cv d.csv --preset auto-ensemble --patience 5
ls
