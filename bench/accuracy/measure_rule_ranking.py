"""measure_rule_ranking.py SUGENO DATA OUT OPTION...: how often the printed rules tell which of two rows has the larger prediction.

Trains with the given options of `sugeno train` on five splits of airfoil and powerplant (splits.py, seeds 0 to 4; the files go to OUT), and
orders random pairs of test rows by the output of `sugeno rules` alone: adds the interpolated values of `Overall`, and the interactions in the
tables of `Together`. Prints the share of pairs in the order of `sugeno predict`. The environment variables SETS="airfoil" and SEEDS="0 1"
select datasets and splits. Existing models are used again."""
import csv
import json
import os
import random
import statistics
import subprocess
import sys
from bisect import bisect_right
from pathlib import Path

import splits

PAIRS = 2000


def between(at, x):
    """Returns the interval of x among ascending numbers, and the position within it; x is clamped to the ends."""
    i = min(max(bisect_right(at, x) - 1, 0), len(at) - 2)
    return i, min(max((x - at[i]) / (at[i + 1] - at[i]), 0.0), 1.0)


class Reader:
    def __init__(self, printed):
        self.lines = {line["input"]: (line["at"], line["mean"]) for line in printed["overall"] if len(line.get("at", ())) > 1}
        self.tables = printed["together"]

    def line(self, name, x):
        at, mean = self.lines[name]
        i, part = between(at, x)
        return mean[i] + part * (mean[i + 1] - mean[i])

    def table(self, t, row):
        """The interaction of two inputs: the table without the means of its rows and columns."""
        (r, u), (c, v) = between(t["down_at"], row[t["down"]]), between(t["across_at"], row[t["across"]])
        rows = [statistics.fmean(line) for line in t["mean"]]
        columns = [statistics.fmean(column) for column in zip(*t["mean"])]
        left = [[y - a - b + statistics.fmean(rows) for y, b in zip(line, columns)] for line, a in zip(t["mean"], rows)]
        above = left[r][c] + v * (left[r][c + 1] - left[r][c])
        below = left[r + 1][c] + v * (left[r + 1][c + 1] - left[r + 1][c])
        return above + u * (below - above)

    def __call__(self, row):
        return sum(self.line(name, row[name]) for name in self.lines) + sum(self.table(t, row) for t in self.tables)


def run(program, folder, options):
    """Returns the share of pairs in the right order."""
    model, predicted = folder / "model.json", folder / "predicted.csv"
    if not model.exists():
        subprocess.run([program, "train", folder / "train.csv", "-o", model, "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "predict", model, folder / "test.csv", "-o", predicted, "--quiet"], check=True)
    printed = subprocess.run([program, "rules", model, "--format", "json"], check=True, capture_output=True, text=True).stdout
    read = Reader(json.loads(printed))
    with open(folder / "test.csv", newline="") as lines:
        guesses = [read({name: float(x) for name, x in row.items()}) for row in csv.DictReader(lines)]
    with open(predicted, newline="") as lines:
        predictions = [float(row["prediction"]) for row in csv.DictReader(lines)]
    draw = random.Random(0)
    pairs = [draw.sample(range(len(guesses)), 2) for _ in range(PAIRS)]
    return statistics.fmean((guesses[a] < guesses[b]) == (predictions[a] < predictions[b]) for a, b in pairs)


def main(program, data, out, *options):
    print("| set | pairs in order | worst split |\n| --- | ---: | ---: |")
    for name in os.environ.get("SETS", "airfoil powerplant").split():
        shares = []
        for seed in map(int, os.environ.get("SEEDS", "0 1 2 3 4").split()):
            folder = Path(out) / name / str(seed)
            splits.split(data, name, seed, folder)
            shares.append(run(program, folder, options))
        print(f"| {name} | {statistics.fmean(shares):.1%} | {min(shares):.1%} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
