"""Means, ratios and counts of a table of results. Seeds from 1000 on are claim seeds. Tables show these if any of our methods has them, or
if there are no others, else the development seeds. Ablations always use development seeds."""
import csv
import math
import statistics

import our_methods
import splits

YARDSTICK, RIDGE, EBM = "xgboost", "ridge", "ebm"
CLAIMS = 1000


def geometric(values):
    return math.exp(statistics.fmean(math.log(v) for v in values)) if values else None


class Results:
    def __init__(self, path, names=splits.SETS):
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        self.names = list(names)
        last = {(r["set"], int(r["split"]), r["method"]): r for r in rows if r["set"] in names}
        claims = any(split >= CLAIMS and our_methods.options_of(m) for _, split, m in last) or all(split >= CLAIMS for _, split, _ in last)
        self.rows = {k: r for k, r in last.items() if (k[1] >= CLAIMS) == claims and ":" not in k[2]}
        self.development = {k: r for k, r in last.items() if k[1] < CLAIMS}
        self.claims = claims

    def sets(self):
        return [s for s in self.names if any(k[0] == s for k in self.rows)]

    def methods(self):
        """Ours in the order of the table, then the others."""
        there = dict.fromkeys(k[2] for k in self.rows)
        first = [YARDSTICK, "xgboost-tuned", "lightgbm", "histgb", "forest", EBM, "ebm-3-bags", "rulefit", "figs", "mlp", RIDGE, "pytsk"]
        return [m for m in [*our_methods.OURS, *first, *there] if there.pop(m, 1) is None]

    def ours(self):
        return [m for m in self.methods() if our_methods.options_of(m)]

    def seeds(self, name):
        return sorted({k[1] for k in self.rows if k[0] == name})

    def values(self, name, method, field="rmse"):
        """{split: value}"""
        return {k[1]: float(r[field]) for k, r in self.rows.items() if (k[0], k[2]) == (name, method) and r[field]}

    def ratios(self, name, method, to=YARDSTICK, field="rmse"):
        """Returns the ratio for each split that both methods have."""
        own, other = (self.values(name, m, field) for m in (method, to))
        return [own[s] / other[s] for s in sorted(own) if s in other]

    def ratio(self, name, method, to=YARDSTICK, field="rmse"):
        found = self.ratios(name, method, to, field)
        return statistics.fmean(found) if found else None

    def over_sets(self, method, to=YARDSTICK, field="rmse"):
        """{set: mean ratio}"""
        found = {s: self.ratio(s, method, to, field) for s in self.sets()}
        return {s: r for s, r in found.items() if r}

    def means(self, method, field):
        """{set: mean over splits}"""
        found = {s: self.values(s, method, field).values() for s in self.sets()}
        return {s: statistics.fmean(v) for s, v in found.items() if v}

    def median(self, method, field):
        """Returns the median over datasets, or None."""
        found = self.means(method, field).values()
        return statistics.median(found) if found else None

    def against_ridge(self, method):
        """[(ratio, set)] of all runs"""
        return [(r, s) for s in self.sets() for r in self.ratios(s, method, RIDGE)]

    def ablation(self, method):
        """Returns {set: mean ratio to the method that was changed}, over the development splits that both have."""
        found = {}
        for name in splits.SETS:
            pairs = [(float(r["rmse"]), float(base["rmse"])) for k, r in self.development.items() if (k[0], k[2]) == (name, method)
                     for base in [self.development.get((name, k[1], method.partition(":")[0]))] if base]
            if pairs:
                found[name] = statistics.fmean(own / other for own, other in pairs)
        return found

    def versions(self):
        """Returns {method: versions}."""
        return {m: " and ".join(sorted({r["version"] for k, r in self.rows.items() if k[2] == m})) for m in self.methods()}
