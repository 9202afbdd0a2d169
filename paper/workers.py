"""Runs the repetitions of all unfinished cells in parallel, one process per core, and saves each finished cell."""
import concurrent.futures
import ctypes
import multiprocessing
import signal
import sys
import time

import trials
from learning_curves import Curves

_cells = []  # inherited by the worker processes
_PR_SET_PDEATHSIG = 1


def _start_worker():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the workers
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)  # and so does its death


def _work(index, repeat):
    return trials.run(_cells[index], repeat)


class ProgressBar:
    """Share of the work and remaining time on standard error: a line that is redrawn, or now and then a new line."""

    def __init__(self, total):
        self.total, self.done, self.terminal = total, 0, sys.stderr.isatty()
        self.start = self.shown = time.monotonic()

    def add(self, cost):
        self.done += cost
        now = time.monotonic()
        if now - self.shown >= (0.2 if self.terminal else 30):
            self.shown = now
            left = round((now - self.start) * (self.total / self.done - 1))
            line = f"paper: {100 * self.done / self.total:3.0f} %, {left // 60}:{left % 60:02} left"
            print(f"\r{line}   " if self.terminal else line, end="" if self.terminal else "\n", file=sys.stderr,
                  flush=True)

    def close(self):
        if self.terminal and self.shown > self.start:
            print(file=sys.stderr)


def run(cells, folder, jobs):
    """Fills cell.curves of every cell, from files of an earlier run where these are valid. Ctrl-C raises
    KeyboardInterrupt; finished cells are kept."""
    for cell in cells:
        cell.key = trials.key(cell)
        cell.curves = Curves.load(_path(cell, folder), cell.key, cell.points, cell.repeats)
    _cells[:] = [cell for cell in cells if cell.curves is None]
    if not _cells:
        return
    bar = ProgressBar(sum(cell.repeats * trials.cost(cell) for cell in _cells))
    context = multiprocessing.get_context("fork")  # shares the datasets
    try:
        with concurrent.futures.ProcessPoolExecutor(jobs, context, _start_worker) as pool:
            try:
                _collect(pool, folder, bar)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for child in multiprocessing.active_children():
                    child.terminate()
                raise
    finally:
        bar.close()


def _collect(pool, folder, bar):
    jobs = {pool.submit(_work, index, repeat): (index, repeat)
            for index, cell in enumerate(_cells) for repeat in range(cell.repeats)}
    found = [{} for _ in _cells]
    for job in concurrent.futures.as_completed(list(jobs)):
        index, repeat = jobs.pop(job)
        cell = _cells[index]
        try:
            found[index][repeat] = job.result()
        except Exception as error:
            raise RuntimeError(f"{cell.name}: {error}") from error
        bar.add(trials.cost(cell))
        if len(found[index]) == cell.repeats:
            cell.curves = Curves.of(cell.points, [found[index][r] for r in range(cell.repeats)])
            cell.curves.save(_path(cell, folder), cell.key)
            found[index] = None


def _path(cell, folder):
    return folder / "curves" / f"{cell.name}.csv"
