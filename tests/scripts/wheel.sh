#!/bin/sh
# wheel.sh ROOT FOLDER: builds the source package and the wheel with tools from PyPI, installs the wheel into an empty
# environment, and runs the tests of the package there, with the newest versions of its dependencies, and mypy. Skipped
# with a message if PyPI cannot be reached.
set -eu
root=$(realpath "$1") folder=$2
python=${PYTHON:-/usr/bin/python3}
mkdir -p "$folder"
folder=$(realpath "$folder")
rm -rf "$folder/build" "$folder/use" "$folder/dist"
"$python" -m venv "$folder/build"
if ! timeout 300 "$folder/build/bin/pip" install -q --retries 1 --timeout 30 build >"$folder/pip.log" 2>&1; then
    echo "skipped: PyPI cannot be reached: $(tail -1 "$folder/pip.log")"
    exit 0
fi
(cd "$root" && "$folder/build/bin/python" -m build --outdir "$folder/dist" . >"$folder/wheel.log" 2>&1) || {
    tail -40 "$folder/wheel.log"
    exit 1
}
ls "$folder"/dist/*py3-none-*.whl # one wheel for all versions of Python
"$python" -m venv "$folder/use"
"$folder/use/bin/pip" install -q "$folder"/dist/*.whl
cd "$folder" # not in the source tree, which contains the package too
unset PYTHONPATH SUGENO_LIBRARY || true
"$folder/use/bin/python" - <<'END'
import numpy, sugeno
x = numpy.random.default_rng(0).normal(size=(200, 2))
model = sugeno.SugenoRegressor(budget=0.5).fit(x, x[:, 0] * x[:, 1])
assert model.score(x, x[:, 0] * x[:, 1]) > 0.5
assert "site-packages" in sugeno.__file__
END
"$folder/use/bin/pip" install -q pytest pandas matplotlib pyarrow polars duckdb tqdm mypy
export PYTHONDONTWRITEBYTECODE=1
"$folder/use/bin/python" -m pytest -q -p no:cacheprovider --rootdir "$root" -c "$root/pyproject.toml" -W ignore::UserWarning "$root/python/tests"
"$folder/use/bin/python" -m pytest -q -p no:cacheprovider --doctest-modules --pyargs sugeno
cp "$root/python/example.py" . && "$folder/use/bin/python" example.py >/dev/null
cd "$root" && "$folder/use/bin/mypy" --config-file pyproject.toml --cache-dir "$folder/mypy"
