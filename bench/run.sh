#!/bin/sh
# run.sh BENCH OUT [--quick]: runs the program BENCH with all installed peers, and writes
# OUT/results.csv, OUT/performance.md and OUT/figures. UPDATE=1 also updates the files in the repository.
set -eu
here=$(dirname "$0")
bench=$1 out=$2
shift 2
python=${PYTHON:-/usr/bin/python3} # has Debian's modules
mkdir -p "$out"

# NumPy and PyTorch use OpenBLAS, even if it is not the system's default.
blas=
for folder in /usr/lib/*/openblas-*/; do
    [ -e "$folder/libblas.so.3" ] && blas="env LD_LIBRARY_PATH=$folder"
done

for peer in numpy torch trees; do
    set -- "$@" --peer "$blas $python $here/peers/${peer}_peer.py"
done
if c++ -O3 -DNDEBUG -std=c++17 "$here/peers/fuzzylite_peer.cpp" -lfuzzylite -o "$out/fuzzylite_peer" 2>"$out/fuzzylite.log"; then
    set -- "$@" --peer "$out/fuzzylite_peer"
else
    echo "bench: skipped: fuzzylite is not installed" >&2
fi

"$bench" --check
"$bench" --out "$out" "$@"
"$python" "$here/report.py" "$out/results.csv" "$out/performance.md" "$out/figures"
if [ -n "${UPDATE:-}" ]; then
    cp "$out/results.csv" "$here/results.csv"
    "$python" "$here/report.py" "$here/results.csv" "$here/../docs/performance.md" "$here/../docs/figures"
fi
