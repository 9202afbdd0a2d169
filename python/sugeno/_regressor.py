"""SugenoRegressor: the library as a scikit-learn estimator."""
from __future__ import annotations

import contextlib
import inspect
import os
import sys
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from . import _notebook, _plots
from ._library import options_table
from ._model import Explained, Model
from ._parameters import Parameters
from ._rows import Rows, Values, files, frame, is_pandas, is_path, is_stream, of_matrix, of_pandas, readable, stream, stream_names, unused
from ._training import Bar, Options, Progress, Trainer, opened, train

_FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"
_OPTIONS = [o.name.decode().replace("-", "_") for o in options_table()]
_LARGEST_SEED = 2**31 - 1


def _matrix(x: Any) -> np.ndarray:
    """Numbers, NaN where one is missing; C looks for infinities while it reads."""
    if hasattr(x, "collect") and not hasattr(x, "__array__"):
        raise ValueError("X is computed later: pass X.collect()")
    if type(x) is np.ndarray and x.ndim == 2 and x.size and readable(x):
        return x
    return check_array(x, dtype="numeric", **{_FINITE: "allow-nan"})


def _column(values: Any, name: str) -> np.ndarray:
    """Targets: (rows) or (rows, outputs), finite."""
    if values is None:
        raise ValueError("This SugenoRegressor estimator requires y to be passed, but the target y is None.")
    if getattr(getattr(values, "dtype", None), "kind", "") in tuple("mM"):
        raise ValueError("y holds dates or times: expected numbers")
    return check_array(values, dtype="numeric", ensure_2d=False, allow_nd=False, input_name=name, **{_FINITE: True})


def _weights(values: Any, rows: int) -> np.ndarray:
    if isinstance(values, (int, float, np.number)):
        return np.full(rows, float(values))
    found = check_array(values, dtype=np.float64, ensure_2d=False, input_name="sample_weight", **{_FINITE: True})
    if found.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(found) != rows:
        raise ValueError(f"sample_weight.shape == {found.shape}, expected {(rows,)}!")
    return found


def _target_names(y: Any, width: int, taken: Sequence[str]) -> List[str]:
    """As frames have them, without commas, which would separate them in an option."""
    names: Optional[List[str]] = None
    if hasattr(y, "column_names"):
        names = [str(n).strip() for n in y.column_names]
    elif hasattr(y, "columns"):
        names = [str(n).strip() for n in y.columns]
    elif getattr(y, "name", None) is not None:
        names = [str(y.name).strip()]
    if names is None or len(names) != width or not all(names):
        names = ["y"] if width == 1 else [f"y{i}" for i in range(width)]
    found: List[str] = []
    for name in names:
        found.append(unused(name if width == 1 else name.replace(",", ";"), [*taken, *found]))
    return found


class _Rules:
    """rules(format="text", top=0): the rules in words, in the data's own units, as "text", "markdown" or "json"; top: only so many.

    One name for two things: the keyword `rules`, a number, is what get_params and set_params know."""

    def __get__(self, estimator: Any, owner: Any = None) -> Callable[..., str]:
        return self if estimator is None else estimator._describe  # type: ignore[return-value]

    def __set__(self, estimator: Any, value: Any) -> None:
        estimator.__dict__["rules"] = value


class SugenoRegressor(RegressorMixin, Parameters, BaseEstimator):
    """A Takagi-Sugeno-Kang fuzzy system, trained by libsugeno.

    With no keyword it chooses by itself how to train (`preset="auto"`), and gives one system of at most 64 rules. Keywords are the options
    of `sugeno train`, see `help(SugenoRegressor.__init__)` or docs/options.md; a keyword that is None is left to the preset.

    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = SugenoRegressor(budget=1).fit(X, y)
    >>> y_hat, lower, upper = model.predict(X[:3], return_interval=0.9)
    >>> bool((lower < y_hat).all() and (y_hat < upper).all())
    True
    >>> print(SugenoRegressor(preset="mbgd-rda", rules=4).fit(X, y).rules().splitlines()[0])
    4 rules, 10 inputs, target target

    After fit: model_ (the system), n_rules_, n_features_in_, feature_names_in_ (of frames), notices_ (what the library said), record_.
    """

    model_: Model
    rules: Any = _Rules()
    _names: List[Optional[str]]  # of the columns of X, None for those that are no inputs, such as dates
    _targets: List[str]
    _flat: Optional[bool]  # y has one dimension
    _by_name: bool = False  # columns of frames are found by their names, whatever others there are: the model came from a file

    # --- options ---

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The keywords, by name."""
        return {**super().get_params(deep), "rules": self.__dict__["rules"]}

    def _given(self) -> List[Tuple[str, Any]]:
        found = [(name, self.__dict__[name]) for name in _OPTIONS]  # get_params looks at the signature each time: a millisecond
        if self.random_state is not None:
            found.append(("seed", self._seed()))
        return found

    def _seed(self) -> int:
        state = self.random_state
        if isinstance(state, (int, np.integer)):
            return int(state)
        if hasattr(state, "integers"):
            return int(state.integers(_LARGEST_SEED))
        return int(check_random_state(state).randint(_LARGEST_SEED))

    def _options(self) -> Options:
        return Options(self._given(), self._say if self.verbose else None)

    def _reading(self) -> Options:
        """What says how files are read."""
        return Options([(name, getattr(self, name)) for name in ("header", "delimiter", "missing", "memory")],
                       self._say if self.verbose else None)

    def _say(self, sentence: str) -> None:
        print(sentence, file=sys.stderr)

    def _tell(self) -> None:
        """What a search tried and chose, as the command line tells it."""
        for name, value in self.record_.items():
            word = name.split("_")[0]
            if word in ("tried", "chosen", "note"):
                self._say(f"{word:7} {value}")

    def _threads(self) -> int:
        return int(self.threads or 0)

    # --- rows ---

    def _look_at(self, X: Any, reset: bool) -> None:
        """scikit-learn's own checks of names and widths."""
        if hasattr(BaseEstimator, "_check_feature_names"):  # until 1.5
            self._check_feature_names(X, reset=reset)
            self._check_n_features(X, reset=reset)
        else:
            from sklearn.utils.validation import validate_data

            validate_data(self, X, reset=reset, skip_check_array=True)

    def _inputs(self, X: Any, reset: bool) -> Tuple[List[Values], int]:
        """Columns of arrays and frames, and how many rows. After fit it is the place of a column that counts, once scikit-learn has looked at
        the names."""
        if is_pandas(X):
            if not self._by_name or reset:
                self._look_at(X, reset)
            if X.shape[0] == 0:
                raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
            columns = of_pandas(X)
            if reset:
                self._names = [None if c is None else c.name for c in columns]
                self._warn_of_dates(X)
            if self._by_name and not reset:
                return [c for c in columns if c is not None and c.name in self._names], len(X)
            return [c._replace(name=n) for c, n in zip(columns, self._names) if c is not None and n is not None], len(X)
        x = _matrix(X)
        if reset:
            self._look_at(x, reset)
            self._names = [f"x{i}" for i in range(x.shape[1])]
        elif not self._by_name:
            self._look_at(X if hasattr(self, "feature_names_in_") else x, reset)
        if len(self._names) != x.shape[1]:
            raise ValueError(f"X has {x.shape[1]} features, but SugenoRegressor is expecting {len(self._names)} features as input.")
        return [Values(n, x[:, i]) for i, n in enumerate(self._names) if n is not None], len(x)

    def _warn_of_dates(self, X: Any) -> None:
        dates = [str(c) for c, n in zip(X.columns, self._names) if n is None]
        if dates:
            warnings.warn(f"left out dates: {', '.join(dates)}", UserWarning, stacklevel=5)

    def _beside(self, y: Any, sample_weight: Any, rows: int, taken: Sequence[str], reset: bool) -> Tuple[List[Values], Optional[str]]:
        """Weights and targets as columns, and the name of the former."""
        target = _column(y, "y")
        columns: List[Values] = []
        weights = None
        if sample_weight is not None:
            weights = unused("sample_weight", taken)
            columns.append(Values(weights, _weights(sample_weight, rows)))
        table = target.reshape(len(target), -1)
        if reset:
            names = _target_names(y, table.shape[1], [*taken, *(c.name for c in columns)])
            self._targets, self._flat = names, target.ndim == 1
        elif len(self._targets) != table.shape[1]:
            raise ValueError(f"y has {table.shape[1]} targets, but SugenoRegressor is expecting {len(self._targets)}")
        return columns + of_matrix(table, self._targets), weights

    def _name_targets(self, options: Options) -> None:
        if len(self._targets) > 1:
            options.set("targets", self._targets)

    def _training_rows(self, X: Any, y: Any, sample_weight: Any, options: Options, reset: bool = True) -> Rows:
        """Rows with targets. Of files and streams y names the target, or several; None: the last column."""
        if reset:
            for name in ("_targets", "_by_name", "feature_names_in_", "n_features_in_"):
                self.__dict__.pop(name, None)
        names = [y] if isinstance(y, str) else list(y) if isinstance(y, (list, tuple)) and y and all(isinstance(n, str) for n in y) else None
        if is_path(X) or is_stream(X):
            return self._read(X, y, names, sample_weight, options, reset)
        if self.targets is not None or self.weights is not None:
            raise ValueError("targets and weights name columns of files and streams: here pass y and sample_weight")
        if is_pandas(X) and names is not None:
            missing = [n for n in names if n not in X.columns]
            if missing:
                raise ValueError(f'there is no column "{missing[0]}" to take for y')
            y, X = X[names[0]] if isinstance(y, str) else X[names], X.drop(columns=names)
        columns, rows = self._inputs(X, reset)
        if rows < 2:
            raise ValueError("Found array with 1 sample(s) while a minimum of 2 is required to train on.")
        if y is not None:
            check_consistent_length(X, y)
        beside, weights = self._beside(y, sample_weight, rows, [c.name for c in columns], reset)
        found = frame([*columns, *beside], rows)
        if weights:
            found.weigh(weights)
        self._name_targets(options)
        return found

    def _read(self, X: Any, y: Any, names: Optional[List[str]], sample_weight: Any, options: Options, reset: bool) -> Rows:
        """Rows of a file or a stream; of the latter y may be values, too."""
        if names is not None or y is None:
            if sample_weight is not None:
                raise ValueError("where the target is a column of a file or a stream, row weights are the column that the keyword weights names")
            if names is not None:
                options.set("targets", names)
            self._flat = None  # as many targets as there turn out to be
            found = opened(lambda: files(X, options.handle) if is_path(X) else stream(X, options.handle, None))
        elif is_path(X):
            raise ValueError("of a file y is the name of the target, or None: the last column")
        else:
            rows = len(y)
            columns, weights = self._beside(y, sample_weight, rows, stream_names(X), reset)
            beside = frame(columns, rows)
            if weights:
                options.set("weights", weights)
            self._name_targets(options)
            found = opened(lambda: stream(X, options.handle, beside))
        for sentence in options.notices:
            if sentence.startswith("left out"):
                warnings.warn(sentence, UserWarning, stacklevel=4)
        return found

    def _learn_names(self, rows: Rows, options: Options) -> None:
        """Files and streams bring names along: of inputs, and of columns that are none."""
        others = {*self.model_.outputs, *options.get("ignore").split(","), options.get("weights"), options.get("group")}
        self._names = [n for n in rows.names if n not in others]
        self._targets = self.model_.outputs
        self.feature_names_in_ = np.array(self._names, dtype=object)
        self.n_features_in_ = len(self._names)

    def _new_rows(self, X: Any) -> Rows:
        """Rows to predict."""
        if is_path(X):
            return opened(lambda: files(X, self._reading().handle, self.model_.handle))
        if is_stream(X):
            if not hasattr(self, "feature_names_in_") and not self._by_name:
                raise ValueError("it was fitted without names of columns: pass an array, such as X.to_numpy(), or fit with names")
            return opened(lambda: stream(X, self._reading().handle, None, self.model_.handle))
        columns, rows = self._inputs(X, False)
        return frame(columns, rows)

    def _judged_rows(self, X: Any, y: Any) -> Rows:
        """Rows with their targets, for a report."""
        if is_path(X):
            return opened(lambda: files(X, self._reading().handle, self.model_.handle, targets=True))
        if is_pandas(X) and isinstance(y, str):
            y, X = X[y], X.drop(columns=y)
        outputs = self.model_.outputs
        target = _column(y, "y")
        check_consistent_length(X if hasattr(X, "__len__") else target, target)
        table = target.reshape(len(target), -1)
        if table.shape[1] != len(outputs):
            raise ValueError(f"y has {table.shape[1]} targets, but SugenoRegressor is expecting {len(outputs)}")
        beside = of_matrix(table, outputs)
        if is_stream(X):
            return opened(lambda: stream(X, self._reading().handle, frame(beside, len(table)), self.model_.handle, targets=True))
        columns, rows = self._inputs(X, False)
        return frame([*columns, *beside], rows)

    @contextlib.contextmanager
    def _as_it_was(self) -> Iterator[None]:
        """What fails leaves the estimator as it was."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def _callbacks(self) -> List[Any]:
        return [self.callbacks] if callable(self.callbacks) else list(self.callbacks or ())

    # --- scikit-learn ---

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, eval_set: Any = None) -> "SugenoRegressor":
        """Trains on arrays, pandas frames (words are categories), Arrow tables and streams (pyarrow, polars, DuckDB) or files.

        y: the targets; of frames, streams and files also the name of a column. eval_set: (X, y) of rows that choose the best iterate, for
        presets that train once. Ctrl-C ends the training within a moment, keeps the best model so far, and raises KeyboardInterrupt.
        """
        options = self._options()
        with self._as_it_was():
            self.__dict__.pop("_trainer", None)
            rows = self._training_rows(X, y, sample_weight, options)
            valid = self._valid_rows(eval_set, options)
            model, interrupted = train(options, rows, valid, self._callbacks(), bool(self.verbose))
            if model is None and interrupted is not None:
                raise interrupted
            assert model is not None
            self._keep(model, options)
            if is_path(X) or is_stream(X):
                self._learn_names(rows, options)
        if self.verbose:
            self._tell()
        if interrupted is not None:
            raise interrupted
        return self

    def _valid_rows(self, eval_set: Any, options: Options) -> Optional[Rows]:
        if eval_set is None:
            return None
        if isinstance(eval_set, list) and len(eval_set) == 1:
            eval_set = eval_set[0]
        if not isinstance(eval_set, (tuple, list)) or len(eval_set) != 2:
            raise ValueError("eval_set: expected a pair (X, y)")
        return self._training_rows(eval_set[0], eval_set[1], None, options, reset=False)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "SugenoRegressor":
        """Trains on these rows and keeps what was learnt from those before, which need not be there any more.

        The first call finds transforms and rules; each makes one pass over its rows, or `iters` iterations. It never searches: of
        `preset="auto"` it has the start, 16 rules unless `rules` says otherwise. What interrupts it leaves the model of the call before.
        """
        options = self._options()
        first = not hasattr(self, "model_")
        with self._as_it_was():
            rows = self._training_rows(X, y, sample_weight, options, reset=first)
            self._plan_part(options, len(rows))
            before = None if first else self.__dict__.get("_trainer")
            trainer = Trainer(options, rows) if first else Trainer(options, rows, after=before, model=self.model_)
            trainer.run(self._callbacks(), Bar(False))
            self._trainer = trainer
            self._keep(trainer.model(), options)
            if first and (is_path(X) or is_stream(X)):
                self._learn_names(rows, options)
        return self

    def _plan_part(self, options: Options, rows: int) -> None:
        if options.searches and self.schedule is None:
            options.set("schedule", "constant")
        if options.searches and options.get("rules") == "0":
            options.set("rules", max(1, min(16, rows // 4)))
        if self.iters is None:
            options.set("iters", max(1, -(-rows // (int(options.get("batch")) or rows))))

    def _keep(self, model: Model, options: Optional[Options] = None) -> None:
        self.model_, self.n_rules_, self.record_ = model, model.rules, model.record
        self.notices_ = options.notices if options else []
        if self._flat is None:
            self._flat = len(model.outputs) == 1

    def predict(self, X: Any, return_interval: Optional[float] = None) -> Any:
        """(rows), or (rows, targets) where there are several. return_interval: a level such as 0.9 gives (predictions, lower, upper)."""
        check_is_fitted(self, "model_")
        y = self.model_.predict(self._new_rows(X), self._threads())
        found = (y,) if return_interval is None else (y, *self.model_.interval(float(return_interval), y))
        return self._dressed(X, [a[:, 0] if self._flat else a for a in found])

    def _dressed(self, X: Any, found: List[np.ndarray]) -> Any:
        form = getattr(self, "_sklearn_output_config", {}).get("transform", "default")  # which clone keeps
        if form == "default":
            return found[0] if len(found) == 1 else tuple(found)
        names = self.model_.outputs
        parts = {}
        for what, values in zip(("", "lower", "upper"), found):
            for i, name in enumerate(names):
                label = (what or "prediction") + ("" if len(names) == 1 else f"_{name}")
                parts[label] = values if values.ndim == 1 else values[:, i]
        if form == "polars":
            import polars

            return polars.DataFrame(parts)
        import pandas

        return pandas.DataFrame(parts, index=X.index if is_pandas(X) else None)

    def set_output(self, *, transform: Optional[str] = None) -> "SugenoRegressor":
        """What predict returns: "default" (arrays), "pandas" or "polars" (frames with columns prediction, lower, upper). None: as it is."""
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f'transform: expected "default", "pandas" or "polars", not {transform!r}')
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    # --- tags, pickling ---

    def _more_tags(self) -> Dict[str, Any]:  # until 1.5
        return {"allow_nan": True, "multioutput": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.multi_output = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __getstate__(self) -> Dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_trainer", None)
        return state

    # --- what the model says ---

    def _describe(self, format: str = "text", top: int = 0) -> str:
        """rules(): in words, in the data's own units, as "text", "markdown" or "json"; top: only so many, those that govern most rows."""
        check_is_fitted(self, "model_")
        return self.model_.describe(format, top)

    def explain(self, X: Any) -> Explained:
        """What each rule and each input adds to each prediction."""
        check_is_fitted(self, "model_")
        if is_path(X) or is_stream(X):
            return self.model_.explain(self._new_rows(X))
        columns, rows = self._inputs(X, False)
        return self.model_.explain(frame([c._replace(values=c.values.copy()) for c in columns], rows))  # words are told later

    def report(self, path: Union[str, os.PathLike], X: Any = None, y: Any = None) -> None:
        """One page that opens in any browser, with a rule viewer that evaluates the model; with rows, how well it does on them."""
        check_is_fitted(self, "model_")
        self.model_.report(path, None if X is None else self._judged_rows(X, y), self._threads())

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the model file, which the command line reads, too."""
        check_is_fitted(self, "model_")
        self.model_.save(path)

    @classmethod
    def load(cls, path: Union[str, os.PathLike]) -> "SugenoRegressor":
        """An estimator with the model of a file, ready to predict: of this package or of the command line. Columns of frames are found by their
        names, and others ignored; arrays have the model's inputs (`model_.inputs`), in their order."""
        return cls._of(Model.load(path))

    @classmethod
    def _of(cls, model: Model) -> "SugenoRegressor":
        found = cls(preset=model.record.get("preset", "auto"))
        found._names, found._targets, found._flat, found._by_name = list(model.inputs), model.outputs, None, True
        found.n_features_in_ = len(found._names)
        found._keep(model)
        return found

    # --- to look at ---

    def plot_membership(self, feature: Union[str, int, None] = None, ax: Any = None) -> Any:
        """Membership functions of an input, or of all of them, one below the other. Needs matplotlib; returns its axes."""
        check_is_fitted(self, "model_")
        return _plots.membership(self.model_, feature, ax)

    def plot_surface(self, x: Union[str, int], y: Union[str, int], at: Optional[Dict[str, Any]] = None, ax: Any = None, points: int = 60) -> Any:
        """The prediction over two inputs, the others in the middle of their range, or where `at` puts them. Needs matplotlib."""
        check_is_fitted(self, "model_")
        return _plots.surface(self.model_, x, y, at or {}, ax, points)

    def plot_learning_curve(self, ax: Any = None) -> Any:
        """RMSE over the iterations of the training. Needs matplotlib."""
        check_is_fitted(self, "model_")
        return _plots.learning_curve(self.model_, ax)

    def _repr_html_(self) -> str:
        if hasattr(self, "model_"):
            return _notebook.page(self.model_, str(self))
        return _notebook.plain(str(self))

    def _repr_mimebundle_(self, **_: Any) -> Dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def load(path: Union[str, os.PathLike]) -> SugenoRegressor:
    """`SugenoRegressor.load`."""
    return SugenoRegressor.load(path)


__all__ = ["Progress", "SugenoRegressor", "load"]
