"""Converts the arguments of fit and predict to rows of the library. Names and shapes are checked here, values by C as it reads them."""
from __future__ import annotations

import inspect
import warnings
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_consistent_length

from ._model import Model
from ._parameters import Parameters
from ._pandas import ColumnRules, is_pandas, of_pandas
from ._rows import Rows, Values, files, frame, is_path, is_stream, of_matrix, readable, stream, stream_names, unused
from ._training import Options, open_interruptible

_FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"

# --- arrays ---


def _matrix(x: Any) -> np.ndarray:
    """A numeric matrix; NaN is a missing value. C checks for infinities as it reads."""
    if hasattr(x, "collect") and not hasattr(x, "__array__"):
        raise ValueError("X is a lazy frame: pass X.collect()")
    if type(x) is np.ndarray and x.ndim == 2 and x.size and readable(x):
        return x
    if getattr(getattr(x, "dtype", None), "kind", "") in tuple("mM"):
        raise ValueError("X contains dates or times; expected numbers")
    if np.ma.isMaskedArray(x):
        x = np.ma.filled(x.astype(np.float64), np.nan)
    return check_array(x, dtype="numeric", **{_FINITE: "allow-nan"})


def _column(values: Any, name: str) -> np.ndarray:
    """Checks targets: (rows) or (rows, outputs), finite."""
    if values is None:
        raise ValueError("This SugenoRegressor estimator requires y to be passed, but the target y is None.")
    if getattr(getattr(values, "dtype", None), "kind", "") in tuple("mM"):
        raise ValueError("y contains dates or times; expected numbers")
    if np.ma.is_masked(values):
        raise ValueError("y has masked values: remove these rows")
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
    """The column names of y if it has any, without commas, which separate names in an option."""
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

# --- the base class of the estimator ---


class InputReader(Parameters, BaseEstimator):
    """Reads rows, and stores the columns that the estimator was fitted on."""

    model_: Model
    _say: Callable[[str], None]
    _names: List[Optional[str]]  # of the columns of X; None for dropped ones, such as dates
    _targets: List[str]
    _flat: Optional[bool]  # y is one-dimensional
    _categories: List[str]  # categorical columns of a frame
    _by_name: bool = False  # the model was loaded from a file: columns of frames are found by name, others are ignored

    def _reading(self) -> Options:
        """The options for reading files."""
        return Options([(name, getattr(self, name)) for name in ("header", "delimiter", "missing", "memory")],
                       self._say if self.verbose else None)

    def _check_features(self, X: Any, reset: bool) -> None:
        """The checks of scikit-learn: column names and their number."""
        if hasattr(BaseEstimator, "_check_feature_names"):  # until 1.5
            self._check_feature_names(X, reset=reset)
            self._check_n_features(X, reset=reset)
        else:
            from sklearn.utils.validation import validate_data

            validate_data(self, X, reset=reset, skip_check_array=True)

    def _inputs(self, X: Any, reset: bool) -> Tuple[List[Values], int]:
        """The columns of an array or frame, and the number of rows. After fit, columns are identified by position; scikit-learn has checked
        their names."""
        if is_pandas(X):
            return self._frame_columns(X, reset), len(X)
        x = _matrix(X)
        if reset:
            self._check_features(x, reset)
            self._names = [f"x{i}" for i in range(x.shape[1])]
        elif not self._by_name:
            self._check_features(X if hasattr(self, "feature_names_in_") else x, reset)
        if len(self._names) != x.shape[1]:
            raise ValueError(f"X has {x.shape[1]} features, but SugenoRegressor is expecting {len(self._names)} features as input.")
        return [Values(n, x[:, i]) for i, n in enumerate(self._names) if n is not None], len(x)

    def _frame_columns(self, X: Any, reset: bool) -> List[Values]:
        if not self._by_name or reset:
            self._check_features(X, reset)
        if X.shape[0] == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
        if reset:
            columns = of_pandas(X, self._column_rules(X, reset))
            found = [c for c in columns if isinstance(c, Values)]
            self._names = [c.name if isinstance(c, Values) else None for c in columns]
            self._categories = [c.name for c in found if c.levels is not None]
            self._warn_of_columns(X, columns)
            return found
        wanted = [str(n) in self._names for n in X.columns] if self._by_name else [n is not None for n in self._names]
        found = [c for c in of_pandas(X, self._column_rules(X, reset), wanted) if isinstance(c, Values)]
        return found if self._by_name else [c._replace(name=n) for c, n in zip(found, (n for n in self._names if n is not None))]

    def _column_rules(self, X: Any, reset: bool) -> ColumnRules:
        named = ("ignore", "categorical", "numeric", "group")
        options = Options([(name, getattr(self, name)) for name in (*named, "missing")])
        if not reset:
            known = self.model_.categories if hasattr(self, "model_") else ()  # fitted on files or streams
            return ColumnRules.for_prediction(options, self.__dict__.get("_categories", known))
        for name in named:
            for column in options.get(name).split(","):
                if column and column not in map(str, X.columns):
                    raise ValueError(f'{name}: there is no column "{column}"')
        return ColumnRules.for_training(options)

    def _warn_of_columns(self, X: Any, columns: Sequence[Union[Values, str]]) -> None:
        for reason in ("dates", "identifiers"):
            names = [str(n) for n, c in zip(X.columns, columns) if isinstance(c, str) and c == reason]
            if names:
                warnings.warn(f"left out {reason}: {', '.join(names)}", UserWarning, stacklevel=7)

    def _target_columns(self, y: Any, sample_weight: Any, rows: int, taken: Sequence[str], reset: bool) -> Tuple[List[Values], Optional[str]]:
        """Weights and targets as columns, and the name of the weight column."""
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
        """Rows with targets. For files and streams, y is the name of the target, a list of names, or None for the last column."""
        if reset:
            for name in ("_targets", "_by_name", "_categories", "feature_names_in_", "n_features_in_"):
                self.__dict__.pop(name, None)
        names = [y] if isinstance(y, str) else list(y) if isinstance(y, (list, tuple)) and y and all(isinstance(n, str) for n in y) else None
        if is_path(X) or is_stream(X):
            found = self._read(X, y, names, sample_weight, options, reset)
            if reset:
                self._store_names(found, options)
            return found
        if self.targets is not None or self.weights is not None:
            raise ValueError("targets and weights name columns of files and streams; for arrays and frames pass y and sample_weight")
        if is_pandas(X) and names is not None:
            missing = [n for n in names if n not in X.columns]
            if missing:
                raise ValueError(f'y: there is no column "{missing[0]}"')
            y, X = X[names[0]] if isinstance(y, str) else X[names], X.drop(columns=names)
        columns, rows = self._inputs(X, reset)
        if rows < 2 and reset:
            raise ValueError("Found array with 1 sample(s) while a minimum of 2 is required to train on.")
        if y is not None:
            check_consistent_length(X, y)
        more, weights = self._target_columns(y, sample_weight, rows, [c.name for c in columns], reset)
        found = frame([*columns, *more], rows)
        if weights:
            found.set_weights(weights)
        self._name_targets(options)
        return found

    def _read(self, X: Any, y: Any, names: Optional[List[str]], sample_weight: Any, options: Options, reset: bool) -> Rows:
        """Rows of a file or a stream. For a stream, y may also be values."""
        if names is not None or y is None:
            if sample_weight is not None:
                raise ValueError("sample_weight: the target is a column, so use the keyword weights to name the column of row weights")
            if names is not None:
                options.set("targets", names)
            found = open_interruptible(options, lambda o: files(X, o) if is_path(X) else stream(X, o, None))
        elif is_path(X):
            raise ValueError("y: expected the name of a column of the file, or None for the last one")
        else:
            rows = len(y)
            columns, weights = self._target_columns(y, sample_weight, rows, stream_names(X), reset)
            extra = frame(columns, rows)
            if weights:
                options.set("weights", weights)
            self._name_targets(options)
            found = open_interruptible(options, lambda o: stream(X, o, extra))
        for sentence in options.notices:
            if sentence.startswith("left out"):
                warnings.warn(sentence, UserWarning, stacklevel=4)
        return found

    def _store_names(self, rows: Rows, options: Options) -> None:
        """Stores the names of inputs and targets of a file or stream."""
        if "_targets" not in self.__dict__:
            self._targets = rows.targets(options.handle)
            self._flat = len(self._targets) == 1
        others = {*self._targets, *options.get("ignore").split(","), options.get("weights"), options.get("group")}
        self._names = [n for n in rows.names if n not in others]
        self.feature_names_in_ = np.array(self._names, dtype=object)
        self.n_features_in_ = len(self._names)

    def _new_rows(self, X: Any) -> Rows:
        """Rows to predict."""
        if is_path(X):
            return open_interruptible(self._reading(), lambda o: files(X, o, self.model_.handle))
        if is_stream(X):
            if not hasattr(self, "feature_names_in_") and not self._by_name:
                raise ValueError("the estimator was fitted without column names: pass an array, such as X.to_numpy(), or fit with names")
            return open_interruptible(self._reading(), lambda o: stream(X, o, None, self.model_.handle))
        columns, rows = self._inputs(X, False)
        return frame(columns, rows)

    def _evaluation_rows(self, X: Any, y: Any) -> Rows:
        """Rows with targets, for a report."""
        if is_path(X):
            return open_interruptible(self._reading(), lambda o: files(X, o, self.model_.handle, targets=True))
        if is_pandas(X) and isinstance(y, str):
            y, X = X[y], X.drop(columns=y)
        outputs = self.model_.outputs
        target = _column(y, "y")
        check_consistent_length(X if hasattr(X, "__len__") else target, target)
        table = target.reshape(len(target), -1)
        if table.shape[1] != len(outputs):
            raise ValueError(f"y has {table.shape[1]} targets, but SugenoRegressor is expecting {len(outputs)}")
        targets = of_matrix(table, outputs)
        if is_stream(X):
            return open_interruptible(self._reading(), lambda o: stream(X, o, frame(targets, len(table)), self.model_.handle, targets=True))
        columns, rows = self._inputs(X, False)
        return frame([*columns, *targets], rows)


__all__ = ["InputReader"]
