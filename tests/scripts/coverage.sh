#!/bin/sh
# coverage.sh: runs the tests with --coverage and prints the share of covered lines for each source file.
set -eu
cd "$(dirname "$0")/../.."
scripts/configure.sh coverage
cmake --build --preset coverage -- --quiet
find build/coverage -name '*.gcda' -delete
ctest --preset coverage -j "$(nproc)" >build/coverage/log || { tail -n 40 build/coverage/log; exit 1; }

# gcov -n prints the name of a file and, on the next line, its coverage. Skip all but our sources.
find build/coverage/CMakeFiles -name '*.gcda' -exec gcov -n {} + 2>/dev/null |
    awk -v root="$PWD/" '
    /^File / { file = $2; gsub("\047", "", file); sub("^" root, "", file); next }
    /^Lines executed/ && file ~ /^(src|cli)\/.*\.c$/ {
        split($0, part, /[:% ]+/)
        share[file] = part[3]; lines[file] = $NF
    }
    { file = "" }
    END {
        for (f in lines) {
            printf "%6.1f %% of %5d  %s\n", share[f], lines[f], f | "sort -k 5"
            hit += share[f] / 100 * lines[f]; all += lines[f]
        }
        close("sort -k 5")
        if (all) printf "%6.1f %% of %5d  all\n", 100 * hit / all, all
    }'
