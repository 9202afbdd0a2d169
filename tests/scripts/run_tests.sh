#!/bin/sh
# run_tests.sh RUN...: builds and runs the test presets RUN (CMakePresets.json). A failure does not stop the runs after it.
# Prints a summary of all runs in build/results at the end.
set -u
cd "$(dirname "$0")/../.." || exit
results=build/results
mkdir -p "$results"

# The sanitizers of older compilers fail on kernels that randomise addresses more than they expect.
fixed_layout=
setarch -R true 2>/dev/null && fixed_layout="setarch -R"

# build RUN: builds what its tests need, and the program, for comparisons between builds.
build() {
    preset=$1 options=
    case $1 in release | valgrind | quick) preset=release options="-DSUGENO_TESTS=ON -DSUGENO_MPI=ON" ;; esac
    # shellcheck disable=SC2086 # options is a list of words
    scripts/configure.sh "$preset" $options &&
        $launcher cmake --build "build/$preset" --target test_programs sugeno_cli -- --quiet
}

run() {
    launcher=
    case $1 in asan | tsan) launcher=$fixed_layout ;; esac
    start=$(date +%s)
    junit=$PWD/$results/$1.xml
    rm -f "$junit"
    code=0
    echo "=== $1: build"
    if build "$1"; then
        echo "=== $1: test"
        $launcher ctest --preset "$1" -j "$(nproc)" --output-junit "$junit" || code=$?
    else
        code=1
    fi
    tests/scripts/count_test_results.sh "$1" "$code" "$junit" $(($(date +%s) - start)) >>"$results/counts"
}

for name in "$@"; do
    run "$name"
done
exec tests/scripts/print_test_summary.sh "$results/counts"
