"""NumPy as a peer of bench: the training step, prediction, and the paper's protocol on Protein."""
import time

from peer import agree, fastest, load, note, serve, timed  # first: it says so where NumPy is missing

import numpy as np
from grid_numpy import Grid, Prediction, Training

CASE, INPUTS, CHUNKS = "grid-5x2", 5, (256, 512, 1024, 2048, 4096, 8192)
x, t, y, theta = load(f"{CASE}/x", INPUTS), load(f"{CASE}/t"), load(f"{CASE}/y"), load(f"{CASE}/theta")
offers = {}


def check_step(dtype, tolerance):
    rows, targets = load(f"{CASE}/check_x", INPUTS), load(f"{CASE}/check_t")
    grid = Grid(load(f"{CASE}/check_start"), INPUTS, dtype)
    training = Training(grid, rows, targets)
    for _ in range(20):
        grid.backward(training.x1, training.t, None)
        grid.adabound()
    agree("numpy step", grid.theta, load(f"{CASE}/check_end"), tolerance)


def offer_step(precision, dtype):
    training = Training(Grid(theta, INPUTS, dtype), x, t)
    offers[f"numpy step {CASE} {precision}"] = lambda: timed(training.step, 64)


def offer_prediction(precision, dtype, tolerance):
    rows, out = x.astype(dtype), np.empty(len(x), dtype)
    calls = [lambda p=Prediction(Grid(theta, INPUTS, dtype), n).prepare(): p.all(rows, out) for n in CHUNKS]
    call = fastest(calls, len(x))
    agree("numpy prediction", call(), y, tolerance)
    offers[f"numpy predict {CASE} {precision}"] = lambda: timed(call, len(x))
    single = Prediction(Grid(theta, INPUTS, dtype), 1).prepare()
    offers[f"numpy row {CASE} {precision}"] = lambda: timed(lambda: single.rows(rows[:1]), 1)


def protocol():
    """500 iterations, each followed by the RMSE of the test rows: nanoseconds an iteration."""
    mean = train_t.mean()
    training = Training(Grid(start, INPUTS), train_x, train_t - mean)
    prediction, targets, out = Prediction(training.grid, 1024), test_t - mean, np.empty(len(test_t))
    began = time.perf_counter()
    for _ in range(500):
        training.step()
        error = prediction.prepare().all(test_x, out) - targets
        rmse = np.sqrt(error @ error / len(error))
    took = time.perf_counter() - began
    assert rmse < targets.std()
    return 1e9 * took / 500


for precision, dtype, tolerance in ("f64", np.float64, 1e-9), ("f32", np.float32, 1e-4):
    if precision == "f64":
        check_step(dtype, tolerance)
    offer_step(precision, dtype)
    offer_prediction(precision, dtype, tolerance)
train_x, train_t = load("protein/train_x", INPUTS), load("protein/train_t")
test_x, test_t, start = load("protein/test_x", INPUTS), load("protein/test_t"), load("protein/start")
offers["numpy protocol protein f64"] = protocol
note("numpy", np.__version__)
serve(offers)
