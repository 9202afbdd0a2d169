"""Tests of fit and predict: arrays, frames, streams, files, options, and the same bytes as the command line."""
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sugeno
from sugeno import SugenoRegressor

QUICK = dict(preset="mbgd-rda", rules=6, iters=100)


# --- options ---


def test_keywords_are_the_options_table():
    """_parameters.py is up to date, and the keywords are the options plus three."""
    from sugeno._library import options_table

    names = {o.name.decode().replace("-", "_") for o in options_table()}
    assert set(SugenoRegressor().get_params()) == names | {"random_state", "verbose", "callbacks"}
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    script = Path(__file__).parents[1] / "parameters.py"
    spec = spec_from_file_location("parameters", script)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PATH.read_text() == module.text()


@pytest.mark.parametrize("option, value, words", [
    ("keep", 2.0, "keep"), ("preset", "nonsense", "preset"), ("mfs", [2, -1], "mfs"), ("memory", "much", "memory"),
    ("valid_fraction", 1.5, "valid-fraction")])
def test_a_wrong_value_is_a_sentence(waves, option, value, words):
    with pytest.raises(ValueError, match=words):
        SugenoRegressor(**{**QUICK, option: value}).fit(*waves)


def test_values_are_told_as_the_table_wants_them(waves):
    model = SugenoRegressor(preset="mbgd-rda", mfs=[2, 3, 1], keep=np.float32(0.5), iters=np.int64(50), l2=1e-3).fit(*waves)
    record = model.record_
    assert record["mfs"] == "2,3,1" and record["keep"] == "0.5" and record["iters"] == "50" and record["l2"] == "0.001"


def test_random_state(waves):
    X, y = waves
    one = SugenoRegressor(**QUICK, random_state=5).fit(X, y).model_.to_text()
    assert one == SugenoRegressor(**QUICK, seed=5).fit(X, y).model_.to_text()
    assert one != SugenoRegressor(**QUICK, random_state=6).fit(X, y).model_.to_text()
    state = np.random.RandomState(1)
    assert SugenoRegressor(**QUICK, random_state=state).fit(X, y).record_["seed"] != "0"
    assert SugenoRegressor(**QUICK, random_state=np.random.default_rng(1)).fit(X, y).record_["seed"] != "0"


# --- arrays ---


@pytest.mark.parametrize("change", [
    np.asfortranarray, lambda a: a[::1, :], lambda a: np.ascontiguousarray(a)[::-1][::-1], lambda a: a.astype(">f8"), lambda a: a.tolist(),
    lambda a: np.lib.stride_tricks.as_strided(np.repeat(a, 2, axis=1)[:, ::2], a.shape)])
def test_layouts_give_the_same_bits(waves, change):
    X, y = waves
    plain = SugenoRegressor(**QUICK).fit(X, y)
    other = SugenoRegressor(**QUICK).fit(change(X), y)
    assert plain.model_.to_text() == other.model_.to_text()
    assert np.array_equal(plain.predict(X), plain.predict(change(X)))


@pytest.mark.parametrize("kind", ["f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "f2", "longdouble", "?"])
def test_types(waves, kind):
    X, y = waves
    x = np.rint(np.abs(X) * 3).astype(kind)
    wide = x.astype(float)
    model = SugenoRegressor(**QUICK).fit(x, y)
    assert model.model_.to_text() == SugenoRegressor(**QUICK).fit(wide, y).model_.to_text()
    assert np.array_equal(model.predict(x), model.predict(wide))


def test_no_copy_is_made(waves):
    """A matrix is read in place: changing it changes the prediction of the same rows."""
    from sugeno._rows import frame, of_matrix

    X = np.array(waves[0])
    model = SugenoRegressor(**QUICK).fit(*waves)
    rows = frame(of_matrix(X, model._names), len(X))
    before = model.model_.predict(rows).copy()
    X[:] = X[::-1].copy()
    assert np.array_equal(model.model_.predict(rows)[:, 0], before[::-1, 0])


def test_infinities_and_missing_values(waves):
    X, y = (a.copy() for a in waves)
    X[::7, 1] = np.nan
    model = SugenoRegressor(**QUICK).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    X[10, 2] = -np.inf
    for call in (lambda: model.predict(X), lambda: SugenoRegressor(**QUICK).fit(X, y), lambda: model.predict(np.asfortranarray(X))):
        with pytest.raises(ValueError, match='row 11, column "x2": expected a finite number, got infinity'):
            call()
    y[3] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        SugenoRegressor(**QUICK).fit(waves[0], y)


def test_several_targets(waves):
    X, y = waves
    Y = np.column_stack([y, -y, y * y])
    model = SugenoRegressor(**QUICK).fit(X, Y)
    assert model.predict(X).shape == Y.shape
    assert model.model_.outputs == ["y0", "y1", "y2"]
    y_hat, lower, upper = SugenoRegressor(**QUICK, intervals=5).fit(X, Y).predict(X, return_interval=0.8)
    assert y_hat.shape == lower.shape == upper.shape == Y.shape and (lower <= upper).all()


def test_weights(waves):
    X, y = waves
    same = SugenoRegressor(**QUICK).fit(X, y, sample_weight=np.ones(len(y)))
    assert np.array_equal(same.predict(X), SugenoRegressor(**QUICK).fit(X, y).predict(X))
    w = np.where(X[:, 0] > 0, 1.0, 0.0)
    half = SugenoRegressor(**QUICK).fit(X, y, sample_weight=w)
    assert half.record_["rows"] == str(int(w.sum()))
    with pytest.raises(ValueError, match="weight"):
        SugenoRegressor(**QUICK).fit(X, y, sample_weight=-w)


def test_eval_set(waves):
    X, y = waves
    model = SugenoRegressor(**QUICK).fit(X[:200], y[:200], eval_set=(X[200:], y[200:]))
    assert model.record_["valid_rows"] == "100"
    assert any(np.isfinite(model.model_.curve()["valid"]))
    with pytest.raises(ValueError, match="cannot be used with the preset auto"):
        SugenoRegressor().fit(X, y, eval_set=[(X, y)])
    with pytest.raises(ValueError, match="expected one pair"):
        SugenoRegressor(**QUICK).fit(X, y, eval_set=X)


# --- frames and streams ---


@pytest.fixture(scope="session")
def mixed():
    """Columns of text, numbers and missing values, as lists."""
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue, dark"], 400)
    size = np.round(rng.normal(size=400), 3)
    gaps = np.where(rng.random(400) < 0.1, np.nan, rng.integers(0, 9, 400).astype(float))
    y = np.where(colour == "red", 2.0, -1.0) * size + np.nan_to_num(gaps) * 0.1
    return {"colour": colour.tolist(), "size": size.tolist(), "gaps": gaps.tolist()}, y


def pandas_frame(mixed, **types):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(mixed[0]).astype(types), pandas.Series(mixed[1], name="price, EUR")


def test_pandas(mixed):
    X, y = pandas_frame(mixed)
    model = SugenoRegressor(**QUICK).fit(X, y)
    assert list(model.feature_names_in_) == ["colour", "size", "gaps"] and model.model_.outputs == ["price, EUR"]
    assert "colour is" in model.rules()
    assert model.score(X, y) > 0.5
    as_category, _ = pandas_frame(mixed, colour="category")
    assert model.model_.to_text() == SugenoRegressor(**QUICK).fit(as_category, y).model_.to_text()
    nullable, _ = pandas_frame(mixed, gaps="Float64")
    assert np.array_equal(model.predict(X), model.predict(nullable))
    by_name = SugenoRegressor(**QUICK).fit(X.assign(price=y.to_numpy()), "price")
    assert np.array_equal(by_name.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[["size", "colour", "gaps"]])
    new = X.assign(colour="never seen")
    assert np.isfinite(model.predict(new)).all()


def test_pandas_dates_are_left_out(mixed):
    pandas = pytest.importorskip("pandas")
    X, y = pandas_frame(mixed)
    dated = X.assign(day=pandas.Timestamp("2020-01-01"), date=pandas.Timestamp("2020-01-01").date())
    with pytest.warns(UserWarning, match="left out dates: day, date"):
        model = SugenoRegressor(**QUICK).fit(dated, y)
    assert model.model_.inputs == ["colour", "size", "gaps"]
    assert np.array_equal(model.predict(dated), SugenoRegressor(**QUICK).fit(X, y).predict(X))


def test_places_and_names(waves, tmp_path):
    """Columns are identified by position if scikit-learn accepts their names; a model from a file finds them by name."""
    pandas = pytest.importorskip("pandas")
    X, y = waves
    named = pandas.DataFrame(X, columns=list("abc"))
    by_place = SugenoRegressor(**QUICK).fit(X, y)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        assert np.array_equal(by_place.predict(named), by_place.predict(X))
    assert np.array_equal(by_place.predict(pandas.DataFrame(X)), by_place.predict(X))
    more = named.assign(constant=1.0, word="w")
    model = SugenoRegressor(**QUICK).fit(more, y)
    model.save(tmp_path / "model.json")
    again = sugeno.load(tmp_path / "model.json")
    for frame in (more, named, more[["word", "c", "b", "a"]]):
        assert np.array_equal(again.predict(frame), model.predict(more))
    assert np.array_equal(again.predict(X), model.predict(more))
    with pytest.raises(ValueError, match='there is no column "a"'):
        again.predict(named.rename(columns={"a": "z"}))


def test_what_fails_leaves_it_as_it_was(waves):
    pandas = pytest.importorskip("pandas")
    X, y = waves
    frame = pandas.DataFrame(X, columns=list("abc"))
    model = SugenoRegressor(**QUICK).fit(frame, y)
    before = model.predict(frame)
    for wrong in (lambda: model.fit(frame.assign(d=1.0), np.full((300, 2), np.nan)), lambda: model.fit(frame.assign(d=2.0), "no such"),
                  lambda: model.partial_fit(frame, np.c_[y, y]), lambda: model.fit(frame, np.c_[y, y], eval_set=(X, y))):
        with pytest.raises(ValueError):
            wrong()
        assert np.array_equal(model.predict(frame), before)
    with pytest.raises(ValueError, match="pass y and sample_weight"):
        SugenoRegressor(**QUICK, targets="a").fit(frame, y)
    with pytest.raises(ValueError, match="comma"):
        SugenoRegressor(**QUICK, ignore=["a,b"]).fit(frame, y)
    assert SugenoRegressor(**QUICK).fit(frame, ["a", "b"]).model_.outputs == ["a", "b"]


def test_set_output(mixed):
    X, y = pandas_frame(mixed)
    X.index = range(1000, 1000 + len(X))
    model = SugenoRegressor(**QUICK, intervals=5).fit(X, y).set_output(transform="pandas")
    found = model.predict(X, return_interval=0.9)
    assert list(found.columns) == ["prediction", "lower", "upper"] and found.index.equals(X.index)
    assert isinstance(model.set_output(transform="default").predict(X), np.ndarray)
    from sklearn.base import clone

    assert hasattr(clone(model.set_output(transform="pandas")).fit(X, y).predict(X), "columns")
    with pytest.raises(ValueError, match="expected"):
        model.set_output(transform="excel")


@pytest.mark.parametrize("kind", ["pyarrow", "batches", "polars", "duckdb"])
def test_arrow(mixed, kind, tmp_path):
    """Arrow streams give the same model as a file of the same rows; with a separate y, the same as a frame."""
    X, y = pandas_frame(mixed)
    pyarrow = pytest.importorskip("pyarrow")
    other = pytest.importorskip("pyarrow" if kind == "batches" else kind)

    def hand_over(frame):
        rows = pyarrow.Table.from_pandas(frame, preserve_index=False)
        if kind == "pyarrow":
            return rows
        if kind == "batches":
            return pyarrow.RecordBatchReader.from_batches(rows.schema, rows.to_batches(max_chunksize=37))
        if kind == "polars":
            return other.from_arrow(rows)
        return other.sql("select * from rows")

    whole = X.assign(price=y.to_numpy())
    model = SugenoRegressor(**QUICK).fit(hand_over(whole), "price")
    assert list(model.feature_names_in_) == ["colour", "size", "gaps"]
    whole.to_csv(tmp_path / "rows.csv", index=False)
    from_file = SugenoRegressor(**QUICK).fit(tmp_path / "rows.csv", "price")
    assert model.model_.to_text() == from_file.model_.to_text()
    assert np.array_equal(model.predict(hand_over(X)), from_file.predict(tmp_path / "rows.csv"))
    separate = SugenoRegressor(**QUICK).fit(hand_over(X), y.to_numpy())
    assert np.array_equal(separate.predict(hand_over(X)), model.predict(hand_over(X)))
    same_name = SugenoRegressor(**QUICK).fit(hand_over(X.rename(columns={"size": "y"})), y.to_numpy())
    assert same_name.model_.outputs == ["y_"]
    with pytest.raises(ValueError, match="the stream has 400 rows, but the extra columns have 7"):
        SugenoRegressor(**QUICK).fit(hand_over(X), y.to_numpy()[:7])


def test_more_rows_than_memory(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)

    def batches():
        for _ in range(40):
            x = rng.normal(size=(10000, 2))
            yield pyarrow.record_batch([x[:, 0], x[:, 1], x[:, 0] * x[:, 1]], names=["a", "b", "y"])

    reader = pyarrow.RecordBatchReader.from_batches(next(batches()).schema, batches())
    model = SugenoRegressor(preset="mbgd-rda", memory="1MB").fit(reader, "y")
    assert model.record_["rows"] == "400000"


def test_files(waves, tmp_path):
    X, y = waves
    np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
    model = SugenoRegressor(**QUICK).fit(tmp_path / "rows.npy")
    assert model.model_.inputs == ["c1", "c2", "c3"]
    with pytest.raises(FileNotFoundError):
        SugenoRegressor(**QUICK).fit("no-such.csv")
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n3,x\n")
    with pytest.raises(ValueError, match=r"bad\.csv:3:2"):
        SugenoRegressor(**QUICK, numeric="b").fit(str(tmp_path / "bad.csv"))


# --- comparison with the command line ---


def test_the_same_file_and_bits_as_the_command_line(waves, program, tmp_path):
    X, y = waves
    table = np.column_stack([X, y])
    np.savetxt(tmp_path / "rows.csv", table, delimiter=",", header="x0,x1,x2,y", comments="", fmt="%.17g")
    ours = SugenoRegressor(budget=1, seed=4).fit(X, y)
    ours.save(tmp_path / "ours.json")
    run = [program, "train", tmp_path / "rows.csv", "--budget", "1", "--seed", "4", "-o", tmp_path / "theirs.json", "--quiet"]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "theirs.json").read_bytes()
    done = subprocess.run([program, "predict", tmp_path / "ours.json", tmp_path / "rows.csv", "--quiet"], check=True, capture_output=True)
    theirs = np.array([float(w) for w in done.stdout.split()[1:]])
    assert np.array_equal(theirs, ours.predict(X))
    assert np.array_equal(sugeno.load(tmp_path / "theirs.json").predict(X), theirs)


def test_save_load_pickle(waves, tmp_path):
    X, y = waves
    model = SugenoRegressor(**QUICK, intervals=4).fit(X, y)
    model.save(tmp_path / "model.json")
    for other in (SugenoRegressor.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(other.predict(X, return_interval=0.9)[1], model.predict(X, return_interval=0.9)[1])
    with pytest.raises(OSError):
        model.save(tmp_path / "no-folder" / "model.json")
    (tmp_path / "rubbish.json").write_text("{")
    with pytest.raises(ValueError, match="rubbish.json"):
        sugeno.load(tmp_path / "rubbish.json")
    with pytest.raises(FileNotFoundError):
        sugeno.load(tmp_path / "none.json")


def test_intervals_that_are_not_known(waves):
    model = SugenoRegressor(**QUICK).fit(*waves)
    with pytest.raises(ValueError, match="interval"):
        model.predict(waves[0], return_interval=0.9)


# --- partial_fit ---


def test_partial_fit(waves):
    rng = np.random.default_rng(2)
    held = rng.uniform(-2, 2, (500, 3))
    truth = np.sin(held[:, 0]) + 0.5 * held[:, 1] ** 2
    model, errors = SugenoRegressor(preset="fcm-rdpa"), []
    for _ in range(30):
        x = rng.uniform(-2, 2, (1000, 3))
        model.partial_fit(x, np.sin(x[:, 0]) + 0.5 * x[:, 1] ** 2)
        errors.append(float(np.sqrt(np.mean((model.predict(held) - truth) ** 2))))
    assert errors[-1] < 0.5 * errors[0]
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(held), model.predict(held))
    again.partial_fit(held, truth)
    assert SugenoRegressor().partial_fit(*waves).n_rules_ == 16
    with pytest.raises(ValueError, match="can't be trained further"):
        SugenoRegressor(preset="rr").partial_fit(*waves).partial_fit(*waves)
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(waves[0][:, :2], waves[1])


# --- threads, signals, forks ---


def test_two_threads_give_the_bytes_of_one_after_the_other(waves):
    X, y = waves
    alone = [SugenoRegressor(budget=0.3, seed=s).fit(X, y).model_.to_text() for s in (1, 2)]
    found = {}

    def work(s):
        found[s] = SugenoRegressor(budget=0.3, seed=s).fit(X, y).model_.to_text()

    threads = [threading.Thread(target=work, args=(s,)) for s in (1, 2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert [found[1], found[2]] == alone


def test_the_lock_is_released_while_it_trains(waves):
    X, y = waves
    ticks = []
    worker = threading.Thread(target=lambda: SugenoRegressor(preset="mbgd-rda", iters=200_000).fit(X, y))
    worker.start()
    while worker.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.001)
    assert len(ticks) > 5


INTERRUPT = """
import os, signal, sys, threading, time
import numpy as np
from sugeno import SugenoRegressor
rng = np.random.default_rng(0)
X = rng.normal(size=(3000, 6)); y = X[:, 0] * X[:, 1] + rng.normal(size=3000)
model = SugenoRegressor(**{options})
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.perf_counter()
try:
    model.fit(X, y)
    print("ended", file=sys.stderr)
except KeyboardInterrupt:
    print(time.perf_counter() - start - 1.5)
print(np.isfinite(model.predict(X)).all())
"""


@pytest.mark.parametrize("options", [dict(budget=500), dict(preset="mbgd-rda", iters=50_000_000)])
def test_ctrl_c(options):
    done = subprocess.run([sys.executable, "-c", INTERRUPT.format(options=options)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    late, works = done.stdout.split()
    assert works == "True" and float(late) < 5, done.stdout  # a second on an idle machine


FORK = """
import os, sys
import numpy as np
from sugeno import SugenoRegressor
rng = np.random.default_rng(0)
X = rng.normal(size=(20000, 3)); y = X[:, 0] * X[:, 1]
model = SugenoRegressor(preset="mbgd-rda").fit(X, y)
before = model.predict(X)
child = os.fork()
if child == 0:
    same = np.array_equal(model.predict(X), before)
    again = SugenoRegressor(preset="mbgd-rda").fit(X, y)
    os._exit(0 if same and np.array_equal(again.predict(X), before) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


READING = """
import os, signal, sys, threading, time
import numpy, pyarrow
from sugeno import SugenoRegressor
def batches():
    while True:
        time.sleep(0.01)
        yield pyarrow.record_batch([numpy.arange(100.0), numpy.arange(100.0)], names=["a", "y"])
reader = pyarrow.RecordBatchReader.from_batches(next(batches()).schema, batches())
threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    SugenoRegressor().fit(reader, "y")
except KeyboardInterrupt:
    time.sleep(0.5)
    print("stopped", threading.active_count())
"""


def test_ctrl_c_while_a_stream_is_read():
    pytest.importorskip("pyarrow")
    done = subprocess.run([sys.executable, "-c", READING], capture_output=True, text=True, timeout=60)
    assert done.stdout == "stopped 1\n", done.stderr  # and reading has ended


def test_fork():
    assert subprocess.run([sys.executable, "-c", FORK], timeout=120).returncode == 0


# --- progress ---


def test_callbacks(waves):
    seen = []
    model = SugenoRegressor(preset="mbgd-rda", iters=1000, callbacks=[lambda p: seen.append(p) or p.done >= 40]).fit(*waves)
    assert seen[-1].done == 40 and seen[-1].planned == 1000 and np.isfinite(seen[-1].batch_rmse)
    assert model.record_["iterations"] == "40"

    ends = []
    SugenoRegressor(budget=0.05, callbacks=lambda p: ends.append(p)).fit(*waves)
    assert ends and ends[-1].done <= ends[-1].planned

    def fails(p):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        SugenoRegressor(budget=2, callbacks=[fails]).fit(*waves)


def test_verbose(waves, capfd):
    model = SugenoRegressor(budget=0.3, verbose=1).fit(*waves)
    output = capfd.readouterr()
    assert "chosen " in output.err and output.out == "" and "chosen" in model.record_
    SugenoRegressor(budget=0.3).fit(*waves)
    output = capfd.readouterr()
    assert output.err == output.out == ""


def test_diverged():
    X = np.linspace(-1, 1, 60).reshape(-1, 2)
    with pytest.raises(FloatingPointError, match="diverged"):
        SugenoRegressor(preset="mbgd-rda", optim="sgd", rate=1e6, iters=200).fit(X, X[:, 0] * 1e6)
