"""Targets of our methods, compared with tables of results."""
import statistics

from page_formatting import figures, line, table, verdict
from result_statistics import EBM, RIDGE, YARDSTICK, geometric

AUTO, ACCURATE, ENSEMBLE, PAIRS = "auto", "auto-accurate", "auto-ensemble", "additive-pairs"
PAPER, MLP = "mbgd-rda", "mlp"


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
    return sum(r < 1 for r in ratios.values()) if len(ratios) == len(found.names) else None


def overall(found, method, than, summed=geometric, field="rmse"):
    ratios = list(found.over_sets(method, than, field).values())
    return summed(ratios) if len(ratios) == len(found.names) else None


def losses(found, method):
    """The fraction of runs that are worse than ridge, or None."""
    runs = [r for r, _ in found.against_ridge(method)]
    return sum(r > 1 for r in runs) / len(runs) if runs else None


def median(found, method, field):
    return found.median(method, field) if len(found.means(method, field)) == len(found.names) else None


def wanted(found, held):
    """(description, required or None, goal, measured, format, whether smaller is better). held: results on datasets that are held back, or
    None."""
    yield "`additive-pairs`: ratio to EBM", 1.05, 0.98, overall(found, PAIRS, EBM), plain, True
    yield "`additive-pairs`: reading cost, median", 300, 150, median(found, PAIRS, "cost"), plain, True
    yield "`additive-pairs`: reading cost relative to EBM, median", 1 / 50, 1 / 200, overall(found, PAIRS, EBM, statistics.median, "cost"), plain, True
    yield "`additive-pairs`: training time relative to EBM", 1 / 20, 1 / 100, overall(found, PAIRS, EBM, field="seconds"), plain, True
    yield "`additive-pairs`: training time, protein, 32,011 rows", 10, 4, mean_seconds(found, PAIRS, "protein"), seconds, True
    if held:
        yield "`additive-pairs`: ratio to EBM, datasets held back", 1.03, 0.97, overall(held, PAIRS, EBM), plain, True
        yield "`auto`: ratio to XGBoost, datasets held back", 0.86, 0.83, overall(held, AUTO, YARDSTICK), plain, True
        yield "`auto`: runs worse than ridge, datasets held back", 0.02, 0, losses(held, AUTO), percent, True
    runs = [r for r, _ in found.against_ridge(AUTO)]
    yield "`auto`: better than ridge on all features, datasets of ten", 10, 10, better(found, AUTO, RIDGE), plain, False
    yield "`auto`: ratio to ridge", 1, 0.8, overall(found, AUTO, RIDGE), plain, True
    yield "`auto`: better than `mbgd-rda`, datasets", 10, 10, better(found, AUTO, PAPER), plain, False
    yield "`auto`: ratio to `mbgd-rda`", 1, 0.8, overall(found, AUTO, PAPER), plain, True
    yield "`auto`: better than the MLP, datasets", 9, 10, better(found, AUTO, MLP), plain, False
    yield "`auto`: ratio to XGBoost", 0.99, 0.95, overall(found, AUTO, YARDSTICK), plain, True
    yield "`auto`: ratio to XGBoost on the worst dataset", 1.08, 1.03, overall(found, AUTO, YARDSTICK, max), plain, True
    yield "`auto`: runs worse than ridge", 0, 0, losses(found, AUTO), percent, True
    yield "`auto`: ratio to ridge in the worst run", 1.02, 1.01, max([1, *runs]) if runs else None, plain, True
    yield "`auto`: reading cost, median", 400, 200, median(found, AUTO, "cost"), plain, True
    yield "`auto-accurate`: ratio to XGBoost", 0.97, 0.94, overall(found, ACCURATE, YARDSTICK), plain, True
    yield "`auto-ensemble`: ratio to XGBoost", 0.94, 0.92, overall(found, ENSEMBLE, YARDSTICK), plain, True
    yield "`auto-ensemble`: better than XGBoost, datasets", None, 10, better(found, ENSEMBLE, YARDSTICK), plain, False
    for name, rows, must, want in ("concrete", 721, 8, 4), ("powerplant", 6698, 9, 6), ("protein", 32011, 33, 20):
        yield f"`auto`: training time, {name}, {rows:,} rows", must, want, mean_seconds(found, AUTO, name), seconds, True


def targets(found, held=None):
    lines = [line(what, "–" if must is None else form(must), form(want), form(value), verdict(value, must, want, less))
             for what, must, want, value, form, less in wanted(found, held) if value is not None]
    return table(line("target", "required", "goal", "measured", "status"), lines) if lines else "`auto` has not been measured yet."
