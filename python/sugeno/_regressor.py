"""SugenoRegressor, the scikit-learn estimator."""
from __future__ import annotations

import contextlib
import copy
import operator
import os
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _notebook, _plots
from ._library import options_table
from ._model import Curve, Explained, Model, Pair
from ._input_reader import InputReader
from ._pandas import is_pandas
from ._rows import Rows, frame, is_path, is_stream
from ._training import ProgressBar, Options, Progress, Trainer, train

_OPTIONS = [o.name.decode().replace("-", "_") for o in options_table()]
_LARGEST_SEED = 2**31 - 1


class _Rules:
    """rules(format="text", top=0): the rules in the units of the data, as "text", "markdown" or "json"; top: at most this many.

    The name is also that of the keyword `rules`, a number, which get_params and set_params use.

    >>> from sklearn.datasets import load_diabetes
    >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(*load_diabetes(return_X_y=True, as_frame=True))
    >>> len(model.rules(top=1).splitlines()) < len(model.rules().splitlines())
    True
    >>> import json
    >>> len(json.loads(model.rules("json"))["rules"])
    4
    """

    def __get__(self, estimator: Any, owner: Any = None) -> Callable[..., str]:
        return self if estimator is None else estimator._describe  # type: ignore[return-value]

    def __set__(self, estimator: Any, value: Any) -> None:
        estimator.__dict__["rules"] = value


class SugenoRegressor(RegressorMixin, InputReader):
    """A Takagi-Sugeno-Kang fuzzy system, trained by libsugeno.

    By default (`preset="auto"`) it compares curves, pairs and rules, and takes the system with the least to read among the most accurate ones. Keywords are the options of `sugeno train`: see
    `help(SugenoRegressor.__init__)` or docs/options.md. None leaves a value to the preset.

    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = SugenoRegressor(budget=1).fit(X, y)
    >>> y_hat, lower, upper = model.predict(X[:3], return_interval=0.9)
    >>> bool((lower < y_hat).all() and (y_hat < upper).all())
    True
    >>> print(SugenoRegressor(preset="mbgd-rda", rules=4).fit(X, y).rules().splitlines()[0])
    4 rules, 10 inputs, target target

    Attributes after fit: model_, n_rules_, n_features_in_, feature_names_in_ (if columns have names), notices_, record_ (the training
    record), intercept_, curves_, pairs_ and frontier_.
    """

    rules: Any = _Rules()

    # --- options ---

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The keywords, by name."""
        return {**super().get_params(deep), "rules": self.__dict__["rules"]}

    def _given(self) -> List[Tuple[str, Any]]:
        found = [(name, self.__dict__[name]) for name in _OPTIONS]  # get_params inspects the signature each time, which takes a millisecond
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
        return Options(self._given(), self._print if self.verbose else None)

    def _print(self, sentence: str) -> None:
        print(sentence, file=sys.stderr)

    def _print_search(self) -> None:
        """Prints what a search tried and chose, like the command line."""
        for name, value in self.record_.items():
            word = name.split("_")[0]
            if word in ("tried", "chosen", "note"):
                self._print(f"{word:7} {value}")

    def _threads(self) -> int:
        return int(self.threads or 0)

    @contextlib.contextmanager
    def _restore_on_error(self) -> Iterator[None]:
        """Restores the attributes of the estimator if the block raises."""
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
        """Trains on arrays, pandas frames (text columns are categories), Arrow tables and streams (pyarrow, polars, DuckDB) or files.

        y: the targets, or the name of a column of a frame, stream or file. eval_set: validation rows (X, y) that select the best iterate, for
        presets that train once. Ctrl-C ends training within a second, keeps the best model so far and raises KeyboardInterrupt.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4).fit(X[:300], y[:300], eval_set=(X[300:], y[300:]))
        >>> list(model.feature_names_in_[:3]), model.n_rules_
        (['age', 'sex', 'bmi'], 4)
        >>> frame = X.assign(progression=y)
        >>> SugenoRegressor(preset="mbgd-rda", rules=4).fit(frame, "progression").model_
        <Model: progression of 10 inputs by 4 rules>
        """
        options = self._options()
        with self._restore_on_error():
            self.__dict__.pop("_trainer", None)
            rows = self._training_rows(X, y, sample_weight, options)
            valid = self._valid_rows(eval_set, options)
            model, interrupted = train(options, rows, valid, self._callbacks(), bool(self.verbose))
            if model is None and interrupted is not None:
                raise interrupted
            assert model is not None
            self._set_model(model, options)
        if self.verbose:
            self._print_search()
        if interrupted is not None:
            raise interrupted
        return self

    def trainer(self, X: Any, y: Any = None, sample_weight: Any = None, eval_set: Any = None) -> Trainer:
        """Prepares training and returns a `Trainer`, which runs one iteration at a time: for learning curves and stopping rules of your own.
        Arguments: as in `fit`. It never searches, like `partial_fit`. The estimator itself stays unfitted.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> trainer = SugenoRegressor(preset="mbgd-rda", rules=4).trainer(X, y)
        >>> for progress in trainer:
        ...     if progress.batch_rmse < 55:
        ...         break
        >>> 0 < progress.done < progress.planned
        True
        """
        options = self._options()
        reader = copy.copy(self)  # stores the column names
        rows = reader._training_rows(X, y, sample_weight, options)
        valid = reader._valid_rows(eval_set, options)
        return Trainer(options, rows, valid, read=lambda X, y: reader._training_rows(X, y, None, options, reset=False))

    def options(self) -> Dict[str, str]:
        """The value of every option by its name of docs/options.md: the keyword's, else the preset's, else the default.

        >>> SugenoRegressor(preset="mbgd-rda", batch=32).options()["drop"]
        'rule'
        """
        return self._options().values()

    def _valid_rows(self, eval_set: Any, options: Options) -> Optional[Rows]:
        if eval_set is None:
            return None
        if isinstance(eval_set, list) and len(eval_set) == 1:
            eval_set = eval_set[0]
        if not isinstance(eval_set, (tuple, list)) or len(eval_set) != 2 or all(isinstance(part, tuple) for part in eval_set):
            raise ValueError("eval_set: expected one pair (X, y)")
        return self._training_rows(eval_set[0], eval_set[1], None, options, reset=False)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "SugenoRegressor":
        """Continues training on more rows; earlier rows are not needed any more.

        The first call fits transforms and initialises rules. Each call makes one pass over its rows, or `iters` iterations. It never
        searches: with `preset="auto"` it trains the starting point of the search, with 16 rules or `rules`. After an interruption the
        estimator has the model of the previous call. Additive models are fitted by the first call; later calls update the numbers of their
        curves and pairs, and keep knots and pairs. All rows so far count equally.

        >>> from sklearn.datasets import make_friedman1
        >>> model = SugenoRegressor()
        >>> for part in range(20):
        ...     model = model.partial_fit(*make_friedman1(2000, random_state=part))
        >>> model.score(*make_friedman1(2000, random_state=99)) > 0.9
        True
        """
        options = self._options()
        first = not hasattr(self, "model_")
        if first and options.get("structure") == "additive":
            return self.fit(X, y, sample_weight)
        with self._restore_on_error():
            rows = self._training_rows(X, y, sample_weight, options, reset=first)
            if not first and self.model_.curves and not self.model_.blocks:
                self._set_model(self.model_.update(options.handle, rows), options)
                return self
            self._plan_part(options, len(rows))
            before = None if first else self.__dict__.get("_trainer")
            trainer = Trainer(options, rows) if first else Trainer(options, rows, after=before, model=self.model_)
            trainer.run(self._callbacks(), ProgressBar(False))
            self._trainer = trainer
            self._set_model(trainer.model(), options)
        return self

    def _plan_part(self, options: Options, rows: int) -> None:
        if options.searches and self.schedule is None:
            options.set("schedule", "constant")
        if options.searches and options.get("rules") == "0":
            options.set("rules", max(1, min(16, rows // 4)))
        if self.iters is None:
            options.set("iters", max(1, -(-rows // (int(options.get("batch")) or rows))))

    def _set_model(self, model: Model, options: Optional[Options] = None) -> None:
        self.model_, self.n_rules_ = model, model.rules
        self.notices_ = options.notices if options else []
        if self._flat is None:
            self._flat = len(model.outputs) == 1

    @property
    def record_(self) -> Dict[str, str]:
        """The training record: options, and what a search tried and chose."""
        return self.model_.record

    @property
    def intercept_(self) -> Any:
        """What curves, pairs and rules are added to: a number, or an array with one for each target. The mean prediction of an additive model."""
        return self.model_.intercept

    @property
    def curves_(self) -> List[Curve]:
        """The curves of an additive model (presets additive, additive-pairs, and auto if it chooses one); else empty.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="additive").fit(X, y)
        >>> bmi = [c for c in model.curves_ if c.input == "bmi"][0]
        >>> bool(bmi.values[-1] > bmi.values[0]), len(bmi.values) == len(bmi.positions)
        (True, True)
        """
        return self.model_.curves

    @property
    def pairs_(self) -> List[Pair]:
        """The tables of pairs of inputs of an additive model; else empty."""
        return self.model_.pairs

    @property
    def frontier_(self) -> List[Dict[str, Any]]:
        """The systems that the search offers, from the one that is cheapest to read to the most accurate: name, options, error, cost, rules,
        chosen. Empty if the model is not from a search."""
        return self.model_.frontier

    def predict(self, X: Any, return_interval: Optional[float] = None) -> Any:
        """Returns an array (rows), or (rows, targets) for several targets. With return_interval, a level such as 0.9, returns
        (predictions, lower, upper).

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, intervals=5).fit(X, y)
        >>> model.predict(X).shape
        (442,)
        >>> y_hat, lower, upper = model.predict(X, return_interval=0.9)
        >>> bool(0.85 < ((lower <= y) & (y <= upper)).mean() < 0.95)
        True
        """
        check_is_fitted(self, "model_")
        y = self.model_.predict(self._new_rows(X), self._threads())
        found = (y,) if return_interval is None else (y, *self.model_.interval(float(return_interval), y))
        return self._format_output(X, [a[:, 0] if self._flat else a for a in found])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Returns R². y may be the name of a column of a pandas frame.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4).fit(X, y)
        >>> model.score(X, y) == model.score(X.assign(target=y), "target") > 0.4
        True
        """
        if isinstance(y, str) and is_pandas(X):
            X, y = X.drop(columns=y), X[y]
        elif isinstance(y, str):
            raise ValueError("y: expected values, or the name of a column of a pandas frame")
        predicted = self.predict(X)
        return float(r2_score(y, np.asarray(predicted), sample_weight=sample_weight))

    def _format_output(self, X: Any, found: List[np.ndarray]) -> Any:
        form = getattr(self, "_sklearn_output_config", {}).get("transform", "default")  # clone copies this attribute
        if form == "default":
            return found[0] if len(found) == 1 else tuple(found)
        names = self.model_.outputs
        parts = {}
        for kind, values in zip(("", "lower", "upper"), found):
            for i, name in enumerate(names):
                label = (kind or "prediction") + ("" if len(names) == 1 else f"_{name}")
                parts[label] = values if values.ndim == 1 else values[:, i]
        if form == "polars":
            import polars

            return polars.DataFrame(parts)
        import pandas

        return pandas.DataFrame(parts, index=X.index if is_pandas(X) else None)

    def set_output(self, *, transform: Optional[str] = None) -> "SugenoRegressor":
        """Sets what predict returns: "default" (arrays), "pandas" or "polars" (frames with columns prediction, lower, upper). None: no change.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(X, y)
        >>> list(model.set_output(transform="pandas").predict(X).columns)
        ['prediction']
        """
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f'transform: expected "default", "pandas" or "polars", got {transform!r}')
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

    # --- rules and explanations ---

    def _describe(self, format: str = "text", top: int = 0) -> str:
        """The rules in the units of the data, as "text", "markdown" or "json"; top: only those with the largest coverage."""
        check_is_fitted(self, "model_")
        if not isinstance(format, str):
            raise TypeError('rules(): the first argument is the format, "text", "markdown" or "json"; use rules(top=3) for three rules')
        return self.model_.describe(format, operator.index(top))

    def explain(self, X: Any) -> Explained:
        """Returns the contribution of each rule and each input to each prediction.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(X, y)
        >>> found = model.explain(X)
        >>> found
        <Explained: 442 rows, 12 terms by input, 5 by rule>
        >>> bool(sum(found.by_rule[0, 0]) == model.predict(X[:1])[0])
        True
        >>> bool(found.to_frame()["bmi"].abs().mean() > found.to_frame()["age"].abs().mean())
        True
        """
        check_is_fitted(self, "model_")
        if is_path(X) or is_stream(X):
            return self.model_.explain(self._new_rows(X))
        columns, rows = self._inputs(X, False)
        return self.model_.explain(frame([c._replace(values=c.values.copy()) for c in columns], rows))  # its text is made later

    def report(self, path: Union[str, os.PathLike], X: Any = None, y: Any = None) -> None:
        """Writes a self-contained HTML page with an interactive rule viewer and, if rows are given, the accuracy on them.

        >>> import os, tempfile
        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(X, y)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     model.report(os.path.join(folder, "report.html"), X, y)
        """
        check_is_fitted(self, "model_")
        self.model_.report(path, None if X is None else self._evaluation_rows(X, y), self._threads())

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the model file, which the command line can read.

        >>> import os, tempfile
        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(X, y)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "model.json")
        ...     model.save(path)
        ...     again = SugenoRegressor.load(path)
        >>> bool((again.predict(X) == model.predict(X)).all())
        True
        """
        check_is_fitted(self, "model_")
        self.model_.save(path)

    @classmethod
    def load(cls, path: Union[str, os.PathLike]) -> "SugenoRegressor":
        """Loads a model file of this package or of the command line. Columns of frames are found by name, and others are ignored; arrays must
        have the inputs of the model (`model_.inputs`) in order."""
        return cls._from_model(Model.load(path))

    @classmethod
    def _from_model(cls, model: Model) -> "SugenoRegressor":
        found = cls(preset=model.record.get("preset", "auto"))
        found._names, found._targets, found._flat, found._by_name = list(model.inputs), model.outputs, None, True
        found.n_features_in_ = len(found._names)
        found._set_model(model)
        return found

    # --- plots ---

    def plot_membership(self, feature: Union[str, int, None] = None, ax: Any = None) -> Any:
        """Plots the membership functions of an input, or of all inputs. Needs matplotlib; returns its axes.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(X, y)
        >>> model.plot_membership("bmi").get_xlabel()
        'bmi'
        """
        check_is_fitted(self, "model_")
        return _plots.membership(self.model_, feature, ax)

    def plot_surface(self, x: Union[str, int], y: Union[str, int], at: Optional[Dict[str, Any]] = None, ax: Any = None, points: int = 60) -> Any:
        """Plots the prediction over two inputs, with the others at the values of `at` or in the middle of their range. Needs matplotlib.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(X, y)
        >>> axes = model.plot_surface("bmi", "bp", at={"age": 0.05})
        >>> axes.get_xlabel(), axes.get_ylabel()
        ('bmi', 'bp')
        """
        check_is_fitted(self, "model_")
        return _plots.surface(self.model_, x, y, at or {}, ax, points)

    def plot_curves(self, feature: Union[str, int, None] = None, output: Union[str, int] = 0, ax: Any = None) -> Any:
        """Plots the curve of an input of an additive model, or all curves by importance, with bands of two standard errors and the density of
        the training rows. output: the target. Needs matplotlib; returns its axes.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> SugenoRegressor(preset="additive").fit(X, y).plot_curves("bmi").get_xlabel()
        'bmi'
        """
        check_is_fitted(self, "model_")
        return _plots.curves(self.model_, feature, output, ax)

    def plot_pairs(self, pair: Any = None, output: Union[str, int] = 0, ax: Any = None) -> Any:
        """Plots the table of a pair of inputs, such as ("age", "bmi"), or all tables by importance, as heat maps. Needs matplotlib.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> SugenoRegressor(preset="additive-pairs", pairs="age:bmi").fit(X, y).plot_pairs(("age", "bmi")).get_xlabel()
        'age'
        """
        check_is_fitted(self, "model_")
        return _plots.pairs(self.model_, pair, output, ax)

    def plot_learning_curve(self, ax: Any = None) -> Any:
        """Plots the RMSE over the iterations of the training. Needs matplotlib.

        >>> from sklearn.datasets import load_diabetes
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> model = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(X, y)
        >>> model.plot_learning_curve().get_ylabel()
        'RMSE'
        """
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
