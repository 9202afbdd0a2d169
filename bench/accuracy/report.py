"""report.py RESULTS.csv PAGE.md FIGURES: writes the page and its figures from the results of run.py and the list in runs.csv. heldback.csv beside
RESULTS.csv, if it exists, has the results on datasets that are held back.

The text of the page is in accuracy.md.in; its {names} are filled in here."""
import csv
import os
import statistics
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1]))
import our_methods
import splits
from line_charts import draw
from page_formatting import figures, line, table
from result_statistics import EBM, RIDGE, YARDSTICK, Results, geometric
from targets import MLP, PAPER, targets

RESULTS, PAGE, FIGURES = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
HERE = Path(__file__).parent
found = Results(RESULTS)
HELD = RESULTS.with_name("heldback.csv")
held = Results(HELD, splits.HELD_BACK) if HELD.exists() else None
held = held if held and held.rows else None
if not found.rows:
    sys.exit(f"accuracy: {RESULTS} holds no results, so there is no page")
ABSENT = "–"
FIGURES_LINK = os.path.relpath(FIGURES, PAGE.parent)


# --- number formats ---

def cell(value, form="{:.3f}"):
    return ABSENT if value is None else form.format(value)


def spread(values):
    """Mean ± standard deviation."""
    if not values:
        return ABSENT
    deviation = f" ± {statistics.stdev(values):.2g}" if len(values) > 1 else ""
    return f"{statistics.fmean(values):.4g}{deviation}"


def best_bold(cells, values):
    """The smallest of the values in bold."""
    there = [v for v in values if v is not None]
    return [f"**{c}**" if v is not None and v == min(there) else c for c, v in zip(cells, values)]


def head(*cells):
    return line("", *cells)


# --- tables ---

def errors(field="rmse", names=None):
    """Mean and standard deviation of RMSE: one line per dataset, one column per method."""
    lines = []
    for name in found.sets() if names is None else names:
        values = [list(found.values(name, m, field).values()) for m in found.methods()]
        means = [statistics.fmean(v) if v else None for v in values]
        lines.append(line(f"{name} ({len(found.seeds(name))})", *best_bold([spread(v) for v in values], means)))
    return table(head(*found.methods()), lines)


def ratios():
    """Ratios to the baseline, and their geometric mean over datasets."""
    others = [m for m in found.methods() if m != YARDSTICK]
    lines = []
    for name in found.sets():
        values = [found.ratio(name, m) for m in others]
        lines.append(line(name, *best_bold([cell(v) for v in values], values)))
    return table(head(*others), [*lines, line("geometric mean", *map(overall, others))])


def better(method, than):
    """Number of datasets on which method is better, of those that both have."""
    found_ratios = found.over_sets(method, than)
    return f"{sum(r < 1 for r in found_ratios.values())}/{len(found_ratios)}" if found_ratios and method != than else ABSENT


def worst(method):
    pairs = found.over_sets(method)
    name = max(pairs, key=pairs.get, default=None)
    return f"{pairs[name]:.3f} ({name})" if name else ABSENT


def overall(method, to=YARDSTICK):
    """The geometric mean, and the number of datasets if not all."""
    found_ratios = found.over_sets(method, to)
    few = f" ({len(found_ratios)} datasets)" if 0 < len(found_ratios) < len(splits.SETS) else ""
    return cell(geometric(list(found_ratios.values()))) + few


def rounded(value):
    return ABSENT if value is None else figures(value)


def without_empty(names, rows):
    """The table of {method: cells} without columns that have no value."""
    keep = [i for i in range(len(names)) if any(cells[i] != ABSENT for cells in rows.values())]
    return table(head(*(names[i] for i in keep)), [line(m, *(cells[i] for i in keep)) for m, cells in rows.items()])


def summary():
    rows = {}
    for m in found.methods():
        runs = found.against_ridge(m) if m != RIDGE else []
        losses = [r for r in runs if r[0] > 1]
        rows[m] = [overall(m), overall(m, EBM), rounded(found.median(m, "cost")), rounded(found.median(m, "seconds")), worst(m),
                   *(better(m, o) for o in (YARDSTICK, RIDGE, MLP, PAPER)), f"{len(losses)} of {len(runs)}" if runs else ABSENT,
                   "{:.3f} ({})".format(*max(losses)) if losses else ABSENT]
    return without_empty(["ratio to XGBoost", "ratio to EBM", "median reading cost", "median CPU seconds", "worst dataset", "better than XGBoost",
                          "better than ridge", "better than the MLP", "better than mbgd-rda", "runs worse than ridge", "worst run"], rows)


def rules(method, name):
    values = found.values(name, method, "rules").values()
    return ABSENT if not values else f"{min(values):.0f}" + (f"-{max(values):.0f}" if min(values) < max(values) else "")


def rules_table():
    return table(head(*found.sets()), [line(m, *(rules(m, s) for s in found.sets())) for m in found.ours()])


def means(field):
    """Means over splits and their median over datasets: one line per method that has any."""
    names = found.sets()
    values = {m: found.means(m, field) for m in found.methods()}
    lines = [line(m, *(rounded(v.get(s)) for s in names), rounded(found.median(m, field))) for m, v in values.items() if v]
    return table(head(*names, "median"), lines) if lines else "Not measured yet."


def costs():
    figure = f"\n\n![Error against reading cost]({FIGURES_LINK}/costs.svg)" if any(found.median(m, "cost") for m in found.methods()) else ""
    return means("cost") + figure


def ablation(base):
    values = {method: found.ablation(method) for method in our_methods.ablations(base)}
    names = [s for s in splits.SETS if any(s in v for v in values.values())]
    lines = [line(f"`{method.partition(':')[2]}`", *(cell(v.get(s)) for s in names), cell(geometric(list(v.values()))))
             for method, v in values.items() if v]
    return table(head(*names, "geometric mean"), lines) if lines else "Not measured yet."


def ablations():
    return "\n\n".join(f"### `{base}`\n\n{ablation(base)}" for base in our_methods.ABLATIONS)


def runs():
    rows = list(csv.reader((HERE / "runs.csv").open()))[1:]
    return table("| date | version | first seed | datasets | methods | claim |", [line(*r) for r in rows]) if rows else "None so far."


def options():
    return "\n".join(f"- `{m}`: `sugeno train {our_methods.OURS[m]}`" for m in found.ours())


def held_back():
    """Ratios to the baseline on the datasets that are held back: one line per dataset, and what they amount to."""
    if not held:
        return "Not measured yet."
    shown = held.methods()
    lines = [line(f"{s} ({len(held.seeds(s))})", *(cell(held.ratio(s, m)) for m in shown)) for s in held.sets()]
    for what, to in ("geometric mean", YARDSTICK), ("over EBM", EBM), ("over ridge", RIDGE):
        lines.append(line(f"**{what}**", *(cell(geometric(list(held.over_sets(m, to).values()))) for m in shown)))
    runs = [[r for r, _ in held.against_ridge(m)] for m in shown]
    lines.append(line("runs worse than ridge", *(f"{sum(x > 1 for x in r)} of {len(r)}" if r else ABSENT for r in runs)))
    for what, field in ("median reading cost", "cost"), ("median CPU seconds", "seconds"):
        lines.append(line(what, *(rounded(held.median(m, field)) for m in shown)))
    return table(head(*shown), lines)


# --- figures ---

def picture():
    os.makedirs(FIGURES, exist_ok=True)
    names = found.sets()
    shown = [m for m in found.methods() if m not in (YARDSTICK, "rr", "lightgbm", "histgb")]  # rr equals ridge, the others resemble XGBoost
    ticks = ", ".join(f'"{s}" {i}' for i, s in enumerate(names))
    settings = f'set xtics ({ticks}) rotate by -30\nset xrange [-0.5:{len(names) - 0.5}]\n'
    settings += 'set logscale y\nset yrange [0.8:4]\nset ytics (0.8, 1, 1.25, 1.5, 2, 3, 4)\n'
    settings += 'set ylabel "RMSE / RMSE of XGBoost"\nset key outside right top\nset pointsize 1\n'
    settings += 'set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb "#888888"'

    def points(method):
        aside = 0.7 * (shown.index(method) / len(shown) - 0.5)  # separates equal values
        return [(i + aside, found.ratio(s, method)) for i, s in enumerate(names)]
    draw(FIGURES / "ratios.svg", settings, {m: points(m) for m in shown}, "points")


def cost_picture():
    """The overall error of each method against its median reading cost."""
    settings = 'set logscale x\nset xlabel "median reading cost"\nset ylabel "RMSE / RMSE of XGBoost"\n'
    settings += 'set xrange [3:*]\nset yrange [0.85:*]\nset key outside right top\nset pointsize 1.2'
    points = {m: (found.median(m, "cost"), geometric(list(found.over_sets(m).values()))) for m in found.methods()}
    draw(FIGURES / "costs.svg", settings, {m: [p] for m, p in points.items() if all(p)}, "points")


picture()
cost_picture()
versions = found.versions()
own = [versions[m] for m in found.ours()]
page = {name: make() for name, make in (("summary", summary), ("errors", errors), ("ratios", ratios), ("rules", rules_table), ("costs", costs),
                                        ("ablation", ablations), ("runs", runs), ("options", options), ("held_back", held_back))}
page |= {"targets": targets(found, held), "seconds": means("seconds"), "figures": FIGURES_LINK, "version": " and ".join(dict.fromkeys(own)) or "unknown",
         "versions": ", ".join(dict.fromkeys(v for m, v in versions.items() if m not in found.ours())) or "none",
         "kind": "claim seeds, which were not used in development" if found.claims else "development seeds: no claim",
         "seeds": f"{min(k[1] for k in found.rows)} and up", "unseen": errors("unseen", [s for s in splits.DUPLICATES if s in found.sets()])}
PAGE.write_text((HERE / "accuracy.md.in").read_text().format(**page))
