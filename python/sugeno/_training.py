"""Trains models. Long C calls run in a thread of their own, so that the main thread handles Ctrl-C, progress and callbacks at once."""
from __future__ import annotations

import math
import os
import sys
import threading
from ctypes import byref, c_void_p
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ._library import NOTICE, Handle, Metrics, Progress as CProgress, CancelToken, check, encoded, failure, lib, new_handle, options_table, cancel_token_poll
from ._model import Model
from ._rows import Rows

_POLL_SECONDS, _STOP_SECONDS = 0.05, 0.9  # between two polls; wait for an interrupted call to return


class Progress(NamedTuple):
    """The progress of a training. done and planned count iterations, or units of work in a search. The other fields are NaN in a
    search, and if they are unknown.

    >>> from sklearn.datasets import make_friedman1
    >>> from sugeno import SugenoRegressor
    >>> seen = []
    >>> model = SugenoRegressor(preset="mbgd-rda", callbacks=[lambda p: seen.append(p.done), lambda p: p.done == 100])
    >>> model.fit(*make_friedman1(random_state=0)).record_["iterations"], len(seen)
    ('100', 100)
    """

    done: int
    planned: int
    batch_rmse: float = math.nan
    valid_rmse: float = math.nan
    best_rmse: float = math.nan
    rate: float = math.nan
    mean_rate: float = math.nan


def text_of_value(value: Any) -> str:
    """Formats the value of an option as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return "yes" if value else "no"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Iterable):
        words = [text_of_value(v) for v in value]
        for word in words:
            if "," in word:
                raise ValueError(f'"{word}": a column name in a list must not contain a comma; rename the column')
        return ",".join(words)
    if isinstance(value, float) or hasattr(value, "dtype"):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    return str(value)


class Options:
    """sg_options, and the notices printed while they were in use."""

    def __init__(self, given: Iterable[Tuple[str, Any]], on_notice: Optional[Callable[[str], None]] = None):
        self.handle = new_handle(lib.sg_options_free, lib.sg_options_new)
        self.notices: List[str] = []
        self._on_notice = on_notice
        for name, value in given:
            if value is not None:
                check(lib.sg_options_set(self.handle, name.replace("_", "-").encode(), encoded(text_of_value(value))))
        self._listener = NOTICE(self._add_notice)
        lib.sg_options_on_notice(self.handle, self._listener, None)

    def _add_notice(self, _: Any, sentence: bytes) -> None:
        self.notices.append(sentence.decode("utf-8", "replace"))
        if self._on_notice:
            self._on_notice(self.notices[-1])

    def get(self, name: str) -> str:
        return (lib.sg_options_get(self.handle, name.encode()) or b"").decode()

    def set(self, name: str, value: Any) -> None:
        check(lib.sg_options_set(self.handle, name.encode(), encoded(text_of_value(value))))

    def values(self) -> Dict[str, str]:
        return {option.name.decode(): self.get(option.name.decode()) for option in options_table()}

    @property
    def trains_in_steps(self) -> bool:
        return bool(lib.sg_options_trains_in_steps(self.handle))

    @property
    def searches(self) -> bool:
        return bool(lib.sg_options_is_search(self.handle))


class ProgressBar:
    """A progress bar: that of tqdm if installed, else a line on stderr."""

    def __init__(self, enabled: bool):
        self._enabled, self._last = enabled, -1
        self._bar: Any = None

    def show(self, p: Progress) -> None:
        percent = int(100 * p.done / p.planned) if p.planned else 0
        if not self._enabled or percent == self._last:
            return
        self._last = percent
        if self._bar is None:
            try:
                from tqdm.auto import tqdm

                self._bar = tqdm(total=100, unit="%", desc="sugeno")
            except ImportError:
                self._bar = False
        if self._bar:
            self._bar.update(percent - self._bar.n)
        else:
            print(f"\rsugeno: {percent} %", end="", file=sys.stderr, flush=True)

    def close(self, ended: bool = False) -> None:
        if ended and self._last >= 0:
            self.show(Progress(1, 1))  # planned work that was not needed counts as done
        if self._bar:
            self._bar.close()
        elif self._enabled and self._last >= 0:
            print(file=sys.stderr)


Callback = Callable[[Progress], Any]


def _should_stop(callbacks: Sequence[Callback], p: Progress) -> bool:
    return any([bool(c(p)) for c in callbacks])


def run_interruptible(call: Callable[[CancelToken], int], callbacks: Sequence[Callback], bar: ProgressBar) -> Optional[BaseException]:
    """Runs a long C call in a thread. Returns the exception that interrupted it (Ctrl-C, a callback that raised), or None. A call that does
    not stop in time is abandoned and ends in the background."""
    request, over = CancelToken(), threading.Event()
    failed: List[BaseException] = []

    def work() -> None:
        try:
            status = call(request)
            if status:
                failed.append(failure(status))  # the error message is thread-local
        except BaseException as error:
            failed.append(error)
        finally:
            over.set()

    def poll() -> None:
        p = Progress(request.done, request.planned)
        if p.planned:
            bar.show(p)
            if callbacks and _should_stop(callbacks, p):
                request.cancelled = 1

    interrupted: Optional[BaseException] = None
    threading.Thread(target=work, daemon=True).start()
    try:
        while not over.wait(_POLL_SECONDS):
            poll()
        poll()
    except BaseException as error:
        interrupted = error
        request.cancelled = 1
        over.wait(_STOP_SECONDS)
    bar.close(interrupted is None and not failed and not request.cancelled)
    if failed and interrupted is None:
        raise failed[0]
    return interrupted


def open_interruptible(options: Options, make: Callable[[Handle], Rows]) -> Rows:
    """Opens files or streams, which may take long to read."""
    found: List[Rows] = []

    def call(request: CancelToken) -> int:
        lib.sg_options_on_cancel(options.handle, cancel_token_poll, byref(request))
        try:
            found.append(make(options.handle))
        finally:
            lib.sg_options_on_cancel(options.handle, None, None)
        return 0

    interrupted = run_interruptible(call, (), ProgressBar(False))
    if interrupted is not None:
        raise interrupted
    return found[0]


def _from_c(p: CProgress) -> Progress:
    return Progress(p.iteration, p.iterations, p.batch_rmse, p.valid_rmse, p.best_rmse, p.rate, p.mean_rate)


class Scorer:
    """Evaluates the current model of a trainer on the same rows again and again: `Trainer.scorer`."""

    def __init__(self, model: Model, rows: Rows, threads: int):
        self._handle = new_handle(lib.sg_scorer_free, lib.sg_scorer_new, model.handle, byref(rows.source), None, threads, keep=(model, rows))
        self._metrics = (Metrics * len(model.outputs))()

    def rmse(self) -> Any:
        """The RMSE of the current parameters: a number, or a list with one for each target."""
        check(lib.sg_scorer_run(self._handle, self._metrics))
        return self._metrics[0].rmse if len(self._metrics) == 1 else [m.rmse for m in self._metrics]


class Trainer:
    """Training step by step, from `SugenoRegressor.trainer`. Iterating runs one step at a time until training is finished.

    >>> from sklearn.datasets import make_friedman1
    >>> from sugeno import SugenoRegressor
    >>> X, y = make_friedman1(300, random_state=0)
    >>> trainer = SugenoRegressor(preset="mbgd-rda", iters=100).trainer(X[:200], y[:200])
    >>> test = trainer.scorer(X[200:], y[200:])
    >>> curve = [test.rmse() for progress in trainer]
    >>> len(curve), curve[-1] < curve[0]
    (100, True)
    >>> trainer.model()
    <Model: y of 10 inputs by 32 rules>
    """

    def __init__(self, options: Options, rows: Rows, valid: Optional[Rows] = None, after: Optional["Trainer"] = None,
                 model: Optional[Model] = None, read: Optional[Callable[[Any, Any], Rows]] = None):
        if model is None:
            self.handle = new_handle(lib.sg_trainer_free, lib.sg_trainer_new, options.handle, byref(rows.source),
                               byref(valid.source) if valid else None, keep=(rows, valid))
        else:
            self.handle = new_handle(lib.sg_trainer_free, lib.sg_trainer_continue, model.handle, after.handle if after else None, options.handle,
                               byref(rows.source), keep=rows)
        self._step = CProgress(more=1)
        self._read, self._threads = read, int(options.get("threads"))

    def step(self) -> Progress:
        """Runs one iteration. Raises FloatingPointError if training diverges; `current` then has the last finite parameters."""
        check(lib.sg_trainer_step(self.handle, byref(self._step)))
        return _from_c(self._step)

    def __iter__(self) -> Iterator[Progress]:
        while self._step.more:
            yield self.step()

    @property
    def progress(self) -> Progress:
        """The current state, without a step."""
        return _from_c(lib.sg_trainer_progress(self.handle))

    @property
    def current(self) -> Model:
        """The model after the last step. Its parameters change with each step; `model` returns a copy."""
        return Model(Handle(c_void_p(lib.sg_trainer_current(self.handle)), lambda pointer: None, keep=self.handle))

    def scorer(self, X: Any, y: Any) -> Scorer:
        """Prepares rows, such as test rows, for `rmse()` after each step: they are checked and transformed once."""
        assert self._read is not None
        return Scorer(self.current, self._read(X, y), self._threads)

    def run(self, callbacks: Sequence[Callback], bar: ProgressBar) -> bool:
        """Trains to the end. Returns False if a callback stopped it."""
        for now in self:
            bar.show(now)
            if callbacks and _should_stop(callbacks, now):
                return not self._step.more
        return True

    def model(self) -> Model:
        """A copy of the best iterate by validation, or of the last one. It has no prediction intervals; models of `fit` may have."""
        return Model(new_handle(lib.sg_model_free, lib.sg_trainer_model, self.handle))


def _train_by_steps(options: Options, rows: Rows, valid: Optional[Rows], callbacks: Sequence[Callback], bar: ProgressBar) \
        -> Tuple[Model, Optional[BaseException]]:
    trainer, interrupted, ended = Trainer(options, rows, valid), None, False
    try:
        ended = trainer.run(callbacks, bar)
    except FloatingPointError:
        raise
    except BaseException as error:
        interrupted = error
    bar.close(ended)
    model = trainer.model()
    failed = run_interruptible(lambda r: lib.sg_model_finish(model.handle, options.handle, byref(rows.source), byref(valid.source) if valid else None,
                                                    int(not ended), cancel_token_poll, byref(r)), (), ProgressBar(False))
    return model, interrupted or failed


def train(options: Options, rows: Rows, valid: Optional[Rows], callbacks: Sequence[Callback], verbose: bool) \
        -> Tuple[Optional[Model], Optional[BaseException]]:
    """Returns the model and the exception that interrupted its training, if any. The model is then the best so far, or None."""
    bar = ProgressBar(verbose)
    if callbacks and options.trains_in_steps:
        return _train_by_steps(options, rows, valid, callbacks, bar)
    found: List[Model] = []

    def call(r: CancelToken) -> int:
        pointer = c_void_p()
        status: int = lib.sg_train(options.handle, byref(rows.source), byref(valid.source) if valid else None, cancel_token_poll, byref(r),
                                   byref(pointer))
        if not status:
            found.append(Model(Handle(pointer, lib.sg_model_free)))
        return status

    interrupted = run_interruptible(call, callbacks, bar)
    return (found[0] if found else None), interrupted
