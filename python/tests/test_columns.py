"""Tests of column types, which are the same for frames and files, and of unusual inputs."""
import subprocess
import sys
import warnings

import numpy as np
import pytest

from sugeno import SugenoRegressor

QUICK = dict(preset="mbgd-rda", rules=4, iters=30)


@pytest.fixture(scope="module")
def table():
    """Columns of numbers, text and identifiers."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    words = rng.choice(["red", "green", "NA"], 200)
    a = rng.normal(size=200)
    return pandas.DataFrame({"a": a, "id": [f"k{i}" for i in range(200)], "word": words, "t": a + (words == "red") + 0.1 * rng.normal(size=200)})


def left_out(call):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model = call()
    return model, [str(w.message) for w in said if "left out" in str(w.message)]


def test_frames_are_taken_as_files_are(table, tmp_path):
    table.to_csv(tmp_path / "t.csv", index=False)
    by_file, file_warnings = left_out(lambda: SugenoRegressor(**QUICK).fit(tmp_path / "t.csv", "t"))
    by_frame, frame_warnings = left_out(lambda: SugenoRegressor(**QUICK).fit(table, "t"))
    assert by_frame.model_.inputs == by_file.model_.inputs == ["a", "word"]
    assert file_warnings == frame_warnings == ["left out identifiers: id"]
    assert by_frame.model_.levels(1) == by_file.model_.levels(1) and "NA" not in by_frame.model_.levels(1)
    X = table.drop(columns="t")
    assert np.array_equal(by_frame.predict(X), by_file.predict(tmp_path / "t.csv"))
    assert np.array_equal(by_frame.predict(X.assign(id=[[1]] * 200)), by_frame.predict(X))  # dropped columns may contain anything


def test_options_about_columns(table):
    X, y = table.drop(columns=["t"]), table["t"]
    assert SugenoRegressor(**QUICK, categorical="id").fit(X, y).model_.inputs == ["a", "id", "word"]
    halves = X.assign(a=np.round(X["a"]))
    model = left_out(lambda: SugenoRegressor(**QUICK, categorical=["a"]).fit(halves, y))[0]
    assert {"0", "1", "-1"} <= set(model.model_.levels(0))
    with pytest.raises(ValueError, match=r'row \d+, column "word": ".*" is not a number'):
        SugenoRegressor(**QUICK, numeric="word").fit(X, y)
    with pytest.raises(ValueError, match='ignore: there is no column "zz"'):
        SugenoRegressor(**QUICK, ignore="zz").fit(X, y)
    gaps = X[["a"]].assign(b=np.where(np.arange(200) % 5 == 0, -999.0, np.arange(200)))
    same = gaps.assign(b=gaps["b"].replace(-999.0, np.nan))
    a, b = SugenoRegressor(**QUICK, missing="-999").fit(gaps, y), SugenoRegressor(**QUICK).fit(same, y)
    assert np.array_equal(a.predict(gaps), b.predict(same))


def test_odd_columns(table):
    pandas = pytest.importorskip("pandas")
    y = table["t"]
    gaps = pandas.DataFrame({"a": pandas.Series([pandas.NA, 1, 2.5, None] * 50, dtype=object), "b": np.arange(200.0)})
    plain = gaps.assign(a=[np.nan, 1, 2.5, np.nan] * 50)
    assert np.array_equal(SugenoRegressor(**QUICK).fit(gaps, y).predict(gaps), SugenoRegressor(**QUICK).fit(plain, y).predict(plain))
    truths = pandas.DataFrame({"a": table["a"], "b": pandas.Categorical([True, False] * 100)})
    model = SugenoRegressor(**QUICK).fit(truths, y + [3, 0] * 100)
    assert np.array_equal(model.predict(truths), model.predict(truths.assign(b=[True, False] * 100)))
    with pytest.raises(ValueError, match='column "c" contains neither numbers nor text'):
        SugenoRegressor(**QUICK).fit(gaps.assign(c=[[1]] * 200), y)
    with pytest.raises(ValueError, match="dates are dropped"):
        SugenoRegressor(**QUICK).fit(pandas.DataFrame({"d": pandas.date_range("2020", periods=200)}), y)


def test_odd_arrays(waves):
    X, y = waves
    with pytest.raises(ValueError, match="X contains dates"):
        SugenoRegressor(**QUICK).fit(np.full((300, 2), np.datetime64("2020-01-01")), y)
    hidden = np.ma.masked_where(X > 1.5, X)
    gaps = np.where(X > 1.5, np.nan, X)
    assert np.array_equal(SugenoRegressor(**QUICK).fit(hidden, y).predict(hidden), SugenoRegressor(**QUICK).fit(gaps, y).predict(gaps))
    with pytest.raises(ValueError, match="masked"):
        SugenoRegressor(**QUICK).fit(X, np.ma.masked_where(y > 1, y))


class Bare:
    """A bare Arrow stream."""

    def __init__(self, of):
        self.of = of

    def __arrow_c_stream__(self, requested_schema=None):
        return self.of.__arrow_c_stream__(requested_schema)


def test_streams_of_any_kind(waves, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    dataset, parquet = pytest.importorskip("pyarrow.dataset"), pytest.importorskip("pyarrow.parquet")
    X, y = waves
    table = pyarrow.table({**{f"x{i}": X[:, i] for i in range(3)}, "y": y})
    expected = SugenoRegressor(**QUICK).fit(table, "y").predict(X)
    parquet.write_table(table, tmp_path / "t.parquet")
    on_disk = dataset.dataset(tmp_path / "t.parquet")
    for rows in (Bare(table), on_disk, on_disk.scanner()):
        model = SugenoRegressor(**QUICK).fit(rows, "y")
        assert list(model.feature_names_in_) == ["x0", "x1", "x2"]
        assert np.array_equal(model.predict(X), expected)
    assert np.array_equal(SugenoRegressor(**QUICK).fit(Bare(table.drop(["y"])), y).predict(X), expected)
    with pytest.raises(ValueError, match="struct"):
        SugenoRegressor(**QUICK).fit(table["y"], "y")


def test_validation_rows_of_another_kind(table, tmp_path):
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame({"a": table["a"], "b": table["a"] ** 2, "t": table["t"]})
    data[:150].to_csv(tmp_path / "t.csv", index=False)
    rest = data[150:]
    model = SugenoRegressor(**QUICK).fit(tmp_path / "t.csv", "t", eval_set=(rest[["a", "b"]], rest["t"]))
    again = SugenoRegressor(**QUICK).fit(data[:150], "t", eval_set=(rest, "t"))
    assert model.record_["valid_rows"] == again.record_["valid_rows"] == "50"
    assert np.array_equal(model.predict(rest[["a", "b"]]), again.predict(rest[["a", "b"]]))


def test_parts_of_one_row(waves):
    X, y = waves
    model = SugenoRegressor(**QUICK).partial_fit(X[:50], y[:50])
    before = model.predict(X)
    assert not np.array_equal(model.partial_fit(X[50:51], y[50:51]).predict(X), before)


def test_stopped_trainings_have_no_intervals(waves):
    """Intervals of complete trainings would be too narrow."""
    X, y = waves
    model = SugenoRegressor(preset="mbgd-rda", intervals=5, callbacks=lambda p: p.done >= 10).fit(X, y)
    assert not model.model_.has_intervals
    assert SugenoRegressor(preset="mbgd-rda", intervals=5, callbacks=lambda p: False).fit(X, y).model_.has_intervals


ABANDONED = """
import os, signal, threading, numpy as np
from sugeno import SugenoRegressor
X = np.random.default_rng(0).normal(size=(1_500_000, 6)); y = X[:, 0] * X[:, 1]
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    SugenoRegressor(preset="fcm-rda", rules=1000, threads=1).fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_exit_while_a_call_goes_on():
    done = subprocess.run([sys.executable, "-c", ABANDONED], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == "interrupted\n", done.stderr
