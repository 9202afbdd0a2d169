#!/bin/sh
# scaling.sh BUILD OUT [STAGE...]: runs bench/scaling/run.py and writes OUT/scaling.csv, OUT/scaling.md and OUT/figures. UPDATE=1:
# bench/scaling.csv, docs/scaling.md and docs/figures/scaling instead.
set -eu
here=$(dirname "$0") build=$1 out=$2
shift 2
python=${PYTHON:-/usr/bin/python3} # has Debian's modules
mkdir -p "$out"
table=$out/scaling.csv page=$out/scaling.md figures=$out/figures
if [ -n "${UPDATE:-}" ]; then
    table=$here/scaling.csv page=$here/../docs/scaling.md figures=$here/../docs/figures/scaling
fi
"$python" "$here/scaling/run.py" "$build" "$table" "$@"
"$python" "$here/scaling/report.py" "$table" "$page" "$figures"
