"""measure_interval_coverage.py SUGENO DATA OUT LEVEL OPTION...: the coverage of the intervals of `sugeno predict --interval LEVEL`.

Trains with the given options of `sugeno train` on ten splits of each dataset in DATA (splits.py, seeds 0 to 9; the files go to OUT)
and prints a table: for each set the mean, smallest and largest fraction of test rows within their interval, the mean width of an
interval in standard deviations of the target, and the share of test rows that --outside marks. The environment variable
SETS="pm10 no2" selects datasets."""
import csv
import os
import statistics
import subprocess
import sys
from pathlib import Path

import splits

SEEDS = range(10)


def run(program, folder, level, options):
    """Returns (share within, mean width, share outside) of one split."""
    model, predicted = folder / "model.json", folder / "predicted.csv"
    subprocess.run([program, "train", folder / "train.csv", "-o", model, "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "predict", model, folder / "test.csv", "-o", predicted, "--interval", level, "--outside", "--quiet"], check=True)
    with open(predicted, newline="") as lines:
        rows = list(csv.DictReader(lines))
    targets = [float(line.rsplit(",", 1)[1]) for line in (folder / "test.csv").read_text().splitlines()[1:]]
    within = [float(r["lower"]) <= y <= float(r["upper"]) for r, y in zip(rows, targets, strict=True)]
    width = statistics.fmean(float(r["upper"]) - float(r["lower"]) for r in rows) / statistics.pstdev(targets)
    return statistics.fmean(within), width, statistics.fmean(r["outside"] != "" for r in rows)


def main(program, data, out, level, *options):
    print("| set | mean | smallest | largest | width | outside |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    means = []
    for name in os.environ.get("SETS", "").split() or splits.SETS:
        results = []
        for seed in SEEDS:
            folder = Path(out) / name / str(seed)
            splits.split(data, name, seed, folder)
            results.append(run(program, folder, level, options))
        within, width, outside = zip(*results)
        means.append(statistics.fmean(within))
        print(f"| {name} | {means[-1]:.1%} | {min(within):.1%} | {max(within):.1%} | {statistics.fmean(width):.2f} "
              f"| {statistics.fmean(outside):.1%} |", flush=True)
    print(f"| all | {statistics.fmean(means):.1%} | | | | |")


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
