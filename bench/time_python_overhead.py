"""time_python_overhead.py: times the overhead of the Python package over the C library, on 10^6 x 5 doubles.
Prints medians of 20 alternating runs.

    SUGENO_LIBRARY=build/release/libsugeno.so PYTHONPATH=python /usr/bin/python3 bench/time_python_overhead.py

predict: `SugenoRegressor.predict` against sg_predictor_run into allocated memory. fit, with the fastest preset: `SugenoRegressor.fit(X, y)`
against sg_train on the same two arrays (sg_frame), and on a row-major copy of them that is made before the timing (sg_table)."""
import ctypes
import statistics
import time
from ctypes import byref, c_char_p, c_size_t, c_void_p

import numpy as np

from sugeno import SugenoRegressor
from sugeno._library import Source, lib, new_handle, strings
from sugeno._rows import frame, of_matrix
from sugeno._training import Options

ROWS, COLUMNS, RUNS = 10**6, 5, 20
lib.sg_predictor_new.argtypes = [c_void_p, c_char_p, c_size_t, ctypes.POINTER(c_void_p)]
lib.sg_predictor_run.argtypes = [c_void_p, c_void_p, c_size_t, c_void_p]
lib.sg_predictor_free.argtypes = lib.sg_table_free.argtypes = [c_void_p]
lib.sg_table_new.argtypes = [ctypes.POINTER(c_char_p), c_size_t, c_void_p, c_size_t, ctypes.POINTER(c_void_p)]
lib.sg_table_source.argtypes, lib.sg_table_source.restype = [c_void_p], Source


def medians(*calls):
    """Returns the median seconds of each call."""
    took = [[] for _ in calls]
    for _ in range(RUNS + 1):
        for call, times in zip(calls, took):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
    return [statistics.median(times[1:]) for times in took]


def print_row(what, threads, ours, theirs):
    print(f"| {what} | {threads} | {1e3 * theirs:.1f} | {1e3 * ours:.1f} | {ours / theirs:.2f} |", flush=True)


def main():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
    names, joined, by_column = [f"x{i}" for i in range(COLUMNS)] + ["y"], np.column_stack([X, y]), np.asfortranarray(X)
    table = new_handle(lib.sg_table_free, lib.sg_table_new, strings(names), COLUMNS + 1, joined.ctypes.data, ROWS)
    table_rows, frame_rows = lib.sg_table_source(table), frame([*of_matrix(X, names[:-1]), *of_matrix(y[:, None], names[-1:])], ROWS)
    print("| | threads | C, ms | Python, ms | ratio |\n| --- | ---: | ---: | ---: | ---: |")
    for threads in (1, 2):
        how = dict(preset="mbgd-rda", threads=threads)
        model, out = SugenoRegressor(**how).fit(X, y), np.empty(ROWS)
        predictor = new_handle(lib.sg_predictor_free, lib.sg_predictor_new, model.model_.handle, b"f64", threads)

        def train(source):
            new_handle(lib.sg_model_free, lib.sg_train, Options(how.items()).handle, byref(source), None, None, None)

        c, rows, columns = medians(lambda: lib.sg_predictor_run(predictor, X.ctypes.data, ROWS, out.ctypes.data),
                                   lambda: model.predict(X), lambda: model.predict(by_column))
        print_row("predict, row by row", threads, rows, c)
        print_row("predict, column by column", threads, columns, c)
        of_frame, of_table, ours = medians(lambda: train(frame_rows.source), lambda: train(table_rows),
                                           lambda: SugenoRegressor(**how).fit(X, y))
        print_row("fit, against sg_frame", threads, ours, of_frame)
        print_row("fit, against sg_table", threads, ours, of_table)


if __name__ == "__main__":
    main()
