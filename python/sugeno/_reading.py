"""What is passed to fit and predict, as rows of the library: names and shapes are checked here, values while C reads them."""
from __future__ import annotations

import inspect
import warnings
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_consistent_length

from ._model import Model
from ._parameters import Parameters
from ._pandas import How, is_pandas, of_pandas
from ._rows import Rows, Values, files, frame, is_path, is_stream, of_matrix, readable, stream, stream_names, unused
from ._training import Options, opened

_FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"

# --- arrays ---


def _matrix(x: Any) -> np.ndarray:
    """Numbers, NaN where one is missing; C looks for infinities while it reads."""
    if hasattr(x, "collect") and not hasattr(x, "__array__"):
        raise ValueError("X is computed later: pass X.collect()")
    if type(x) is np.ndarray and x.ndim == 2 and x.size and readable(x):
        return x
    if getattr(getattr(x, "dtype", None), "kind", "") in tuple("mM"):
        raise ValueError("X holds dates or times: expected numbers")
    if np.ma.isMaskedArray(x):
        x = np.ma.filled(x.astype(np.float64), np.nan)
    return check_array(x, dtype="numeric", **{_FINITE: "allow-nan"})


def _column(values: Any, name: str) -> np.ndarray:
    """Targets: (rows) or (rows, outputs), finite."""
    if values is None:
        raise ValueError("This SugenoRegressor estimator requires y to be passed, but the target y is None.")
    if getattr(getattr(values, "dtype", None), "kind", "") in tuple("mM"):
        raise ValueError("y holds dates or times: expected numbers")
    if np.ma.is_masked(values):
        raise ValueError("y has masked values: leave these rows out")
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

# --- the estimator's side ---


class Reading(Parameters, BaseEstimator):
    """What an estimator knows of the columns that it was fitted on, and reads by."""

    model_: Model
    _say: Callable[[str], None]
    _names: List[Optional[str]]  # of the columns of X, None for those that are no inputs, such as dates
    _targets: List[str]
    _flat: Optional[bool]  # y has one dimension
    _categories: List[str]  # of a frame
    _by_name: bool = False  # columns of frames are found by their names, whatever others there are: the model came from a file

    def _reading(self) -> Options:
        """What says how files are read."""
        return Options([(name, getattr(self, name)) for name in ("header", "delimiter", "missing", "memory")],
                       self._say if self.verbose else None)

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
            return self._of_frame(X, reset), len(X)
        x = _matrix(X)
        if reset:
            self._look_at(x, reset)
            self._names = [f"x{i}" for i in range(x.shape[1])]
        elif not self._by_name:
            self._look_at(X if hasattr(self, "feature_names_in_") else x, reset)
        if len(self._names) != x.shape[1]:
            raise ValueError(f"X has {x.shape[1]} features, but SugenoRegressor is expecting {len(self._names)} features as input.")
        return [Values(n, x[:, i]) for i, n in enumerate(self._names) if n is not None], len(x)

    def _of_frame(self, X: Any, reset: bool) -> List[Values]:
        if not self._by_name or reset:
            self._look_at(X, reset)
        if X.shape[0] == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
        if reset:
            columns = of_pandas(X, self._kinds(X, reset))
            found = [c for c in columns if isinstance(c, Values)]
            self._names = [c.name if isinstance(c, Values) else None for c in columns]
            self._categories = [c.name for c in found if c.levels is not None]
            self._warn_of_columns(X, columns)
            return found
        wanted = [str(n) in self._names for n in X.columns] if self._by_name else [n is not None for n in self._names]
        found = [c for c in of_pandas(X, self._kinds(X, reset), wanted) if isinstance(c, Values)]
        return found if self._by_name else [c._replace(name=n) for c, n in zip(found, (n for n in self._names if n is not None))]

    def _kinds(self, X: Any, reset: bool) -> How:
        named = ("ignore", "categorical", "numeric", "group")
        options = Options([(name, getattr(self, name)) for name in (*named, "missing")])
        if not reset:
            known = self.model_.categories if hasattr(self, "model_") else ()  # of files and streams
            return How.to_predict(options, self.__dict__.get("_categories", known))
        for name in named:
            for column in options.get(name).split(","):
                if column and column not in map(str, X.columns):
                    raise ValueError(f'{name}: there is no column "{column}"')
        return How.to_train(options)

    def _warn_of_columns(self, X: Any, columns: Sequence[Union[Values, str]]) -> None:
        for why in ("dates", "identifiers"):
            names = [str(n) for n, c in zip(X.columns, columns) if isinstance(c, str) and c == why]
            if names:
                warnings.warn(f"left out {why}: {', '.join(names)}", UserWarning, stacklevel=7)

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
            for name in ("_targets", "_by_name", "_categories", "feature_names_in_", "n_features_in_"):
                self.__dict__.pop(name, None)
        names = [y] if isinstance(y, str) else list(y) if isinstance(y, (list, tuple)) and y and all(isinstance(n, str) for n in y) else None
        if is_path(X) or is_stream(X):
            found = self._read(X, y, names, sample_weight, options, reset)
            if reset:
                self._learn_names(found, options)
            return found
        if self.targets is not None or self.weights is not None:
            raise ValueError("targets and weights name columns of files and streams: here pass y and sample_weight")
        if is_pandas(X) and names is not None:
            missing = [n for n in names if n not in X.columns]
            if missing:
                raise ValueError(f'there is no column "{missing[0]}" to take for y')
            y, X = X[names[0]] if isinstance(y, str) else X[names], X.drop(columns=names)
        columns, rows = self._inputs(X, reset)
        if rows < 2 and reset:
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
            found = opened(options, lambda o: files(X, o) if is_path(X) else stream(X, o, None))
        elif is_path(X):
            raise ValueError("of a file y is the name of the target, or None: the last column")
        else:
            rows = len(y)
            columns, weights = self._beside(y, sample_weight, rows, stream_names(X), reset)
            beside = frame(columns, rows)
            if weights:
                options.set("weights", weights)
            self._name_targets(options)
            found = opened(options, lambda o: stream(X, o, beside))
        for sentence in options.notices:
            if sentence.startswith("left out"):
                warnings.warn(sentence, UserWarning, stacklevel=4)
        return found

    def _learn_names(self, rows: Rows, options: Options) -> None:
        """Files and streams bring names along: of inputs, and of columns that are none."""
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
            return opened(self._reading(), lambda o: files(X, o, self.model_.handle))
        if is_stream(X):
            if not hasattr(self, "feature_names_in_") and not self._by_name:
                raise ValueError("it was fitted without names of columns: pass an array, such as X.to_numpy(), or fit with names")
            return opened(self._reading(), lambda o: stream(X, o, None, self.model_.handle))
        columns, rows = self._inputs(X, False)
        return frame(columns, rows)

    def _judged_rows(self, X: Any, y: Any) -> Rows:
        """Rows with their targets, for a report."""
        if is_path(X):
            return opened(self._reading(), lambda o: files(X, o, self.model_.handle, targets=True))
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
            return opened(self._reading(), lambda o: stream(X, o, frame(beside, len(table)), self.model_.handle, targets=True))
        columns, rows = self._inputs(X, False)
        return frame([*columns, *beside], rows)


__all__ = ["Reading"]
