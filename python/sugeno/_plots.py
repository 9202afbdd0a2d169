"""Plots with matplotlib. All numbers come from the library."""
from __future__ import annotations

import operator
from typing import Any, Dict, List, Union

import numpy as np

from ._model import Model
from ._rows import Values, frame


def _axes(ax: Any, rows: int = 1) -> List[Any]:
    if ax is not None:
        found = list(np.ravel(ax))
        if len(found) < rows:
            raise ValueError(f"ax: expected {rows} axes, one for each input, got {len(found)}")
        return found
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install matplotlib") from None
    return list(np.ravel(pyplot.subplots(rows, 1, figsize=(6, 1 + 1.8 * rows), squeeze=False, constrained_layout=True)[1]))


def membership(model: Model, feature: Union[str, int, None], ax: Any) -> Any:
    curves = model.memberships()
    if not curves and int(model.record.get("pca", "0")) > 0:
        raise ValueError("conditions are on principal components, not on inputs: train with pca=0")
    if feature is not None:
        feature = model.inputs[_input_index(model, feature)]
    if feature is not None:
        if feature not in curves:
            raise ValueError(f'no rule has a condition on a numeric input "{feature}"; expected one of {", ".join(curves) or "none"}')
        curves = {feature: curves[feature]}
    if not curves:
        raise ValueError("no rule has a condition on a numeric input: there is nothing to plot")
    axes = _axes(ax, len(curves))
    for place, (name, (at, functions)) in zip(axes, curves.items()):
        for values in functions:
            place.plot(at, values, linewidth=1.5 if len(functions) < 10 else 0.8, alpha=0.9 if len(functions) < 10 else 0.5)
        place.set(xlabel=name, ylabel="membership", ylim=(0, 1.05))
    return axes[0] if len(curves) == 1 else axes[:len(curves)]


def _value(model: Model, i: int, value: Any) -> float:
    """The value of an input; for a category, the index of a level given by name."""
    levels = model.levels(i)
    if isinstance(value, str):
        if value not in levels:
            raise ValueError(f'"{value}" is neither a number nor a level of "{model.inputs[i]}"')
        return float(levels.index(value))
    return float(value)


def _input_index(model: Model, name: Union[str, int]) -> int:
    if not isinstance(name, str) and 0 <= operator.index(name) < len(model.inputs):
        return operator.index(name)
    if name not in model.inputs:
        raise ValueError(f'there is no input "{name}"; expected one of {", ".join(model.inputs)}')
    return model.inputs.index(name)


def surface(model: Model, x: Union[str, int], y: Union[str, int], at: Dict[str, Any], ax: Any, points: int) -> Any:
    i, k, names = _input_index(model, x), _input_index(model, y), model.inputs
    if i == k:
        raise ValueError("expected two different inputs")
    across, up = model.grid(i, points), model.grid(k, points)
    columns = []
    for n, name in enumerate(names):
        middle = model.grid(n, 3)
        given = _value(model, _input_index(model, name), at[name]) if name in at else middle[len(middle) // 2]
        columns.append(np.full(len(across) * len(up), given))
    for name in at:
        _input_index(model, name)
    columns[i], columns[k] = np.tile(across, len(up)), np.repeat(up, len(across))
    rows = frame([Values(name, values, model.levels(n) or None) for n, (name, values) in enumerate(zip(names, columns))], len(columns[0]))
    found = model.predict(rows)[:, 0].reshape(len(up), len(across))
    place = _axes(ax)[0]
    filled = place.contourf(across, up, found, levels=20)
    place.contour(across, up, found, levels=filled.levels[::2], colors="k", linewidths=0.3)
    place.figure.colorbar(filled, ax=place, label=model.outputs[0])
    place.set(xlabel=names[i], ylabel=names[k])
    return place


def learning_curve(model: Model, ax: Any) -> Any:
    curve = model.curve()
    if not curve["iteration"]:
        raise ValueError("the training record of the model has no learning curve")
    place = _axes(ax)[0]
    place.plot(curve["iteration"], curve["train"], label="batch")
    if not np.all(np.isnan(curve["valid"])):
        place.plot(curve["iteration"], curve["valid"], label="validation")
    place.set(xlabel="iteration", ylabel="RMSE")
    place.legend()
    return place
