"""Accuracy targets of `auto` and `auto-ensemble`, compared with a table of results."""
import splits
from page_formatting import figures, line, table, verdict
from result_statistics import RIDGE, YARDSTICK, geometric

AUTO, ENSEMBLE, PAPER, MLP = "auto", "auto-ensemble", "mbgd-rda", "mlp"


def plain(value):
    return figures(value) if value >= 100 else f"{value:.4g}"


def percent(value):
    return f"{100 * value:.1f}%"


def seconds(value):
    return f"{figures(value)} s"


def mean_seconds(found, method, name):
    values = list(found.values(name, method, "seconds").values())
    return sum(values) / len(values) if values else None


def better(found, method, than):
    """Number of datasets on which method has the smaller error; None until both have all datasets."""
    ratios = found.over_sets(method, than)
    return sum(r < 1 for r in ratios.values()) if len(ratios) == len(splits.SETS) else None


def overall(found, method, than, summed=geometric):
    ratios = list(found.over_sets(method, than).values())
    return summed(ratios) if len(ratios) == len(splits.SETS) else None


def wanted(found):
    """(description, required or None, goal, measured, format, whether smaller is better)"""
    runs = [r for r, _ in found.against_ridge(AUTO)]
    losses = [r for r in runs if r > 1]
    yield "`auto`: better than ridge on all features, datasets of ten", 10, 10, better(found, AUTO, RIDGE), plain, False
    yield "`auto`: ratio to ridge", 1, 0.8, overall(found, AUTO, RIDGE), plain, True
    yield "`auto`: better than `mbgd-rda`, datasets", 10, 10, better(found, AUTO, PAPER), plain, False
    yield "`auto`: ratio to `mbgd-rda`", 1, 0.8, overall(found, AUTO, PAPER), plain, True
    yield "`auto`: better than the MLP, datasets", 9, 10, better(found, AUTO, MLP), plain, False
    yield "`auto`: ratio to XGBoost", 1.01, 0.96, overall(found, AUTO, YARDSTICK), plain, True
    yield "`auto`: ratio to XGBoost on the worst dataset", 1.12, 1.04, overall(found, AUTO, YARDSTICK, max), plain, True
    yield "`auto`: runs worse than ridge", 0.05, 0.02, len(losses) / len(runs) if runs else None, percent, True
    yield "`auto`: ratio to ridge in the worst run", 1.02, 1.01, max(losses, default=1) if runs else None, plain, True
    yield "`auto-ensemble`: ratio to XGBoost", 0.97, 0.93, overall(found, ENSEMBLE, YARDSTICK), plain, True
    yield "`auto-ensemble`: better than XGBoost, datasets", None, 10, better(found, ENSEMBLE, YARDSTICK), plain, False
    for name, rows, must, want in ("concrete", 721, 20, 5), ("powerplant", 6698, 60, 20), ("protein", 32011, 180, 60):
        yield f"`auto`: training time, {name}, {rows:,} rows", must, want, mean_seconds(found, AUTO, name), seconds, True


def targets(found):
    lines = [line(what, "–" if must is None else form(must), form(want), form(value), verdict(value, must, want, less))
             for what, must, want, value, form, less in wanted(found) if value is not None]
    return table(line("target", "required", "goal", "measured", "status"), lines) if lines else "`auto` has not been measured yet."
