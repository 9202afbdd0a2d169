"""NumPy as a peer of bench: the training step, prediction, and the paper's protocol on Protein."""
import time

from peer_protocol import agree, load, note, serve, timed, turns  # first, because it reports a missing NumPy

import numpy as np
from numpy_grid_system import BlasChunks, Chunks, Grid, Training

CASE, INPUTS, CHUNKS = "grid-5x2", 5, (128, 256, 512, 1024, 2048, 4096)
x, t, y, theta = load(f"{CASE}/x", INPUTS), load(f"{CASE}/t"), load(f"{CASE}/y"), load(f"{CASE}/theta")
WAYS = {"numpy": Chunks, "numpy-blas": BlasChunks}
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


def offer_prediction(who, way, precision, dtype, tolerance):
    grid = Grid(theta, INPUTS, dtype)
    calls = [way(grid, x, n).run for n in CHUNKS]
    agree(f"{who} prediction", calls[0](), y, tolerance)
    offers[f"{who} predict {CASE} {precision}"] = turns(calls, len(x))
    single = way(grid, x[:1], 1).run
    offers[f"{who} row {CASE} {precision}"] = lambda: timed(single, 1)


def protocol(way):
    """500 iterations, each followed by the RMSE of the test rows: nanoseconds per iteration."""
    mean = train_t.mean()
    training, targets = Training(Grid(start, INPUTS), train_x, train_t - mean), test_t - mean
    test = way(training.grid, test_x, 512)
    began = time.process_time()
    for _ in range(500):
        training.step()
        error = test.run() - targets
        rmse = np.sqrt(error @ error / len(error))
    took = time.process_time() - began
    assert rmse < targets.std()
    return 1e9 * took / 500


for precision, dtype, tolerance in ("f64", np.float64, 1e-9), ("f32", np.float32, 1e-4):
    if precision == "f64":
        check_step(dtype, tolerance)
    offer_step(precision, dtype)
    for who, way in WAYS.items():
        offer_prediction(who, way, precision, dtype, tolerance)
train_x, train_t = load("protein/train_x", INPUTS), load("protein/train_t")
test_x, test_t, start = load("protein/test_x", INPUTS), load("protein/test_t"), load("protein/start")
for who, way in WAYS.items():
    offers[f"{who} protocol protein f64"] = lambda way=way: protocol(way)
note("numpy", np.__version__)
serve(offers)
