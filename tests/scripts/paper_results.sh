#!/bin/sh
# paper_results.sh LIBRARY ROOT: recomputes a part of ROOT/paper/results.csv, which must be the same to the last bit.
set -eu
export SUGENO_LIBRARY="$1" PYTHONPATH="$2/python" PYTHONDONTWRITEBYTECODE=1
python=${PYTHON:-/usr/bin/python3}
if [ -z "${SUGENO_DATA:-}" ]; then
    echo "skipped: SUGENO_DATA does not name a folder of datasets"
    exit 77
fi
if ! "$python" -c "import numpy, sklearn, matplotlib" 2>/dev/null; then
    echo "skipped: $python lacks numpy, sklearn or matplotlib (scripts/setup.sh test installs them)"
    exit 77
fi
root=$2
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
recompute() { # EXPERIMENTS DATASETS ALGORITHMS
    "$python" "$root/paper/run.py" --data "$SUGENO_DATA" --check "$root/paper/results.csv" --out "$out" \
        --experiments "$1" --datasets "$2" --algorithms "$3"
}
recompute "curves drop adam" "pm10 housing" \
    "rr mbgd mbgd-r mbgd-d mbgd-rd mbgd-a mbgd-rda mbgd-rda-dropmf mbgd-rda-dropmembership mbgd-rd-adam"
recompute "curves one-hot unique" "powerplant wine-red abalone" "rr"
