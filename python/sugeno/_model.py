"""Model, a trained system, and Explained, the explanation of its predictions."""
from __future__ import annotations

import ctypes
import json
import os
from ctypes import byref, c_char_p, c_size_t
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._library import EXPLAINED, CurveView, Handle, PairView, VERSION, check, existing_path, lib, new_handle, read_string
from ._rows import Rows

_BY_INPUT, _BY_RULE = 0, 1


class Explained:
    """Predictions and their terms, which sum to the prediction exactly if added in order.

    prediction: (rows, outputs); by_input and by_rule: (rows, outputs, terms), named by input_terms and rule_terms. See docs/explain.md.

    >>> from sklearn.datasets import load_diabetes
    >>> from sugeno import SugenoRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> found = SugenoRegressor(preset="mbgd-rda", rules=4, pca=0).fit(X, y).explain(X[:5])
    >>> found.by_input.shape == (5, 1, len(found.input_terms))
    True
    >>> print(found.text(2).splitlines()[0])  # doctest: +ELLIPSIS
    Row 3: target = ...
    """

    def __init__(self, prediction: np.ndarray, by_input: np.ndarray, by_rule: np.ndarray, input_terms: List[str], rule_terms: List[str],
                 describe: Optional[Callable[[int], str]]):
        self.prediction, self.by_input, self.by_rule = prediction, by_input, by_rule
        self.input_terms, self.rule_terms, self._describe = input_terms, rule_terms, describe

    def __len__(self) -> int:
        return len(self.prediction)

    def text(self, row: int = 0) -> str:
        """A row as text: the largest terms, and the sum of the others. Rows count from 0 here, and from 1 in the text."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        if self._describe is None:
            raise ValueError("a pickled explanation has no text: explain the rows again")
        return self._describe(row % len(self))

    def to_frame(self, by: str = "inputs", output: int = 0) -> Any:
        """A pandas frame with a column for the prediction and one for each term; by: "inputs" or "rules"."""
        import pandas

        if by not in ("inputs", "rules"):
            raise ValueError(f'by: expected "inputs" or "rules", got {by!r}')
        terms, names = (self.by_rule, self.rule_terms) if by == "rules" else (self.by_input, self.input_terms)
        found = pandas.DataFrame(terms[:, output, :], columns=names)
        found.insert(0, "prediction", self.prediction[:, output], allow_duplicates=True)
        return found

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_describe": None}

    def __repr__(self) -> str:
        return f"<Explained: {len(self)} rows, {len(self.input_terms)} terms by input, {len(self.rule_terms)} by rule>"


class Curve(NamedTuple):
    """What an input adds to the prediction. Arrays have one number per position or level, or a row of one per target if there are several.

    positions: ascending, in the units of the input, with straight lines between them; None for a category. levels: the names of a category,
    else None. missing: what a missing value adds. standard_error: of the values, or None. share: the shares of the training rows, then that
    of missing values, or None. importance: standard deviation over the training rows, or None. monotone: 1, -1, or 0 for neither."""

    input: str
    positions: Optional[np.ndarray]
    levels: Optional[List[str]]
    values: np.ndarray
    missing: Any
    standard_error: Optional[np.ndarray]
    share: Optional[np.ndarray]
    importance: Any
    monotone: int


class Pair(NamedTuple):
    """What two inputs add in addition to their curves: a table, linear between its rows and between its columns.

    rows, columns: positions, or names of levels, of the first and the second input. values: (rows, columns), or (rows, columns, targets).
    importance: standard deviation over the training rows, or None."""

    inputs: Tuple[str, str]
    rows: Any
    columns: Any
    values: np.ndarray
    importance: Any


class Model:
    """A trained model. Its file format is that of the command line.

    >>> from sklearn.datasets import load_diabetes
    >>> from sugeno import SugenoRegressor
    >>> model = SugenoRegressor(preset="mbgd-rda", rules=4).fit(*load_diabetes(return_X_y=True, as_frame=True)).model_
    >>> model
    <Model: target of 10 inputs by 4 rules>
    >>> model.inputs[:3], model.outputs
    (['age', 'sex', 'bmi'], ['target'])
    >>> Model.from_text(model.to_text()).to_text() == model.to_text()
    True
    """

    def __init__(self, handle: Handle):
        self.handle = handle

    def __repr__(self) -> str:
        return f"<Model: {', '.join(self.outputs)} of {len(self.inputs)} inputs by {self.rules} rules>"

    # --- files ---

    @classmethod
    def load(cls, path: Union[str, os.PathLike]) -> "Model":
        return cls(new_handle(lib.sg_model_free, lib.sg_model_load, existing_path(path)))

    @classmethod
    def from_text(cls, text: str, name: str = "the model") -> "Model":
        data = text.encode("utf-8")
        return cls(new_handle(lib.sg_model_free, lib.sg_model_from_json, data, len(data), name.encode()))

    def save(self, path: Union[str, os.PathLike]) -> None:
        check(lib.sg_model_save(self.handle, os.fsencode(path)))

    def to_text(self) -> str:
        """The text of the model file."""
        return read_string(lib.sg_model_to_json, self.handle)

    def __getstate__(self) -> Dict[str, str]:
        return {"text": self.to_text(), "version": VERSION}

    def __setstate__(self, state: Dict[str, str]) -> None:
        self.handle = Model.from_text(state["text"], "the pickled model").handle

    # --- properties ---

    @property
    def inputs(self) -> List[str]:
        return [lib.sg_model_input_name(self.handle, i).decode() for i in range(lib.sg_model_inputs(self.handle))]

    @property
    def outputs(self) -> List[str]:
        return [lib.sg_model_output_name(self.handle, i).decode() for i in range(lib.sg_model_outputs(self.handle))]

    def levels(self, i: int) -> List[str]:
        """The level names of input i; empty for a numeric input."""
        return [lib.sg_model_level(self.handle, i, k).decode() for k in range(lib.sg_model_levels(self.handle, i))]

    @property
    def categories(self) -> List[str]:
        """The names of the categorical inputs."""
        return [name for i, name in enumerate(self.inputs) if lib.sg_model_levels(self.handle, i)]

    @property
    def blocks(self) -> int:
        return int(lib.sg_model_blocks(self.handle))

    @property
    def rules(self) -> int:
        return int(lib.sg_model_rules(self.handle))

    @property
    def reading_cost(self) -> int:
        """How much there is to read: conditions, distinct terms, and numbers that are not 0."""
        return int(lib.sg_model_reading_cost(self.handle))

    @property
    def parameters(self) -> np.ndarray:
        """A copy of all trainable parameters, in the order of docs/model-file.md."""
        theta = lib.sg_model_theta(self.handle)
        return np.ctypeslib.as_array(theta, (lib.sg_model_parameters(self.handle),)).copy()

    @property
    def record(self) -> Dict[str, str]:
        """The training record: names and values as text."""
        found: Dict[str, str] = {}
        name, value = c_char_p(), c_char_p()
        while lib.sg_model_record(self.handle, len(found), byref(name), byref(value)):
            found[(name.value or b"").decode()] = (value.value or b"").decode()
        return found

    @property
    def intercept(self) -> Any:
        """What curves, pairs and rules are added to: a number, or an array with one for each target."""
        found = np.array([lib.sg_model_mean(self.handle, o) for o in range(len(self.outputs))])
        return float(found[0]) if len(found) == 1 else found

    @property
    def curves(self) -> List[Curve]:
        """The curves of an additive model, in the order of its inputs."""
        found: List[Curve] = []
        view = CurveView()
        while lib.sg_model_curve(self.handle, len(found), byref(view)):
            values, errors = self._table(view.value, view.cells + 1), self._table(view.standard_error, view.cells + 1)
            positions = np.ctypeslib.as_array(view.knot, (view.cells,)).copy() if view.knot else None
            share = np.ctypeslib.as_array(view.share, (view.cells + 1,)).copy() if view.share else None
            found.append(Curve(self.inputs[view.input], positions, None if view.knot else self._curve_levels(view.input, view.cells), values[:-1],
                               values[-1], None if errors is None else errors[:-1], share, self._importance(view.importance), view.monotone))
        return found

    @property
    def pairs(self) -> List[Pair]:
        """The tables of pairs of inputs of an additive model."""
        found: List[Pair] = []
        view = PairView()
        names, curves = self.inputs, self.curves
        while lib.sg_model_pair(self.handle, len(found), byref(view)):
            axes = []
            for side in range(2):
                curve, cells = curves[view.curve[side]], [view.cell[side][i] for i in range(view.terms[side])]
                axes.append([curve.levels[i] for i in cells] if curve.levels is not None else curve.positions[cells])
            values = self._table(view.value, view.terms[0] * view.terms[1])
            values = values.reshape((view.terms[0], view.terms[1]) + values.shape[1:])
            found.append(Pair((names[view.input[0]], names[view.input[1]]), axes[0], axes[1], values, self._importance(view.importance)))
        return found

    def _table(self, pointer: Any, rows: int) -> Any:
        """A copy of (rows, outputs) numbers, or of (rows) numbers if there is one output."""
        if not pointer:
            return None
        outputs = len(self.outputs)
        return np.ctypeslib.as_array(pointer, (rows,) if outputs == 1 else (rows, outputs)).copy()

    def _importance(self, pointer: Any) -> Any:
        found = self._table(pointer, 1)
        return None if found is None else found[0]

    def _curve_levels(self, i: int, cells: int) -> List[str]:
        """The levels of a category; those that have no entry of their own share the last one."""
        names = self.levels(i)
        return names if len(names) == cells else names[:cells - 1] + ["other levels"]

    @property
    def frontier(self) -> List[Dict[str, Any]]:
        """The points of the search that led to the model, as in its file: name, options, error, standard_error, cost, rules, chosen."""
        return json.loads(self.to_text()).get("frontier", [])

    @property
    def has_intervals(self) -> bool:
        return lib.sg_model_calibration_rows(self.handle) > 0

    def curve(self) -> Dict[str, List[float]]:
        """The learning curve: iteration, train and valid (RMSE)."""
        points = json.loads(self.to_text()).get("training", {}).get("curve", [])
        names = ("iteration", "train", "valid")
        return {name: [_at(p, i, name) for p in points] for i, name in enumerate(names)}

    def grid(self, i: int, most: int) -> np.ndarray:
        """At most `most` values over the training range of input i, or the level indices of a category."""
        at = np.empty(lib.sg_model_input_grid(self.handle, i, most, None))
        lib.sg_model_input_grid(self.handle, i, most, at.ctypes.data)
        return at

    def describe(self, form: str, top: int = 0) -> str:
        return read_string(lib.sg_model_describe_as, self.handle, form.encode(), top)

    def memberships(self, most: int = 200) -> Dict[str, Tuple[np.ndarray, List[np.ndarray]]]:
        """{input: (values, [memberships of each MF at these values])} for the numeric inputs that occur in conditions."""
        found: Dict[str, Tuple[np.ndarray, List[np.ndarray]]] = {}
        names, i = self.inputs, c_size_t()
        for block in range(self.blocks):
            for mf in range(lib.sg_model_mfs(self.handle, block)):
                if lib.sg_model_membership(self.handle, block, mf, None, 0, byref(i), None):
                    continue
                at = found[names[i.value]][0] if names[i.value] in found else self.grid(i.value, most)
                values = np.empty(len(at))
                check(lib.sg_model_membership(self.handle, block, mf, at.ctypes.data, len(at), byref(i), values.ctypes.data))
                found.setdefault(names[i.value], (at, []))[1].append(values)
        return found

    # --- rows ---

    def transform(self, x: np.ndarray) -> np.ndarray:
        """Returns what the conditions of the rules see of rows: x, with the model's inputs as columns, after z-scores, clamps and principal
        components."""
        x = np.ascontiguousarray(x, dtype=np.float64)
        if x.ndim != 2 or x.shape[1] != lib.sg_model_inputs(self.handle):
            raise ValueError(f"x: expected rows of {lib.sg_model_inputs(self.handle)} inputs, got an array of shape {x.shape}")
        seen = np.empty((len(x), lib.sg_model_transform_width(self.handle)))
        check(lib.sg_model_transform(self.handle, x.ctypes.data, len(x), seen.ctypes.data))
        return seen

    def update(self, options: Handle, rows: Rows) -> "Model":
        """The additive model with numbers updated by more rows."""
        return Model(new_handle(lib.sg_model_free, lib.sg_model_update, self.handle, options, byref(rows.source)))

    def predict(self, rows: Rows, threads: int = 0) -> np.ndarray:
        """Returns an array (rows, outputs)."""
        y = np.empty((len(rows), lib.sg_model_outputs(self.handle)))
        check(lib.sg_model_predict_rows(self.handle, byref(rows.source), threads, y.ctypes.data))
        return y

    def interval(self, level: float, y: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        lower, upper = np.empty_like(y), np.empty_like(y)
        check(lib.sg_model_interval(self.handle, level, y.ctypes.data, len(y), lower.ctypes.data, upper.ctypes.data))
        return lower, upper

    def explain(self, rows: Rows) -> Explained:
        explainer = new_handle(lib.sg_explainer_free, lib.sg_explainer_new, self.handle, keep=self.handle)
        names = [[lib.sg_explainer_term(explainer, by, i).contents.name.decode() for i in range(lib.sg_explainer_terms(explainer, by))]
                 for by in (_BY_INPUT, _BY_RULE)]
        shape = len(rows), len(self.outputs)
        prediction = np.empty(shape)
        terms = [np.empty((*shape, len(n))) for n in names]

        def take(row: int, found: Any) -> None:
            for o in range(shape[1]):
                prediction[row, o] = found[o].prediction
                for to, pointer in zip(terms, (found[o].by_input, found[o].by_rule)):
                    ctypes.memmove(to[row, o].ctypes.data, pointer, to.shape[2] * to.itemsize)

        def describe(row: int) -> str:
            one = new_handle(lib.sg_explainer_free, lib.sg_explainer_new, self.handle)  # several threads may call this
            _explain(one, rows, row, 1, lambda *_: None)
            return read_string(lib.sg_explainer_text, one, row + 1)

        _explain(explainer, rows, 0, len(rows), take)
        return Explained(prediction, terms[_BY_INPUT], terms[_BY_RULE], names[_BY_INPUT], names[_BY_RULE], describe)

    def report(self, path: Union[str, os.PathLike], rows: Optional[Rows] = None, threads: int = 0) -> None:
        check(lib.sg_model_report(self.handle, byref(rows.source) if rows else None, None, threads, os.fsencode(path)))


def _explain(explainer: Handle, rows: Rows, first: int, count: int, take: Callable[[int, Any], None]) -> None:
    failed: List[BaseException] = []

    def call(_: Any, row: int, found: Any) -> int:
        try:
            take(row, found)
        except BaseException as error:  # must not pass through C
            failed.append(error)
        return 2 if failed else 0

    status = lib.sg_explainer_source(explainer, byref(rows.source), first, count, EXPLAINED(call), None)
    if failed:
        raise failed[0]
    check(status)


def _at(point: Any, i: int, name: str) -> float:
    value = point.get(name) if isinstance(point, dict) else (point[i] if i < len(point) else None)
    return float("nan") if value is None else float(value)
