#!/bin/sh
# train_models.sh SUGENO EXAMPLES OUT: trains models of all kinds for the tests: OUT/NAME.json, data in OUT/NAME.csv, predictions of the
# command line in OUT/NAME.predicted.csv, the report in OUT/NAME.html. NAMES limits them.
set -eu
sugeno=$1 series=$2/mackey-glass.csv out=$3
mkdir -p "$out"

# few ROWS: the beginning of the series.
few() { head -n "$(($1 + 1))" "$series"; }
# words ROWS: two targets, a category, missing numbers, names that look like markup.
words() {
    awk -v n="$1" 'BEGIN {
        print "kind,<script>alert(1)</script>,b & \"quotes\",weight,y,<b>z</b>"
        split("oak,ash,<!-- elm,pine", kind, ",")
        for (i = 0; i < n; i++) {
            a = i % 13 + i % 7 / 7; b = i * 5 % 17 / 3
            k = i % 11 == 3 ? "" : kind[i % 4 + 1]; shown = i % 9 == 4 ? "" : a
            print k "," shown "," (i % 15 == 7 ? "NA" : b) "," 1 + i % 3 "," 2 * a - b + (i % 4) * 1.5 + sin(a) "," a * b / 9 - (i % 4)
        }
    }' | sed 's/^kind,\(.*\),b & "quotes",/"kind","\1","b \& ""quotes""",/'
}
# wide ROWS INPUTS: many inputs with names of 60 characters.
wide() {
    awk -v n="$1" -v m="$2" 'BEGIN {
        for (k = 1; k <= m; k++) printf "mean_temperature_of_the_outer_casing_near_sensor_number_%04d,", k
        print "specific_energy_consumption_of_the_whole_line_per_tonne_made"
        seed = 7
        for (i = 0; i < n; i++) {
            y = 0
            for (k = 1; k <= m; k++) {
                seed = (seed * 16807) % 2147483647; x = seed / 2147483647
                y += k == 1 ? 3 * sin(5 * x) : k < 6 ? x * x * k / 3 : x / k
                printf "%.5f,", 100 * x
            }
            printf "%.6f\n", 400 + 10 * y
        }
    }'
}
# offset ROWS: numbers with small relative differences, and a very small target.
offset() {
    awk -v n="$1" 'BEGIN {
        print "year,pressure,mean_temperature_of_the_outer_casing_near_sensor_number_0007,y,small"
        for (i = 0; i < n; i++) {
            p = i * 37 % 101 / 101 - 0.5; year = 2000 + i * 7 % 25; t = i * 11 % 17
            printf "%d,%.4f,%d,%.6f,%.6e\n", year, 101325 + p, t, 1000000 + (p * p + (year - 2012) / 100 + sin(i) / 50) / 3, (p + t / 9 - 1.2) * 1e-9
        }
    }'
}
three() { awk -v n="$1" 'BEGIN { print "a,b,c,y"; for (i = 0; i < n; i++) { a = i % 7; b = i * 5 % 11; c = i * 3 % 13 / 4; print a "," b "," c "," a * a / 4 - b + sin(c) } }'; }

# wood ROWS: two targets, a category with unlisted levels, missing values, values outside and on the knots of the models below.
wood() {
    awk -v n="$1" 'BEGIN {
        print "age,wood,water,y,z"
        split("oak,ash,elm,oak", wood, ",")
        for (i = 0; i < n; i++) {
            age = i % 9 == 5 ? "" : i % 5 == 2 ? 28 : i * 37 % 101 - 3 + i % 7 / 7
            water = i % 12 == 7 ? "NA" : 118 + i * 29 % 140 + i % 3 / 3
            print age "," (i % 8 == 6 ? "" : wood[i % 4 + 1]) "," water "," 36 + i % 13 "," i % 5 - 2
        }
    }'
}
# A monotone curve, and limits of the predictions.
curves() {
    cat <<'END'
{"kind": "sugeno model", "format": 2,
 "inputs": [{"name": "age", "low": 1, "high": 100, "mean": 45.7}, {"name": "wood", "levels": ["oak", "ash"], "shares": [0.6, 0.3]},
            {"name": "water", "low": 120, "high": 250, "mean": 181}],
 "targets": [{"name": "y", "mean": 35.8, "scale": 1, "y0": 0, "low": 18.1, "high": 60}],
 "antecedents_see": [], "blocks": [],
 "curves": [{"input": 0, "monotone": "+", "knots": [1, 7, 28, 90.5], "then": [[-18.3, -7.1, 2.385, 9.9]], "missing": [-2.1]},
            {"input": 2, "knots": [121, 181.7], "then": [[12.5, -9.61]], "missing": [0]}], "training": {"curve": []}}
END
}
# Two targets, a category with other levels, pairs of numbers and of a number and a category.
pairs() {
    cat <<'END'
{"kind": "sugeno model", "format": 2,
 "inputs": [{"name": "age", "low": 1, "high": 100, "mean": 45.7}, {"name": "wood", "levels": ["oak", "ash"], "others": true, "shares": [0.5, 0.25, 0.25]},
            {"name": "water", "low": 120, "high": 250, "mean": 181}],
 "targets": [{"name": "y", "mean": 35.8, "scale": 1, "y0": 0}, {"name": "z", "mean": -2.25, "scale": 1.7, "y0": 0.3}],
 "antecedents_see": [], "blocks": [],
 "curves": [{"input": 2, "monotone": "-", "knots": [121, 133.3, 160, 181.7, 240], "then": [[12.5, 3.1, 3.1, -1.7, -9.61], [0.7, 0.7, 0.1, -0.3, -0.4]],
             "missing": [0.83, -0.11], "terms": [0, 2, 4]},
            {"input": 1, "then": [[-1.5, 0.47, 1.25], [0.1, 0.2, -0.3]], "missing": [0.7, 0.9], "terms": [0, 1, 2]},
            {"input": 0, "knots": [1, 7, 28, 90.5], "then": [[-18.3, -7.1, 2.4, 1.9], [-1, -0.53, 0, 0.31]], "missing": [-2.1, 0.3], "terms": [1, 2]}],
 "pairs": [{"curves": [2, 0], "then": [[[0.31, 0.2, -0.37], [0.4, 0.39, 0.1]], [[0.2, 0.07, 0], [0.12, 0.1, -0.03]]]},
           {"curves": [1, 2], "then": [[[0.11, -0.23], [0.4, 0.3], [-0.5, 0.6]], [[0.01, 0], [-0.1, 0.03], [0.1, 0.2]]]}], "training": {"curve": []}}
END
}
# both MODEL: the model of the function three with a curve and a pair added.
both() {
    awk '/"format": 1,/ { sub(/1/, "2") }
         /^  "training":/ {
             print "  \"curves\": [{\"input\": 1, \"knots\": [0, 3.5, 9], \"then\": [[0.25, -0.5, 1.385]], \"missing\": [0.1], \"terms\": [0, 2]},"
             print "             {\"input\": 0, \"knots\": [1, 2.9], \"then\": [[-0.31, 0.77]], \"missing\": [0], \"terms\": [0, 1]}],"
             print "  \"pairs\": [{\"curves\": [0, 1], \"then\": [[[0.125, -0.3], [0.07, 0.21]]]}],"
         } 1' "$1"
}

# make NAME OPTIONS...: trains on OUT/NAME.csv
make() {
    name=$1
    shift
    case " ${NAMES:-$name} " in *" $name "*) ;; *) return 0 ;; esac
    "$sugeno" train "$out/$name.csv" --preset mbgd-rda --iters 60 --quiet "$@" -o "$out/$name.json" >/dev/null
    finish "$name"
}
finish() {
    "$sugeno" predict "$out/$1.json" "$out/$1.csv" --quiet -o "$out/$1.predicted.csv"
    "$sugeno" report "$out/$1.json" "$out/$1.csv" --quiet -o "$out/$1.html" >/dev/null
}

for name in grid gbell tri trap pca cluster ensemble; do few 300 >"$out/$name.csv"; done
for name in words effects; do words 400 >"$out/$name.csv"; done
wide 500 30 >"$out/wide.csv"
three 300 >"$out/three.csv"
few 1000 >"$out/few.csv"
offset 300 >"$out/offset.csv"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do cat "$out/few.csv"; done | awk 'NR == 1 || !/^x/' >"$out/many.csv" # more rows than a page can hold

make grid --valid-fraction 0.2
make gbell --mf gbell --mfs 3,2,1,2
make tri --mf tri --clip 0.1
make trap --mf trap --limit range
make pca --pca 2
make cluster --rules 12 --mf gauss-a --scale quantile --low-rank 2 --firing mean
make words --targets 'y,<b>z</b>' --rules 6 --weights weight
make effects --targets y --rules 5 --mf gauss-a --effects all --ignore weight --scale quantile
make wide --rules 64 --iters 300 --pca 0
make three --mfs 2,2,1
make offset --targets y,small --rules 8 --mf gauss-a --target zscore --intervals 5
make many
make ensemble --preset auto-ensemble --budget 2

# additive NAME OPTIONS...: an additive model, trained on OUT/NAME.csv
additive() {
    name=$1
    shift
    case " ${NAMES:-$name} " in *" $name "*) ;; *) return 0 ;; esac
    "$sugeno" train "$out/$name.csv" --quiet "$@" -o "$out/$name.json" >/dev/null
    finish "$name"
}
words 400 >"$out/terms.csv"
additive terms --preset additive-pairs --targets '<b>z</b>' --ignore weight,y --monotone '<script>alert(1)</script>:+' \
    --pairs 'kind:b & "quotes",b & "quotes":<script>alert(1)</script>'

# write NAME COMMAND...: the model that the command prints, with the data in OUT/NAME.csv
write() {
    name=$1
    shift
    case " ${NAMES:-$name} " in *" $name "*) ;; *) return 0 ;; esac
    "$@" >"$out/$name.json"
    finish "$name"
}
for name in curves pairs; do wood 300 >"$out/$name.csv"; done
cp "$out/three.csv" "$out/both.csv"
write curves curves
write pairs pairs
[ ! -e "$out/three.json" ] || write both both "$out/three.json"
