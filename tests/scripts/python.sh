#!/bin/sh
# python.sh LIBRARY PROGRAM ROOT: runs the tests of the Python package with the system's interpreter and packages. Writes no
# files to the source tree.
set -eu
export SUGENO_LIBRARY="$1" SUGENO_PROGRAM="$2" PYTHONPATH="$3/python" PYTHONDONTWRITEBYTECODE=1
cd "$3"
python=${PYTHON:-/usr/bin/python3}
if ! "$python" -c "import numpy, sklearn, pytest" 2>/dev/null; then
    echo "skipped: $python lacks numpy, sklearn or pytest (scripts/setup.sh test installs Debian's)"
    exit 77
fi
"$python" -m pytest -q -p no:cacheprovider -W ignore::UserWarning
"$python" -m pytest -q -p no:cacheprovider --doctest-modules python/sugeno
"$python" python/example.py >/dev/null
