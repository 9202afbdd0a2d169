"""The tables of the report. Each function returns a list of rows of strings, the header first."""
import claims
import trials

MISSING = "–"


def _labels(view, names):
    return [view.catalogue.algorithms[name].label for name in names if name in view.catalogue.algorithms]


def _by_dataset(view, variant, names, text):
    """One row for each dataset of the last algorithm, one column for each algorithm."""
    table = [["dataset", *_labels(view, names)]]
    for dataset in view.catalogue.datasets.values():
        cells = [view.cell(dataset.name, name, variant) for name in names if name in view.catalogue.algorithms]
        if cells and cells[-1]:
            label = dataset.label + (f" ({len(dataset.tables[variant])} rows)" if variant else "")
            table.append([label, *(text(cell) if cell else MISSING for cell in cells)])
    return table


# --- RMSE and time ---


def _rmse_text(view, cell, when):
    """Mean ± standard deviation; with the iteration if best, with the paper's value if final."""
    curves = cell.curves
    text = f"{curves.rmse(when):#.4g}"
    if cell.repeats > 1:
        text += f" ± {curves.sd(when):.2g}"
    if curves.diverged:
        text += f" [{curves.diverged} diverged]"
    if when == "best":
        return text + (f" @{curves.points[curves.point(when)]}" if len(curves.points) > 1 else "")
    published = view.catalogue.published(cell, "rmse_500")
    return text + (f" ({published:#.4g})" if published and not cell.experiment.variant else "")


def rmse(view, variant, when, names):
    return _by_dataset(view, variant, names, lambda cell: _rmse_text(view, cell, when))


def train(view, names):
    return _by_dataset(view, "", names, lambda c: f"{c.curves.train_mean[-1]:#.4g} ± {c.curves.train_sd[-1]:.2g}")


def seconds(view, scored, names):
    def text(cell):
        times = cell.curves.time(scored)
        paper = view.catalogue.published(cell, "seconds") if scored else None
        spread = f" ± {times.std(ddof=1):.1g}" if len(times) > 1 else ""
        return f"{times.mean():.3g}{spread}" + (f" ({paper:.4g})" if paper else "")

    return _by_dataset(view, "", names, text)


def course(ours, authors, dataset, algorithm):
    """Test RMSE at the iterations that the paper reports."""
    table = [["iteration", "paper", "ours", "authors'"]]
    cells = [view.cell(dataset, algorithm) for view in (ours, authors)]
    for iteration in (50, 100, 250, 500) if all(cells) else ():
        at = [(cell.curves, cell.curves.at(iteration)) for cell in cells]
        table.append([str(iteration), f"{ours.catalogue.published(cells[0], f'rmse_{iteration}'):.4g}",
                      *(f"{c.test_mean[i]:#.4g} ± {c.test_sd[i]:.2g}" for c, i in at)])
    return table


def sensitivity(ours, authors):
    table = [["MBGD-RDA with", "final, ours", "best, ours", "final, authors'", "best, authors'"]]
    for cell in ours.cells.values():
        if cell.experiment.name == "sensitivity" and cell.preprocessing == "ours" and cell.curves:
            both = cell, authors.cell(cell.dataset.name, cell.algorithm.name)
            table.append([cell.algorithm.label, *(_rmse_text(ours, c, when) if c else MISSING
                                                  for c in both for when in ("final", "best"))])
    return table


# --- what was run ---


def datasets(view):
    table = [["dataset", "rows", "raw features", "numerical features", "used features", "parameters", "source"]]
    for data in view.catalogue.datasets.values():
        cell = view.cell(data.name, "mbgd-rda")
        if cell:
            size, inputs = trials.system_size(cell)
            table.append([data.label, *map(str, (data.rows, data.raw_features, len(data.features), inputs, size)),
                          data.source.split(",")[0]])
    return table


def _parameters_text(o):
    """The options in the letters of the paper."""
    text = [f"λ = {o['l2']}"] if o["l2"] != "0" else []
    if o["structure"] == "linear":
        return ", ".join(text)
    text.insert(0, f"M_m = {o['mfs']}, N_bs = {o['batch']}, K = {o['iters']}, α = {o['rate']}")
    if o["drop"] != "none":
        text.append(f"P = {o['keep']} ({o['drop']})")
    if o["optim"].startswith("ada"):
        text.append(f"β₁ = {o['beta1']}, β₂ = {o['beta2']}, ε = {o['epsilon']}")
    return ", ".join(text)


def parameters(view, names):
    table = [["algorithm", "parameters", "options of `sugeno train`"]]
    for name in names:
        cell = next(filter(None, (view.cell(d, name) for d in view.catalogue.datasets)), None)
        if cell:
            flags = " ".join(f"--{option} {value}" for option, value in cell.algorithm.settings.items())
            table.append([cell.algorithm.label, _parameters_text(trials.estimator(cell).options()), f"`{flags}`"])
    return table


# --- claims ---


def _claim_texts(view, claim):
    """What was measured, and the verdict: at the best iteration, and at the final one if that makes a difference."""
    best = claims.evaluate(view, claim, "best")
    if claim.how == "once":
        return best.text or MISSING, best.verdict
    final = claims.evaluate(view, claim, "final")
    text = f"best: {best.text}; final: {final.text}" if best.text else MISSING
    if best.verdict == final.verdict:
        return text, best.verdict
    return text, f"{best.verdict}; at the final iteration: {final.verdict}"


def claim_table(views, ablations):
    """The claims, or those that did not hold with one thing changed."""
    found = views[0].catalogue.claims
    numbers = {claim.name: i for i, claim in enumerate((c for c in found if c.kind != "ablation"), 1)}
    table = [["", "change" if ablations else "claim", "experiment" if ablations else "place", "measured (ours)",
              "verdict (ours)", "measured (authors')", "verdict (authors')"]]
    for claim in found:
        if (claim.kind == "ablation") == ablations:
            place = f"`{claim.place}`" if ablations else claim.place + " (variant)" * (claim.kind == "variant")
            table.append([str(numbers[claim.name]), claim.sentence, place,
                          *(text for view in views for text in _claim_texts(view, claim))])
    return table


def verdicts(view):
    """Counts the claims by their verdicts at the best iteration."""
    found = [claims.evaluate(view, c, "best").verdict for c in view.catalogue.claims if c.kind == "claim"]
    count = found.count
    return (f"{'Ours' if view.preprocessing == 'ours' else 'Authors’'}: of {len(found)} claims (without variants), "
            f"{count(claims.HOLDS)} hold, {count(claims.IN_SPREAD)} are within the spread, {count(claims.FAILS)} do "
            f"not hold and {count(claims.NOT_EVALUATED)} were not evaluated (at the best iteration, if that matters).")
