#!/bin/sh
# paper.sh LIBRARY ROOT: tests of the program that repeats the experiments of the paper (ROOT/paper), with the system's
# Python and packages.
set -eu
export SUGENO_LIBRARY="$1" PYTHONPATH="$2/python" PYTHONDONTWRITEBYTECODE=1
python=${PYTHON:-/usr/bin/python3}
if ! "$python" -c "import numpy, sklearn, matplotlib, pytest" 2>/dev/null; then
    echo "skipped: $python lacks numpy, sklearn, matplotlib or pytest (scripts/setup.sh test installs them)"
    exit 77
fi
"$python" -m pytest -q -p no:cacheprovider "$2/tests/paper"
