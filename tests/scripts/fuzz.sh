#!/bin/sh
# fuzz.sh SECONDS: runs each fuzz target for so long, as many at a time as there are cores. What they
# find interesting is kept in build/fuzz/corpus and used again, crashes are in build/fuzz/artifacts:
# turn one into a file of tests/fuzz/corpus/<name> once it is mended.
set -eu
seconds=${1:-60}
cd "$(dirname "$0")/../.."

fuzz_one() {
    name=$1
    mkdir -p "build/fuzz/corpus/$name"
    dictionary=
    [ ! -e "tests/fuzz/$name.dict" ] || dictionary=-dict=tests/fuzz/$name.dict
    # libFuzzer writes to the first folder and only reads the second.
    if "build/fuzz/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="build/fuzz/artifacts/$name-" -print_final_stats=1 $dictionary \
        "build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" >"build/fuzz/logs/$name" 2>&1; then
        awk -v name="$name" '/number_of_executed_units/ { print "fuzz " name ": " $2 " inputs, no crash" }' \
            "build/fuzz/logs/$name"
    else
        tail -n 60 "build/fuzz/logs/$name"
        echo "fuzz $name: failed; the input is in build/fuzz/artifacts"
        return 1
    fi
}

if [ -n "${2:-}" ]; then # called by the last line
    fuzz_one "$2"
    exit
fi
scripts/configure.sh fuzz
cmake --build --preset fuzz -- --quiet
mkdir -p build/fuzz/artifacts build/fuzz/logs
found=$(ls tests/fuzz/fuzz_*.c)
echo "$found" | sed 's|.*/fuzz_\(.*\)\.c|\1|' | xargs -n 1 -P "$(nproc)" tests/scripts/fuzz.sh "$seconds"
