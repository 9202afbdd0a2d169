"""Plots with matplotlib. All numbers come from the library."""
from __future__ import annotations

import operator
from typing import Any, Dict, List, Union

import numpy as np

from ._model import Curve, Model, Pair
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


# --- curves and pairs ---


def _one(model: Model, values: Any, output: int) -> Any:
    """The numbers of one target; those of the only one have no dimension for it."""
    return values if values is None or len(model.outputs) == 1 else values[..., output]


def _check_additive(model: Model) -> None:
    if not model.curves:
        raise ValueError("the model has no curves: train with preset additive or additive-pairs")


def _output_index(model: Model, output: Union[str, int]) -> int:
    if isinstance(output, str) and output in model.outputs:
        return model.outputs.index(output)
    if isinstance(output, str) or not 0 <= operator.index(output) < len(model.outputs):
        raise ValueError(f"there is no target {output!r}; expected one of {', '.join(model.outputs)}")
    return operator.index(output)


def _grid_of_axes(count: int, ax: Any) -> List[Any]:
    if ax is not None or count == 1:
        return _axes(ax, count)
    from matplotlib import pyplot

    across = min(3, count)
    down = -(-count // across)
    axes = list(np.ravel(pyplot.subplots(down, across, figsize=(3.4 * across, 2.5 * down), squeeze=False, constrained_layout=True)[1]))
    for unused in axes[count:]:
        unused.set_axis_off()
    return axes[:count]


def _draw_curve(place: Any, curve: Curve, values: np.ndarray, errors: Any, missing: float) -> None:
    band = 0 if errors is None else 2 * errors
    if curve.positions is None:
        place.bar(range(len(values)), values, yerr=None if errors is None else band, capsize=2, color="C0", alpha=0.7)
        place.set_xticks(range(len(values)), curve.levels or [], rotation=45 if len(values) > 4 else 0, ha="right" if len(values) > 4 else "center")
    else:
        place.fill_between(curve.positions, values - band, values + band, color="C0", alpha=0.2, linewidth=0)
        place.plot(curve.positions, values, color="C0", marker=".", markersize=4)
    if missing:
        place.axhline(missing, color="C1", linewidth=1, linestyle=":", label="missing")
        place.legend(fontsize="small")
    place.axhline(0, color="k", linewidth=0.5)


def _draw_density(place: Any, curve: Curve) -> None:
    """The shares of the training rows, as grey bars at the bottom."""
    if curve.share is None or curve.positions is None:
        return
    share, at = curve.share[:-1], curve.positions
    edges = np.concatenate([at[:1], (at[1:] + at[:-1]) / 2, at[-1:]])
    density = share / np.maximum(np.diff(edges), np.finfo(float).tiny)
    if not density.max() > 0:
        return
    below = place.twinx()
    below.bar(edges[:-1], density, np.diff(edges), align="edge", color="0.5", alpha=0.25)
    below.set_ylim(0, 5 * density.max())
    below.set_axis_off()


def curves(model: Model, feature: Union[str, int, None], output: Union[str, int], ax: Any) -> Any:
    _check_additive(model)
    o, found = _output_index(model, output), model.curves
    if feature is not None:
        name = model.inputs[_input_index(model, feature)]
        found = [c for c in found if c.input == name]
        if not found:
            raise ValueError(f'"{name}" has no curve; expected one of {", ".join(c.input for c in model.curves)}')
    found.sort(key=lambda c: -(0 if c.importance is None else _one(model, c.importance, o)))
    axes = _grid_of_axes(len(found), ax)
    for place, curve in zip(axes, found):
        errors = _one(model, curve.standard_error, o)
        _draw_density(place, curve)
        _draw_curve(place, curve, _one(model, curve.values, o), errors, float(_one(model, curve.missing, o)))
        place.set(xlabel=curve.input, ylabel=f"change of {model.outputs[o]}")
    return axes[0] if feature is not None else axes[:len(found)]


def _draw_pair(place: Any, pair: Pair, values: np.ndarray, label: str) -> None:
    most = float(np.abs(values).max()) or 1.0
    numeric = all(isinstance(axis, np.ndarray) for axis in (pair.rows, pair.columns))
    style = {"cmap": "RdBu_r", "vmin": -most, "vmax": most}
    if numeric:
        drawn = place.pcolormesh(pair.rows, pair.columns, values.T, shading="gouraud", **style)
    else:
        drawn = place.imshow(values.T, origin="lower", aspect="auto", **style)
        for axis, ticks in ((place.xaxis, pair.rows), (place.yaxis, pair.columns)):
            axis.set_ticks(range(len(ticks)), [t if isinstance(t, str) else f"{t:g}" for t in ticks])
    place.figure.colorbar(drawn, ax=place, label=label)
    place.set(xlabel=pair.inputs[0], ylabel=pair.inputs[1])


def pairs(model: Model, pair: Any, output: Union[str, int], ax: Any) -> Any:
    _check_additive(model)
    o, found = _output_index(model, output), model.pairs
    if pair is not None:
        if isinstance(pair, str) or len(pair) != 2:
            raise ValueError(f"pair: expected two inputs, got {pair!r}")
        wanted = {model.inputs[_input_index(model, name)] for name in pair}
        found = [p for p in found if set(p.inputs) == wanted]
    if not found:
        known = ", ".join(":".join(p.inputs) for p in model.pairs) or "none"
        raise ValueError(f"the model has no such pair of inputs; expected one of {known}" if pair is not None else "the model has no pairs of inputs")
    found.sort(key=lambda p: -(0 if p.importance is None else _one(model, p.importance, o)))
    axes = _grid_of_axes(len(found), ax)
    for place, p in zip(axes, found):
        _draw_pair(place, p, _one(model, p.values, o), f"change of {model.outputs[o]}")
    return axes[0] if pair is not None else axes[:len(found)]
