#!/bin/bash
# paper.sh PAPER EXAMPLES: the program that re-does the paper's experiments, on small tables and data of
# its own: what is missing, what is kept, stopping and going on, bad tables.
set -u
paper=$(realpath "$1")
series=$(realpath "$2")/mackey-glass.csv
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0
check() { # WHAT COMMAND...
    "${@:2}" || { echo "not so: $1"; failed=1; }
}
same() { cmp -s "$1" "$2"; }

mkdir data tables
head -201 "$series" >data/mg.csv
# A column of words, and a row that is there twice.
{
    echo "kind,a,b,y"
    awk 'BEGIN { for (i = 0; i < 60; i++) printf "%s,%.3f,%.3f,%.3f\n", i % 3 ? "one" : "two", sin(i), cos(3 * i), sin(i) * cos(i) }'
    echo "two,0.000,1.000,0.000"
} >data/words.csv
sum() { sha256sum "$1" | cut -d' ' -f1; }
cat >tables/datasets.csv <<END
name,label,file,target,features,words,rows,sha256,source,citation
mg,MG,mg.csv,x(t+6),x(t-18) x(t-12) x(t-6) x(t),,200,$(sum data/mg.csv),"made, here","nobody, 2026"
words,Words,words.csv,y,a b,kind,61,$(sum data/words.csv),here,"nobody, 2026"
gone,Gone,gone.csv,y,a b,,10,0,"a far place, http://example.org","nobody, 2026"
END
cat >tables/algorithms.csv <<END
name,label,settings
rr,RR,preset=rr
mbgd,MBGD,preset=mbgd
mbgd-rda,MBGD-RDA,preset=mbgd-rda
END
cat >tables/experiments.csv <<END
name,datasets,variant,algorithms,preprocessing,repeats,iterations,every
curves,*,,rr mbgd mbgd-rda,ours authors,3,20,1
one-hot,words,one-hot,rr mbgd-rda,ours,2,20,5
unique,words,unique,rr,ours,2,20,1
END
echo "dataset,algorithm,rmse_50,rmse_100,rmse_250,rmse_500,seconds" >tables/published.csv
cat >tables/claims.csv <<END
kind,name,place,sentence,question,a,b,number,of,how
claim,one,here,"RDA, of course",smaller,mbgd-rda,rr,2,2,
END
run() { "$paper" --data data --tables tables "$@" >out.txt 2>err.txt; }

# --- a first run, and the same again ---
run --out first --threads 1
check "a run with one file missing ends well" test $? = 0
check "the missing file is named with source and columns" \
    grep -q "data/gone.csv is missing. Source: a far place, http://example.org. Wanted: .*10 rows and the columns a b, y" err.txt
for f in RESULTS.md index.html results.csv finished.csv tables/claims.csv tables/claims.md \
    figures/mean.csv figures/mean.gp curves/ours/mg/mbgd-rda.csv curves/authors/words/mbgd.csv \
    curves/ours/words.one-hot/mbgd-rda.csv curves/ours/words.unique/rr.csv; do
    check "$f is written" test -s "first/$f"
done
if command -v gnuplot >/dev/null; then
    check "figures are drawn" test -s first/figures/mean.svg -a -s first/figures/mean.png
fi
check "20 iterations are in a curve" test "$(wc -l <first/curves/ours/mg/mbgd-rda.csv)" = 21
check "scored in every fifth" test "$(wc -l <first/curves/ours/words.one-hot/mbgd-rda.csv)" = 5
check "the preprocessings differ" \
    test "$(cut -d, -f2 first/curves/ours/mg/rr.csv)" != "$(cut -d, -f2 first/curves/authors/mg/rr.csv)"
run --out second --threads 3
check "three threads give the same results" same first/results.csv second/results.csv
before=$(stat -c %Y.%i first/curves/*/*/*.csv)
cp first/results.csv kept.csv
run --out first
check "nothing is computed twice" test "$before" = "$(stat -c %Y.%i first/curves/*/*/*.csv)"
check "what was kept gives the same results" same first/results.csv kept.csv

run --out first --publish published
check "an incomplete run is not published" grep -q "not published: 6 of its parts can't be run" err.txt
check "nor begun" test ! -e published
rm first/curves/ours/words.unique/rr.csv
before=$(stat -c %Y.%i first/curves/*/*/*.csv)
run --out first --experiments unique
rm first/curves/ours/words.unique/rr.csv
run --out first --threads 1
rm first/curves/ours/words.unique/rr.csv
check "a part leaves the others alone" test "$before" = "$(stat -c %Y.%i first/curves/*/*/*.csv)"
run --out first

# --- damage ---
head -c 500 first/curves/ours/mg/mbgd.csv >cut && mv cut first/curves/ours/mg/mbgd.csv
sed -i 's/^ours.mg.rr,./ours\/mg\/rr,x/' first/finished.csv # another key
run --out first
check "a damaged part is computed again" same first/curves/ours/mg/mbgd.csv second/curves/ours/mg/mbgd.csv
check "damage leaves no trace" same first/results.csv kept.csv
echo rubbish >first/finished.csv
run --out first
check "a list that is rubbish is a first run" same first/results.csv kept.csv

# --- check ---
run --out first --check kept.csv
check "equal results pass" test $? = 0
check "and it says so" grep -q "^15 results compared with kept.csv: 0 differ$" out.txt
sed 's/^\(ours.mg.rr,3,1,\)[0-9.]*/\10.5/' kept.csv >wrong.csv
run --out first --check wrong.csv
check "a changed result fails" test $? = 1
check "and is named" grep -q "^ours/mg/rr: rmse_50 is [0-9.]*, was 0.5$" out.txt
run --out first --experiments unique --check kept.csv
check "a part can be checked" test $? = 0
check "and only that" grep -q "^1 results compared" out.txt
grep -v one-hot kept.csv >fewer.csv
run --out first --check fewer.csv
check "a result that is not in the table fails" test $? = 1
(cat kept.csv && echo "ours/mg/none,3,1,1,1,1,1,1,1") >more.csv
run --out first --check more.csv
check "a result that was not made fails" test $? = 1
check "and is counted" grep -q "; 1 of it were not run" out.txt

# --- stopped and started again ---
sed 's/3,20,1/3,2000,1/' tables/experiments.csv >tmp && mkdir long && cp tables/* long && mv tmp long/experiments.csv
"$paper" --data data --tables long --out whole 2>err.txt >out.txt
"$paper" --data data --tables long --out broken 2>err.txt &
while [ "$(wc -l 2>/dev/null <broken/finished.csv || echo 0)" -lt 2 ]; do sleep 0.01; done
kill -INT $!
wait $!
check "Ctrl-C ends with 1" test $? = 1
check "and says how to go on" grep -q "stopped; the same command goes on" err.txt
check "no report of half a run" test ! -e broken/RESULTS.md
"$paper" --data data --tables long --out broken 2>err.txt >out.txt
check "the rest ends as a whole run does" same whole/results.csv broken/results.csv

# --- support vectors ---
cp -r tables vectors && echo "svr,SVR,preset=rr svr=search" >>vectors/algorithms.csv
echo "svr,mg,,svr,ours,2,1,1" >>vectors/experiments.csv
"$paper" --data data --tables vectors --out vectors 2>err.txt >out.txt
check "they don't stop the others" same vectors/results.csv kept.csv
if ! grep -q "no LIBSVM" err.txt; then
    check "they learn something" awk -F, 'NR == 2 { bad = !($2 > 0 && $2 < 0.1) } END { exit bad }' \
        vectors/curves/ours/mg/svr.csv
fi

# --- what a result depends on ---
cp -r tables fewer && sed -i 's/x(t-18) x(t-12)/x(t-12)/' fewer/datasets.csv
"$paper" --data data --tables fewer --out first 2>err.txt >out.txt
check "other features give other results" \
    test "$(grep ours/mg/mbgd-rda first/results.csv)" != "$(grep ours/mg/mbgd-rda kept.csv)"
cp -r tables diverge && echo "wild,Wild,preset=mbgd-rda optim=sgd rate=1e5" >>diverge/algorithms.csv
echo "wild,mg,,wild,ours,2,20,20" >>diverge/experiments.csv
"$paper" --data data --tables diverge --out wild --experiments wild 2>err.txt >out.txt
check "a diverged run has the error of its last parameters" \
    awk -F, '/wild/ { bad = !($4 > 0.01) } END { exit bad }' wild/results.csv

# --- a dataset that is not the one ---
sed -i 's/^0.9/0.8/' data/mg.csv
run --out first
check "another file is used, with a notice" grep -q "mg.csv is not the file that the checked-in" err.txt
head -100 data/mg.csv >data/short.csv && mv data/short.csv data/mg.csv
run --out first
check "a short file is left out" grep -q "data/mg.csv: it has 99 rows, not 200" err.txt

# --- wrong usage ---
wrong() { # STATUS MESSAGE ARGUMENTS...
    "$paper" "${@:3}" >out.txt 2>err.txt
    check "status $1 for ${*:3}" test $? = "$1"
    check "message \"$2\"" grep -q -- "$2" err.txt
}
wrong 2 "name the folder of the datasets: make paper DATA=FOLDER" --out x
wrong 2 "name the folder" --data ""
wrong 2 "there is no option --dta; see paper --help" --dta x
wrong 2 "--threads takes a whole number from 1 to 1000" --data data --threads 0
wrong 2 '--experiments: there is nothing called "curvse"' --data data --tables tables --experiments curvse
wrong 2 '--preprocessing: there is nothing called "theirs"' --data data --tables tables --preprocessing theirs
wrong 2 'these limits leave nothing to run' --data data --tables tables --experiments unique --datasets mg
wrong 2 'only a whole run is published' --data data --tables tables --experiments unique --publish x
wrong 1 'none.csv: No such file' --data data --tables tables --check none.csv
wrong 2 "--data takes a value" --data
wrong 1 "nowhere/datasets.csv: No such file" --data data --tables nowhere --out x
wrong 1 "empty holds none of the datasets" --data empty --tables tables --out x
cp -r tables bad && echo 'mbgd,"MBGD' >>bad/algorithms.csv
wrong 1 'bad/algorithms.csv:5: 2 fields where the header has 3' --data data --tables bad --out x
cp tables/* bad && sed -i 's/rr mbgd /rr mgbd /' bad/experiments.csv
wrong 1 'bad/experiments.csv:2: bad/algorithms.csv has no "mgbd"' --data data --tables bad --out x
cp tables/* bad && sed -i 's/3,20,1/3,-20,1/' bad/experiments.csv
wrong 1 'bad/experiments.csv:2: "-20" is no number of iterations' --data data --tables bad --out x
cp tables/* bad && sed -i 's/preset=mbgd$/preset=mbdg/' bad/algorithms.csv
wrong 2 'mbdg' --data data --tables bad --out x
cp tables/* bad && sed -i 's/ours authors/ours both/' bad/experiments.csv
wrong 1 'bad/experiments.csv:2: preprocessing is ours, authors or both, not "ours both"' --data data --tables bad --out x
cp tables/* bad && sed -i 's/,smaller,/,smalller,/' bad/claims.csv
wrong 1 'bad/claims.csv:2: there is no question "smalller"' --data data --tables bad --out x
cp tables/* bad && sed -i 's/,2,2,/,2,2,exact/' bad/claims.csv
wrong 1 'bad/claims.csv:2: how can.t be "exact"' --data data --tables bad --out x
cp tables/* bad && sed -i 's/mbgd-rda,rr,2/mbgd-rda,ridge,2/' bad/claims.csv
wrong 1 'bad/claims.csv:2: there is no algorithm "ridge"' --data data --tables bad --out x
check "--help" grep -q "^usage: paper --data FOLDER" <("$paper" --help)
exit $failed
