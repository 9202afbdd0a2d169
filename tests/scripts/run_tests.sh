#!/bin/sh
# run_tests.sh RUN...: builds and runs each run (a test preset of CMakePresets.json) to its end, even
# if one before it failed, then prints the summary of all runs in build/results.
set -u
cd "$(dirname "$0")/../.." || exit
results=build/results
mkdir -p "$results"

# Sanitizers of this age need the classic address layout, which newer kernels randomise too far.
fixed_layout=
setarch -R true 2>/dev/null && fixed_layout="setarch -R"

run() {
    launcher=
    case $1 in asan | tsan) launcher=$fixed_layout ;; esac
    preset=$1 more=
    case $1 in release | valgrind) preset=release more="-DSUGENO_TESTS=ON -DSUGENO_MPI=ON" ;; esac
    echo "=== $1: build"
    # shellcheck disable=SC2086 # more is a list of words
    if ! { scripts/configure.sh "$preset" $more && $launcher cmake --build --preset "$1" -- --quiet; }; then
        echo "$1 0 1 0" >>"$results/counts"
        return
    fi
    echo "=== $1: test"
    junit=$PWD/$results/$1.xml
    rm -f "$junit"
    code=0
    $launcher ctest --preset "$1" -j "$(nproc)" --output-junit "$junit" || code=$?
    tests/scripts/count.sh "$1" "$code" "$junit" >>"$results/counts"
}

for name in "$@"; do
    run "$name"
done
exec tests/scripts/summary.sh "$results/counts"
