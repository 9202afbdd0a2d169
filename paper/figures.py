"""Draws the figures of the report with matplotlib, laid out like the paper's: a grid of small line charts whose curves
are labelled at their right ends. figures.csv lists the curves; each dataset is a panel."""
from pathlib import Path

import matplotlib
import numpy as np
from sklearn.isotonic import isotonic_regression

from experiments import read_table

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

CURVES = read_table(Path(__file__).with_name("figures.csv"), "figure algorithm label colour style values")
# Label of y, columns of panels, range of y: "typical" leaves out the steep start of the curves, "all" nothing.
FIGURES = {"mean": ("Test RMSE", 5, "typical"), "improvement": ("Improvement (%)", 5, "all"),
           "anfis": ("RMSE", 3, "log"), "anfis-rates": ("Learning rate", 3, "log"),
           "drop": ("RMSE", 5, "typical"), "adam": ("RMSE", 5, "typical")}
GRIDS = [("batch-", "(a) batch size", "N_bs", "log"), ("keep-", "(b) DropRule rate", "P", "linear"),
         ("rate-", "(c) initial learning rate", "α", "log"), ("l2-", "(d) regularisation", "λ", "log")]
NAMES = [*FIGURES, "sensitivity"]

# After Okabe and Ito, darkened for text on white; distinct in lightness for colour-blind readers.
COLOURS = {"black": "#1a1a1a", "blue": "#0072b2", "vermilion": "#d55e00", "green": "#00946a",
           "pink": "#bf62a3", "brown": "#6b4700", "violet": "#4b2a8c", "sky blue": "#3a97d2"}
STYLES = {"solid": {"lw": 1.3}, "heavy": {"lw": 2.1}, "thin": {"lw": 0.75}, "dashed": {"lw": 1.3, "ls": (0, (5, 2.5))},
          "dotted": {"lw": 1.5, "ls": (0, (1, 1.5))}, "dash-dot": {"lw": 1.3, "ls": "-."}}
SETTINGS = {"font.size": 10, "axes.titlesize": 12, "xtick.labelsize": 9, "ytick.labelsize": 9, "axes.grid": True,
            "axes.edgecolor": "#666666", "axes.linewidth": 0.6, "grid.color": "#e2e2e2", "grid.linewidth": 0.6,
            "axes.spines.top": False, "axes.spines.right": False, "xtick.color": "#333333", "ytick.color": "#333333",
            "xtick.major.size": 3, "ytick.major.size": 3, "font.family": "sans-serif", "svg.fonttype": "none",
            "svg.hashsalt": "sugeno", "path.simplify_threshold": 0.3}
PLAIN = FuncFormatter(lambda value, _: f"{value:g}")


# --- layout ---


def _panels(count, columns, label_length):
    """Makes a figure with a grid of axes, in inches. The fewer the columns, the larger the panels."""
    columns = min(columns, count)
    rows = -(-count // columns)
    width, height = columns * (3.35 if columns > 3 else 4.9), rows * 3.35
    left, right, tick_labels = 0.75, 0.3 + 0.085 * label_length, 0.5
    gap = right + tick_labels
    panel_width = (width - left - right - (columns - 1) * gap) / columns
    figure, axes = plt.subplots(rows, columns, figsize=(width, height), squeeze=False)
    figure.subplots_adjust(left=left / width, right=1 - right / width, top=1 - 0.35 / height, bottom=0.5 / height,
                           wspace=gap / panel_width, hspace=0.3)
    for unused in axes.flat[count:]:
        unused.set_visible(False)
    return figure, axes.flat[:count]


def _label_ends(axes, ends):
    """Writes the labels of (label, colour, x, y) to the right of the axes, as close to their curves as they fit."""
    place = lambda x, y: axes.transAxes.inverted().transform(axes.transData.transform((x, y)))
    ends = sorted(((*np.clip(place(x, y), 0, 1), label, colour) for label, colour, x, y in ends), key=lambda e: e[1])
    offsets = min(0.06, 1 / max(1, len(ends) - 1)) * np.arange(len(ends))
    # The smallest moves that keep the order and a gap are an isotonic regression.
    heights = isotonic_regression([e[1] for e in ends] - offsets, y_min=0, y_max=1 - offsets[-1]) + offsets
    for (x, y, label, colour), height in zip(ends, heights):
        line = {"arrowstyle": "-", "lw": 0.6, "color": colour, "shrinkA": 1, "shrinkB": 0, "relpos": (0, 0.5)}
        axes.annotate(label, (x, y), (1.07, height), "axes fraction", color=colour, va="center", arrowprops=line)


def _typical_range(curves):
    """Without the first iterations and the highest tenth of the other points, but with ends and lowest points."""
    inside, pool = [], []
    for values in curves:
        skip = max(5, len(values) // 50) if len(values) > 20 else 0
        inside += [min(values), values[-1]] if skip else list(values)
        pool += list(values[skip:]) if skip else []
    if pool:
        inside.append(sorted(pool)[int(0.9 * (len(pool) - 1))])
    return min(inside), max(inside)


def _scale_y(axes, curves, kind):
    if kind == "log":
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(PLAIN)
        axes.yaxis.set_minor_locator(NullLocator())
        return
    low, high = _typical_range(curves) if kind == "typical" else (min(map(min, curves)), max(map(max, curves)))
    margin = 0.05 * (high - low) or 0.05
    axes.set_ylim(low - margin, high + margin)
    axes.yaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10]))


def _save(figure, folder, name):
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=192)
    plt.close(figure)


# --- learning curves ---


def _values(view, cell, kind):
    curves = cell.curves
    if kind == "improvement":  # per cent of MBGD's test RMSE in the same iteration
        base = view.curves(cell.dataset.name, "mbgd")
        reference = np.array([base[0].test_mean[base[0].at(k)] for k in curves.points]) if base else np.nan
        return 100 * (reference - curves.test_mean) / reference
    if kind == "train-smooth":  # running mean over 25 iterations: a mini-batch of 64 rows is noisy
        return np.array([curves.train_mean[max(0, i - 12):i + 13].mean() for i in range(len(curves.points))])
    return {"test": curves.test_mean, "train": curves.train_mean, "rate": curves.rate}[kind]


def _draw_panel(axes, view, dataset, specs, scale):
    drawn, ends = [], []
    for spec in specs:
        cell = view.cell(dataset.name, spec.algorithm)
        if not cell:
            continue
        x, y = cell.curves.points, _values(view, cell, spec.values)
        if len(x) == 1:  # not iterative: a level line
            x, y = [1, cell.experiment.iterations], np.repeat(y, 2)
        axes.plot(x, y, color=COLOURS[spec.colour], **STYLES[spec.style])
        drawn.append(y)
        if spec.label:
            ends.append((spec.label, COLOURS[spec.colour], x[-1], y[-1]))
    axes.set_xlim(0, max(max(line.get_xdata()) for line in axes.lines))
    axes.xaxis.set_major_locator(MaxNLocator(6))
    _scale_y(axes, drawn, scale)
    axes.set_title(dataset.label)
    _label_ends(axes, ends)


def _draw_curves(view, name, folder):
    y_label, columns, scale = FIGURES[name]
    specs = [spec for spec in CURVES if spec.figure == name]
    shown = [d for d in view.catalogue.datasets.values() if any(view.cell(d.name, s.algorithm) for s in specs)]
    if not shown:
        return
    figure, panels = _panels(len(shown), columns, max(len(spec.label) for spec in specs))
    for i, (axes, dataset) in enumerate(zip(panels, shown)):
        _draw_panel(axes, view, dataset, specs, scale)
        axes.set_ylabel("" if i % columns else y_label)
        axes.set_xlabel("Iteration" if i + columns >= len(shown) else "")
    _save(figure, folder, name if view.preprocessing == "ours" else f"{name}-authors")


# --- sensitivity ---


def _grid_points(view, prefix):
    cells = [c for c in view.cells.values() if c.experiment.name == "sensitivity" and c.curves
             and c.preprocessing == view.preprocessing and c.algorithm.name.startswith(prefix)]
    return [(float(c.algorithm.name[len(prefix):]), c.curves.rmse("final")) for c in cells]


def _draw_sensitivity(views, folder):
    grids = [[_grid_points(view, prefix) for view in views] for prefix, *_ in GRIDS]
    if not all(all(lines) for lines in grids):
        return
    figure, panels = _panels(len(GRIDS), 2, len("authors'"))
    values = [[y for points in lines for _, y in points] for lines in grids]
    for axes, lines, (_, title, x_label, scale) in zip(panels, grids, GRIDS):
        ends = []
        looks = ("ours", "vermilion", "solid"), ("authors'", "blue", "dashed")
        for points, (label, colour, style) in zip(lines, looks):
            points = [point for point in points if point[0] > 0]  # the axis may be logarithmic
            axes.plot(*zip(*points), color=COLOURS[colour], marker="o", ms=3, **STYLES[style])
            ends.append((label, COLOURS[colour], *points[-1]))
        axes.set(title=title, xlabel=x_label, xscale=scale)
        axes.set_xticks([x for x, _ in points], [f"{x:g}" for x, _ in points])
        axes.xaxis.set_minor_locator(NullLocator())
        _scale_y(axes, values, "all")
        _label_ends(axes, ends)
    panels[0].set_ylabel("Test RMSE")
    panels[2].set_ylabel("Test RMSE")
    _save(figure, folder, "sensitivity")


def draw(ours, authors, folder):
    """Draws NAME.svg and NAME.png for our preprocessing, and NAME-authors.* for the authors'."""
    with plt.rc_context(SETTINGS):
        for name in FIGURES:
            _draw_curves(ours, name, folder)
            _draw_curves(authors, name, folder)
        _draw_sensitivity((ours, authors), folder)
