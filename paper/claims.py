"""Evaluates the claims of the paper (claims.csv) on the results.

Most claims are asked of each dataset and counted; others are asked once. `when` is the iteration whose test RMSE
counts: "best" or "final"."""
import math
from typing import NamedTuple, Optional

import numpy as np

import trials
from learning_curves import compare_runs
from experiments import cell_name, check_words, convert_counts

HOLDS, IN_SPREAD, FAILS, NOT_EVALUATED = "holds", "within the spread", "does not hold", "not evaluated"


class Answer(NamedTuple):
    """Of one dataset."""

    yes: bool  # by the means
    clear: bool = True  # beyond the spread over splits
    figure: Optional[float] = None  # the median over the datasets is reported ...
    unit: str = ""  # ... with this unit


class Finding(NamedTuple):
    verdict: str
    text: str


class View:
    """The results under one preprocessing."""

    def __init__(self, catalogue, cells, preprocessing):
        self.catalogue, self.cells, self.preprocessing = catalogue, cells, preprocessing

    def cell(self, dataset, algorithm, variant=""):
        """Returns a finished cell, or None."""
        cell = self.cells.get(cell_name(self.preprocessing, dataset, variant, algorithm))
        return cell if cell and cell.curves else None

    def curves(self, dataset, *algorithms):
        """Returns the curves of all of these algorithms, or None if one is missing."""
        found = [self.cell(dataset, a) for a in algorithms]
        return [cell.curves for cell in found] if all(found) else None


# --- questions to one dataset ---


def _all_on_side(side, differences):
    """Whether all differences are negative (side -1) or positive (1)."""
    differences = list(differences)
    if all(d.sign == side for d in differences):
        return Answer(True, all(d.clear for d in differences))
    return Answer(False, any(d.clear and d.sign == -side for d in differences))


def _faster(a, b):
    """a reaches the best final RMSE of b in less than half of the iterations."""
    iteration = a.reaches(min(other.rmse("final") for other in b))
    return Answer(0 < iteration < a.points[-1] // 2, True, iteration or math.inf, "iterations")


def _below(a, b):
    """a is below b after every iteration."""
    return Answer(all(value < b.test_mean[b.at(k)] for k, value in zip(a.points, a.test_mean)))


def _sooner(a, b, enough):
    """By the iterations until a and b are within 5 % of the worse of their two best RMSEs."""
    level = 1.05 * max(a.rmse("best"), b.rmse("best"))
    x, y = a.reaches(level), b.reaches(level)
    return Answer(enough(x, y), True, x / y, "times the iterations")


def _oscillates(a, b):
    """a oscillates more than twice as much as b, by total variation less net change, relative to the level."""
    x, y = ((np.abs(np.diff(test, axis=0)).sum() - np.abs(test[-1] - test[0]).sum()) / test.mean(axis=0).sum()
            for test in (a.test, b.test))
    return Answer(x / y > 2, True, x / y, "times as much")


def _rises_and_falls(rate):
    return Answer(max(rate) > 1.05 * rate[0] and rate[-1] < 0.95 * max(rate))


def _late_rate(a):
    """The mean learning rate over the second half of the iterations."""
    return a.rate[len(a.rate) // 2:].mean()


def _rate_falls(a):
    """To a tenth of the first rate within 100 iterations."""
    ratio = a.rate[0] / a.rate[a.at(100)]
    return Answer(ratio >= 10, True, ratio, "times lower")


def _takes_less(claim, scoring, a, b):
    """CPU time. Ridge regression must be ten times faster."""
    factor = 10 if claim.a == "rr" else 1
    return _all_on_side(-1, (compare_runs(factor * a.time(scoring), other.time(scoring)) for other in b))


# Arguments: the claim, when, the curves of algorithm a and those of the algorithms b.
COUNTED = {
    "smaller": lambda claim, when, a, *b: _all_on_side(-1, (a.compare(other, when) for other in b)),
    "largest": lambda claim, when, a, *b: _all_on_side(1, (a.compare(other, when) for other in b)),
    "train-smaller": lambda claim, when, a, *b: _all_on_side(-1, (compare_runs(a.train[-1], c.train[-1]) for c in b)),
    # not larger by more than, or different by at most, the standard deviation of a over splits
    "not-larger": lambda claim, when, a, b: Answer(a.compare(b, when).mean <= a.sd(when)),
    "comparable": lambda claim, when, a, *b: Answer(all(abs(c.compare(a, when).mean) <= a.sd(when) for c in b)),
    "faster": lambda claim, when, a, *b: _faster(a, b),
    "below": lambda claim, when, a, b: _below(a, b),
    "much-sooner": lambda claim, when, a, b: _sooner(a, b, lambda x, y: 2 * x < y),
    "not-later": lambda claim, when, a, b: _sooner(a, b, lambda x, y: x <= y + 10),
    "oscillates": lambda claim, when, a, b: _oscillates(a, b),
    "rises-and-falls": lambda claim, when, a: _rises_and_falls(a.rate),
    "rate-smaller": lambda claim, when, a, b: Answer(_late_rate(a) < _late_rate(b)),
    "rate-falls": lambda claim, when, a: _rate_falls(a),
    "time": lambda claim, when, a, *b: _takes_less(claim, True, a, b),
    "train-time": lambda claim, when, a, *b: _takes_less(claim, False, a, b),
}


# --- claims that are asked once ---


def only_one(view, claim, when):
    """a is below the first of b after every iteration on all datasets, and no other of b is."""
    base, *others = claim.b.split()
    finding = _count(view, claim, when, COUNTED["below"], claim.a, base).finding(claim)
    tallies = {name: _count(view, claim, when, COUNTED["below"], name, base) for name in others}
    counts = ", ".join(f"{name} {len(tally.on)}" for name, tally in tallies.items())
    another = any(tally.sets and len(tally.on) == tally.sets for tally in tallies.values())
    verdict = FAILS if another and finding.verdict != NOT_EVALUATED else finding.verdict
    return Finding(verdict, f"{finding.text}; the others: {counts}" if counts else finding.text)


def worst_case(view, claim, when):
    """The smallest improvement over MBGD on a dataset, in per cent, is larger for a than for b."""
    found = list(filter(None, (view.curves(d, "mbgd", claim.a, claim.b) for d in view.catalogue.datasets)))
    if len(found) < claim.of:
        return Finding(NOT_EVALUATED, "")
    a, b = (min(100 * (c[0].rmse(when) - c[i].rmse(when)) / c[0].rmse(when) for c in found) for i in (1, 2))
    return Finding(HOLDS if a > b else FAILS, f"{a:+.1f} % against {b:+.1f} %")


def parameters(view, claim, when):
    """There are 2 M M_m + (M + 1) M_m^M of them, for M_m = 2 membership functions per input."""
    cells = list(filter(None, (view.cell(d, claim.a) for d in view.catalogue.datasets)))
    right = sum(n == 4 * m + (m + 1) * 2**m == (96 if m == 4 else 212) for n, m in map(trials.system_size, cells))
    verdict = NOT_EVALUATED if len(cells) < claim.of else HOLDS if right == len(cells) else FAILS
    return Finding(verdict, f"{right} of {len(cells)}")


def grid(view, claim, when):
    """At least half of a grid is within 5 % of its best point. a: the dataset, b: the prefix of the algorithms."""
    algorithms = view.catalogue.algorithms.values()
    points = {a.label: view.cell(claim.a, a.name) for a in algorithms if a.name.startswith(claim.b)}
    if not all(points.values()):
        return Finding(NOT_EVALUATED, "")
    rmse = {label: cell.curves.rmse(when) for label, cell in points.items()}
    least = min(rmse.values())
    bad = [f"{label} ({100 * (value / least - 1):+.0f} %)" for label, value in rmse.items() if value > 1.05 * least]
    good = len(rmse) - len(bad)
    text = f"{good} of {len(rmse)} points" + (f"; not {', '.join(bad)}" if bad else "")
    return Finding(HOLDS if 2 * good >= len(rmse) else FAILS, text)


def one_hot(view, claim, when):
    """One-hot encoding makes it worse. a: the algorithm, b: the dataset."""
    coded, plain = view.cell(claim.b, claim.a, "one-hot"), view.cell(claim.b, claim.a)
    if not coded or not plain:
        return Finding(NOT_EVALUATED, "")
    d = coded.curves.compare(plain.curves, when)
    text = (f"{coded.curves.rmse(when):.4g} with, {plain.curves.rmse(when):.4g} without "
            f"(difference {d.mean:+.2g} ± {d.half:.2g})")
    return Finding(HOLDS if d.sign > 0 else FAILS if d.clear else IN_SPREAD, text)


def svr_time(view, claim, when):
    """On the dataset with the most rows, a takes longer than b."""
    dataset = max(view.catalogue.datasets.values(), key=lambda d: d.rows)
    found = view.curves(dataset.name, claim.a, claim.b)
    if not found:
        return Finding(NOT_EVALUATED, "")
    a, b = (c.seconds.mean() for c in found)
    return Finding(HOLDS if a > b else FAILS, f"{dataset.label}: {a:.3g} s against {b:.3g} s")


ONCE = {f.__name__.replace("_", "-"): f for f in (only_one, worst_case, parameters, grid, one_hot, svr_time)}


# --- counting ---


class Tally:
    """The answers of the datasets to a counted question: on, not_on are {label: answer}."""

    def __init__(self, answers):
        self.on = {label: answer for label, answer in answers.items() if answer.yes}
        self.not_on = {label: answer for label, answer in answers.items() if not answer.yes}
        self.sets = len(answers)
        self.clear_yes = sum(answer.clear for answer in self.on.values())
        self.clear_no = sum(answer.clear for answer in self.not_on.values())

    def verdict(self, claim):
        yes, most, exactly = len(self.on), self.sets - self.clear_no, claim.how == "exactly"
        if self.sets < claim.of:
            return NOT_EVALUATED
        if yes == claim.number if exactly else yes >= claim.number:
            return HOLDS
        possible = self.clear_yes <= claim.number <= most if exactly else most >= claim.number
        return IN_SPREAD if possible else FAILS

    def finding(self, claim):
        """Such as "9 of 10, clearly on 8; not on Wine-Red?": a question mark is a difference within the spread."""
        names = lambda answers: ", ".join(label + ("" if a.clear else "?") for label, a in answers.items())
        yes = len(self.on)
        text = f"{yes} of {self.sets}" if self.sets else ""
        if self.clear_yes < yes:
            text += f", clearly on {self.clear_yes}"
        if self.on and 2 * yes < self.sets:
            text += f"; on {names(self.on)}"
            if self.clear_no < len(self.not_on):
                text += f"; clearly not on {self.clear_no}"
        elif self.not_on and self.on:
            text += f"; not on {names(self.not_on)}"
        figures = [(a.figure, a.unit) for a in (*self.on.values(), *self.not_on.values()) if a.figure is not None]
        if figures and math.isfinite(np.median([figure for figure, _ in figures])):
            text += f"; median {np.median([figure for figure, _ in figures]):.3g} {figures[0][1]}"
        return Finding(self.verdict(claim), text)


def _count(view, claim, when, question, a, b):
    """Asks all datasets. a may name several algorithms: one of them must be as claimed, the most favourable answer."""
    answers = {}
    for dataset in view.catalogue.datasets.values():
        found = [view.curves(dataset.name, name, *b.split()) for name in a.split()]
        if all(found):
            answers[dataset.label] = max((question(claim, when, *curves) for curves in found),
                                         key=lambda answer: (answer.yes, answer.clear == answer.yes))
    return Tally(answers)


def evaluate(view, claim, when):
    if claim.question in ONCE:
        return ONCE[claim.question](view, claim, when)
    return _count(view, claim, when, COUNTED[claim.question], claim.a, claim.b).finding(claim)


def check(catalogue):
    """Checks the rows of claims.csv. A claim is about `number` of `of` datasets, or more unless `how` is "exactly". If
    `how` is "once", it does not depend on `when`. An ablation is a claim with one thing changed; a variant is not
    counted."""
    for row in catalogue.claims:
        check_words(row, "question", [row.question], {**COUNTED, **ONCE})
        check_words(row, "kind", [row.kind], ("claim", "ablation", "variant"))
        check_words(row, "how", [row.how], ("", "exactly", "once"))
        if row.question not in ("grid", "one-hot"):  # which read a and b otherwise
            check_words(row, "a, b", [*row.a.split(), *row.b.split()], catalogue.algorithms)
        convert_counts(row, "number", "of")
