#!/bin/sh
# fuzz.sh SECONDS: runs each fuzz target for this long, one per core at a time. New inputs that reach new code are kept in
# build/fuzz/corpus for the next run. Inputs that crash are in build/fuzz/artifacts: when the fault is fixed, add them to
# tests/fuzz/corpus/<name>.
set -eu
seconds=${1:-60}
cd "$(dirname "$0")/../.."

fuzz_one() {
    name=$1
    mkdir -p "build/fuzz/corpus/$name"
    dictionary=
    [ ! -e "tests/fuzz/$name.dict" ] || dictionary=-dict=tests/fuzz/$name.dict
    # libFuzzer writes to the first folder and reads both.
    if "build/fuzz/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
        -artifact_prefix="build/fuzz/artifacts/$name-" -print_final_stats=1 $dictionary \
        "build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" >"build/fuzz/logs/$name" 2>&1; then
        awk -v name="$name" '/number_of_executed_units/ { print "fuzz " name ": no failure in " $2 " inputs" }' \
            "build/fuzz/logs/$name"
    else
        tail -n 60 "build/fuzz/logs/$name"
        echo "fuzz $name: failed. The input is in build/fuzz/artifacts."
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
