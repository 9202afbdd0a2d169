"""directions.py SUGENO DATA OUT OPTION...: whether the sentences of `sugeno rules` hold on rows that were not trained on.

Trains with the given options of `sugeno train` on splits of each dataset in DATA (splits.py; the files go to OUT) and looks at up to
500 of the test rows. A sentence "y rises with x" is right if the mean prediction of these rows is larger with x at what 95 % of training rows
are below than at what 5 % are; one of a rule, "There y ... rises with x", if it is larger with x above the rule's mean than below it, by as
much as the sentence means, where rows count by how far the rule fires. Prints for each set how many sentences there were and how many
were right, and of the numbers in "There y is about ..." how far they are from the mean of y in the test rows, by how far the rule
fires: root mean square over rules by their share, in standard deviations of y, and the same of a model that says the mean of all rows.
SETS="pm10 no2" in the environment takes some of the sets, SEEDS="50 51" other splits than 50 to 59."""
import csv
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path

import splits

ROWS = 500
HARDLY = 0.05  # of what moves predictions most: the text says "far less", and nothing of a direction


def rises(direction):
    """None where it says neither."""
    return True if "rises" in direction else False if "falls" in direction else None


def predict(program, model, folder, header, rows):
    path = folder / "asked.csv"
    with open(path, "w", newline="") as out:
        csv.writer(out).writerows([header, *rows])
    said = subprocess.run([program, "predict", model, path, "--quiet"], check=True, capture_output=True, text=True).stdout
    return [float(line) for line in said.splitlines()[1:]]


def near(feature, middle):
    """What the sentence of a rule compares: src/explain/global/centroid_pd.c, sg_centroid_pd_rule_values."""
    q, low, high = feature["quantiles"], feature["low"], feature["high"]
    half = (q[3] - q[1]) / 2 if q[3] > q[1] else (high - low) / 8
    return max(low, middle - half), min(high, middle + half)


def overall(told):
    """(input, low, high, rises) of each sentence."""
    largest = max(max(one["mean"]) - min(one["mean"]) for one in told["overall"])
    for one in told["overall"]:
        up = rises(one.get("direction", ""))
        if up is not None and max(one["mean"]) - min(one["mean"]) > HARDLY * largest:
            yield one["input"], one["at"][0], one["at"][-1], up


def of_rules(told, file):
    """(rule, input, low, high, rises) of each."""
    feature, at, place = {}, {}, 0
    for one in file["inputs"]:
        feature[one["name"]], at[one["name"]] = one, place
        place += len(one.get("levels", [0])) + one.get("others", False)
    for rule in told["rules"]:
        for name, direction in (rule["there"][0]["directions"] if "there" in rule else {}).items():
            yield rule["rule"] - 1, name, *near(feature[name], rule["mean"][at[name]]), rises(direction)


def look(program, folder, options):
    """(overall: sentences, right), (rules: sentences, right), [(share, error of "about", error of the mean)] of one split."""
    model = folder / "model.json"
    subprocess.run([program, "train", folder / "train.csv", "-o", model, "--quiet", *options], check=True, capture_output=True)
    told = json.loads(subprocess.run([program, "rules", model, "--json"], check=True, capture_output=True, text=True).stdout)
    with open(folder / "test.csv", newline="") as lines:
        header, *rows = csv.reader(lines)
    rows = rows[:ROWS]
    with open(folder / "some.csv", "w", newline="") as out:
        csv.writer(out).writerows([header, *rows])
    json_text = subprocess.run([program, "explain", model, folder / "some.csv", "--json", "--quiet"], check=True, capture_output=True, text=True).stdout
    firing = []
    for one in json.loads(json_text)["explanations"]:
        fires = {term["rule"] - 1: term["firing"] for term in one["targets"][0]["by_rule"] if "firing" in term}
        firing.append([fires.get(r, 0) for r in range(len(told["rules"]))])
    asked = [(None, *one) for one in overall(told)] + list(of_rules(told, json.loads(model.read_text())))
    moved = []
    for _, name, low, high, _ in asked:
        k = header.index(name)
        moved += [row[:k] + [repr(value)] + row[k + 1:] for value in (low, high) for row in rows]
    y = predict(program, model, folder, header, moved) if moved else []
    counts = {False: [0, 0], True: [0, 0]}
    for i, (rule, _, _, _, up) in enumerate(asked):
        low, high = y[2 * i * len(rows):(2 * i + 1) * len(rows)], y[(2 * i + 1) * len(rows):2 * (i + 1) * len(rows)]
        weight = [1 if rule is None else f[rule] for f in firing]
        net = sum(w * (b - a) for w, a, b in zip(weight, low, high, strict=True))
        counts[rule is None][0] += 1
        counts[rule is None][1] += (net > 0) == up
    target = [float(row[-1]) for row in rows]
    mean, scale, levels = statistics.fmean(target), statistics.pstdev(target), []
    for rule in told["rules"]:
        weight = [f[rule["rule"] - 1] for f in firing]
        if "there" in rule and sum(weight) > 0:
            there = sum(w * t for w, t in zip(weight, target, strict=True)) / sum(weight)
            levels.append((rule["share"], (rule["there"][0]["about"] - there) / scale, (mean - there) / scale))
    return counts[True], counts[False], levels


def rms(levels, k):
    return math.sqrt(sum(one[0] * one[k] ** 2 for one in levels) / sum(one[0] for one in levels))


def main(program, data, out, *options):
    print("| set | overall | right | of rules | right | about | the mean |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    seeds = [int(s) for s in os.environ.get("SEEDS", "").split()] or range(50, 60)
    sums = [0, 0, 0, 0]
    for name in os.environ.get("SETS", "").split() or splits.SETS:
        found, levels = [0, 0, 0, 0], []
        for seed in seeds:
            folder = Path(out) / name / str(seed)
            splits.split(data, name, seed, folder)
            first, second, more = look(program, folder, options)
            found = [a + b for a, b in zip(found, [*first, *second], strict=True)]
            levels += more
        sums = [a + b for a, b in zip(sums, found, strict=True)]
        share = [f"{b} ({b / a:.1%})" if a else "-" for a, b in (found[:2], found[2:])]
        print(f"| {name} | {found[0]} | {share[0]} | {found[2]} | {share[1]} | {rms(levels, 1):.2f} | {rms(levels, 2):.2f} |", flush=True)
    print(f"| all | {sums[0]} | {sums[1]} ({sums[1] / sums[0]:.1%}) | {sums[2]} | {sums[3]} ({sums[3] / sums[2]:.1%}) | | |")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
