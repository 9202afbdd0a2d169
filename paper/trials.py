"""One repetition of a cell: split, preprocess, train, and score the test rows along the way."""
import functools
import hashlib
import json
import time
from typing import NamedTuple

import numpy as np
import sklearn
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.svm import SVR
from sugeno import SugenoRegressor, random_split

from learning_curves import mean


class Trial(NamedTuple):
    """What one repetition gives. Arrays have an element for each of the cell's points."""

    test: np.ndarray  # RMSE
    train: np.ndarray  # RMSE on the batch before the update
    rate: np.ndarray  # mean effective learning rate
    seconds: float  # CPU time of training
    score_seconds: float  # CPU time of scoring the test rows
    diverged: bool


def estimator(cell, **more):
    settings = {**cell.algorithm.keywords, **more}
    if not cell.algorithm.one_step:
        settings["iters"] = cell.iterations
    return SugenoRegressor(threads=1, **settings)


def system_size(cell):
    """Returns the number of parameters of the cell's system, and of the inputs that its rules see."""
    model = estimator(cell).trainer(cell.rows[:, :-1], cell.rows[:, -1]).current
    return len(model.parameters), model.transform(cell.rows[:1, :-1]).shape[1]


def cost(cell):
    """Returns the approximate cost of a repetition, for the progress bar: a step costs about three predictions."""
    settings, inputs = cell.algorithm.settings, len(cell.dataset.features)
    rows = cell.dataset.rows
    if cell.algorithm.svr:
        return rows**2 / (1 if cell.algorithm.svr == "search" else 30)
    anfis = "anfis" in settings["preset"]
    batch = 0 if anfis else int(settings.get("batch", 64))
    step = 3 * min(batch or rows, 0.7 * rows) * (5 if "-lse" in settings["preset"] else 1)
    full_grid = settings.get("pca") == "0" and "structure" not in settings and not cell.algorithm.one_step
    return (2 ** max(0, inputs - 5) if full_grid else 1) * (cell.iterations * step + len(cell.points) * 0.3 * rows)


# --- rows ---


@functools.lru_cache(maxsize=64)
def _split(rows, repeat):
    return random_split(rows, int(0.3 * rows + 0.5), seed=repeat)


_transformed = {}  # the authors' rows of the last dataset and algorithm


def authors_rows(cell):
    """Returns all rows as the rules of a system see them whose transforms were fitted on all rows, target centred."""
    key = cell.dataset.name, cell.experiment.variant, cell.algorithm.name
    if key not in _transformed:
        x, y = cell.rows[:, :-1], cell.rows[:, -1]
        seen = estimator(cell).trainer(x, y).current.transform(x)
        _transformed.clear()
        _transformed[key] = np.column_stack([seen, y - mean(y)])
    return _transformed[key]


# --- one repetition ---


def run(cell, repeat):
    """Splits and batches depend on the repeat alone: they are the same for every algorithm."""
    settings = {"seed": repeat}
    rows = cell.rows
    if cell.preprocessing == "authors":
        rows = authors_rows(cell)
        settings.update(scale="none", target="none", pca=0)
    train, test = (rows[part] for part in _split(len(rows), repeat))
    start = time.thread_time()
    trainer = estimator(cell, **settings).trainer(train[:, :-1], train[:, -1])
    if cell.algorithm.svr:
        return _fit_svr(cell, trainer.current, train, test, repeat)
    trial = _train(cell, trainer, test, time.thread_time() - start)
    if cell.iterations == 1:  # there was no batch before the only step
        trial.train[0] = trainer.scorer(train[:, :-1], train[:, -1]).rmse()
    return trial


def _train(cell, trainer, test, seconds):
    scorer = trainer.scorer(test[:, :-1], test[:, -1])
    tests, trains, rates = np.zeros((3, len(cell.points)))
    clock, score_seconds, point = time.thread_time, 0.0, 0
    start = clock()
    try:
        for progress in trainer:
            stop = clock()
            seconds += stop - start
            if progress.done == cell.points[point]:
                tests[point], trains[point], rates[point] = scorer.rmse(), progress.batch_rmse, progress.mean_rate
                point += 1
            start = clock()
            score_seconds += start - stop
    except FloatingPointError:  # continue with the last finite parameters
        tests[point:] = scorer.rmse()
        trains[point:] = trains[point - 1] if point else tests[point]
        return Trial(tests, trains, rates, seconds, score_seconds, True)
    return Trial(tests, trains, rates, seconds, score_seconds, False)


# --- support vector regression ---


def _fit_svr(cell, model, train, test, repeat):
    """Epsilon-SVR with an RBF kernel on the rows as rules see them, with standardised target."""
    x, test_x = model.transform(train[:, :-1]), model.transform(test[:, :-1])
    y, test_y = train[:, -1], test[:, -1]
    level, spread = y.mean(), y.std() or 1.0
    svr = SVR(epsilon=0.1, C=1, gamma="scale")
    if cell.algorithm.svr == "search":
        scale = 1 / (x.shape[1] * x.var())
        svr = GridSearchCV(svr, {"C": [1, 10, 100], "gamma": [scale / 4, scale, 4 * scale]},
                           scoring="neg_mean_squared_error", cv=KFold(5, shuffle=True, random_state=repeat))
    rmse = lambda x, y: np.sqrt(np.mean((level + spread * svr.predict(x) - y) ** 2))
    start = time.thread_time()
    svr.fit(x, (y - level) / spread)
    fitted = time.thread_time()
    error = rmse(test_x, test_y)
    return Trial(np.array([error]), np.array([rmse(x, y)]), np.zeros(1), fitted - start,
                 time.thread_time() - fitted, False)


# --- what a result depends on ---


@functools.lru_cache(maxsize=None)
def _fingerprint(settings):
    """A few steps on fixed rows, to the last bit: changes with the library's arithmetic."""
    i = np.arange(200.0)
    x = np.column_stack([np.mod(i * step, 1) for step in (0.61803, 0.41421, 0.73205, 0.23607, 0.64575)])
    trainer = SugenoRegressor(threads=1, **dict(settings)).trainer(x, np.sin(5 * x[:, 0]) + x[:, 1] * x[:, 2])
    for progress in trainer:
        if progress.done == 12:
            break
    return hashlib.sha256(trainer.current.parameters.tobytes()).hexdigest()


def key(cell):
    """Returns a hash of all that the numbers of a cell depend on: the file, the columns, the options, the library."""
    data, algorithm = cell.dataset, cell.algorithm
    options = estimator(cell).options()
    facts = [cell.name, data.digest, data.features, data.target, data.words, cell.repeats, cell.points, options]
    facts.append([algorithm.svr, sklearn.__version__] if algorithm.svr else
                 _fingerprint(tuple(sorted(algorithm.keywords.items()))))
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
