"""measure_rule_sentences.py SUGENO DATA OUT OPTION...: whether the sentences of `sugeno rules` hold on test rows.

Trains with the given options of `sugeno train` on splits of each dataset in DATA (splits.py; the files go to OUT) and uses up to 500 test
rows. A sentence "y rises with x" is right if the mean prediction is larger with x at its 95 % quantile than at its 5 % quantile. A sentence
of a rule, "There y ... rises with x", is right if the mean prediction, weighted by the rule's firing level, is larger with x above the rule's
mean than below it. Prints for each dataset the number of sentences and the number of right ones; and the error of the numbers in "There y is
about ...", compared with the mean of y weighted by the firing level: root mean square over rules, weighted by their shares, in standard
deviations of y, and the same for the mean of all rows. The environment variables SETS="pm10 no2" and SEEDS="50 51" select datasets and
splits (default: 50 to 59)."""
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
HARDLY = 0.05  # below this share of the strongest effect, the text says "far less" and gives no direction


def rises(direction):
    """Returns None if the text gives no direction."""
    return True if "rises" in direction else False if "falls" in direction else None


def predict(program, model, folder, header, rows):
    path = folder / "changed.csv"
    with open(path, "w", newline="") as out:
        csv.writer(out).writerows([header, *rows])
    output = subprocess.run([program, "predict", model, path, "--quiet"], check=True, capture_output=True, text=True).stdout
    return [float(line) for line in output.splitlines()[1:]]


def compared_values(feature, middle):
    """The two values that a sentence of a rule compares: src/explain/global/rule_centroid_pd.c, sg_centroid_pd_rule_values."""
    q, low, high = feature["quantiles"], feature["low"], feature["high"]
    half = (q[3] - q[1]) / 2 if q[3] > q[1] else (high - low) / 8
    return max(low, middle - half), min(high, middle + half)


def overall(rules_json):
    """Yields (input, low, high, rises) for each sentence."""
    largest = max(max(one["mean"]) - min(one["mean"]) for one in rules_json["overall"])
    for one in rules_json["overall"]:
        up = rises(one.get("direction", ""))
        if up is not None and max(one["mean"]) - min(one["mean"]) > HARDLY * largest:
            yield one["input"], one["at"][0], one["at"][-1], up


def of_rules(rules_json, file):
    """Yields (rule, input, low, high, rises) for each sentence."""
    feature, at, place = {}, {}, 0
    for one in file["inputs"]:
        feature[one["name"]], at[one["name"]] = one, place
        place += len(one.get("levels", [0])) + one.get("others", False)
    for rule in rules_json["rules"]:
        for name, direction in (rule["there"][0]["directions"] if "there" in rule else {}).items():
            yield rule["rule"] - 1, name, *compared_values(feature[name], rule["mean"][at[name]]), rises(direction)


def evaluate(program, folder, options):
    """Returns (overall: sentences, right), (rules: sentences, right), [(share, error of "about", error of the mean)] of one split."""
    model = folder / "model.json"
    subprocess.run([program, "train", folder / "train.csv", "-o", model, "--quiet", *options], check=True, capture_output=True)
    rules_json = json.loads(subprocess.run([program, "rules", model, "--json"], check=True, capture_output=True, text=True).stdout)
    with open(folder / "test.csv", newline="") as lines:
        header, *rows = csv.reader(lines)
    rows = rows[:ROWS]
    with open(folder / "some.csv", "w", newline="") as out:
        csv.writer(out).writerows([header, *rows])
    json_text = subprocess.run([program, "explain", model, folder / "some.csv", "--json", "--quiet"], check=True, capture_output=True, text=True).stdout
    firing = []
    for one in json.loads(json_text)["explanations"]:
        fires = {term["rule"] - 1: term["firing"] for term in one["targets"][0]["by_rule"] if "firing" in term}
        firing.append([fires.get(r, 0) for r in range(len(rules_json["rules"]))])
    sentences = [(None, *one) for one in overall(rules_json)] + list(of_rules(rules_json, json.loads(model.read_text())))
    moved = []
    for _, name, low, high, _ in sentences:
        k = header.index(name)
        moved += [row[:k] + [repr(value)] + row[k + 1:] for value in (low, high) for row in rows]
    y = predict(program, model, folder, header, moved) if moved else []
    counts = {False: [0, 0], True: [0, 0]}
    for i, (rule, _, _, _, up) in enumerate(sentences):
        low, high = y[2 * i * len(rows):(2 * i + 1) * len(rows)], y[(2 * i + 1) * len(rows):2 * (i + 1) * len(rows)]
        weight = [1 if rule is None else f[rule] for f in firing]
        net = sum(w * (b - a) for w, a, b in zip(weight, low, high, strict=True))
        counts[rule is None][0] += 1
        counts[rule is None][1] += (net > 0) == up
    target = [float(row[-1]) for row in rows]
    mean, scale, levels = statistics.fmean(target), statistics.pstdev(target), []
    for rule in rules_json["rules"]:
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
            first, second, more = evaluate(program, folder, options)
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
