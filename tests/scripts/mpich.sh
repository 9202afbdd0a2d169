#!/bin/sh
# mpich.sh DATA.csv SUGENO: builds sugeno-mpi with MPICH. (make test builds it with Open MPI.) Two ranks must train the
# same model as the program SUGENO does alone. Unoptimised code compiles fast and must give the same results.
set -eu
cmake -S . -B build/mpich -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 \
    -DMPI_C_COMPILER=mpicc.mpich -DSUGENO_MPI=ON -DSUGENO_WERROR=ON >/dev/null
cmake --build build/mpich --target sugeno_mpi_cli -- --quiet
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
options="--preset mbgd-rda --iters 50 --batch 600 --valid-fraction 0.2 --quiet"
# shellcheck disable=SC2086 # a list of words
"$2" train "$1" $options -o "$dir/one.json" >/dev/null
# shellcheck disable=SC2086
timeout 60 mpiexec.mpich -n 2 build/mpich/sugeno-mpi train "$1" $options -o "$dir/two.json" >/dev/null
cmp "$dir/one.json" "$dir/two.json"
