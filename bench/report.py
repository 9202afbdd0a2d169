"""report.py RESULTS.csv PAGE.md FIGURES: writes the page and its figures from one run of bench.

The text of the page is in performance.md.in; its {names} are filled in here."""
import csv
import os
import subprocess
import sys
from pathlib import Path

import line_charts as pictures_of
from page_formatting import figures, table, times, verdict

RESULTS, PAGE, FIGURES = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
HEAD = "grid-5x2"
rows = list(csv.DictReader(RESULTS.open()))


def ns(work, case=HEAD, who="sugeno", precision="f64", threads="1"):
    """The measured time, or None."""
    for r in rows:
        if [r["work"], r["case"], r["who"], r["precision"], r["threads"]] == [work, case, who, precision, str(threads)]:
            return float(r["ns"])
    return None


def fraction(work, case, precision="f64"):
    for r in rows:
        if [r["work"], r["case"], r["who"], r["precision"]] == [work, case, "sugeno", precision]:
            return float(r["fraction_of_peak"])
    return None


def about(what):
    return next((r["who"] for r in rows if r["work"] == "about" and r["case"] == what), None)


def versus(work, who, precision="f64", case=HEAD, ours="sugeno"):
    """The time of who divided by ours."""
    theirs, own = ns(work, case, who, precision), ns(work, case, ours, precision)
    return theirs / own if theirs and own else None


def scaling(work):
    one = ns(work)
    more = ns(work, threads=2)
    return one / more if one and more else None


# --- the targets ---

def percent(value):
    return "not measured" if value is None else f"{100 * value:.0f}%"


def time(value):
    if value is None:
        return "not measured"
    size, unit = next((s, u) for s, u in ((1e6, "ms"), (1e3, "µs"), (1, "ns")) if value >= s or s == 1)
    return f"{figures(value / size)} {unit}"


class Target:
    """Description; required value and goal; measured value; format; whether smaller is better."""

    def __init__(self, what, must, want, measured, form=times, less=False):
        self.what, self.must, self.want, self.measured, self.form, self.less = what, must, want, measured, form, less

    def verdict(self):
        return verdict(self.measured, self.must, self.want, self.less)

    def line(self):
        cells = self.what, self.form(self.must), self.form(self.want), self.form(self.measured), self.verdict()
        return "| " + " | ".join(cells) + " |"


TARGETS = [
    Target("training step, f64, vs PyTorch", 100, 170, versus("step", "torch")),
    Target("training step, f64, vs NumPy", 25, 45, versus("step", "numpy")),
    Target("training step, f32, vs PyTorch", 200, 350, versus("step", "torch", "f32")),
    Target("gradient, f64, vs the reference kernel", 5, 10, versus("gradient", "sugeno/reference")),
    Target("gradient by the reference kernel", 1000, 1000, ns("gradient", who="sugeno/reference"), time, True),
    Target("prediction, f64, vs PyTorch", 12, 22, versus("predict", "torch")),
    Target("prediction, f64, vs NumPy", 15, 27, versus("predict", "numpy")),
    Target("prediction, f64, vs fuzzylite", 250, 490, versus("predict", "fuzzylite")),
    Target("prediction, f32, vs XGBoost, 100 trees", 120, 270, versus("predict", "xgboost", "f32")),
    Target("fraction of FMA peak: prediction", 0.40, 0.60, fraction("predict", HEAD), percent),
    Target("fraction of FMA peak: gradient", 0.30, 0.45, fraction("gradient", HEAD), percent),
    Target("fraction of FMA peak: gradient, 1024 rules", 0.35, 0.55, fraction("gradient", "grid-10x2"), percent),
    Target("fraction of FMA peak: gradient, 30 rules over 50 inputs", 0.60, 0.70, fraction("gradient", "cluster-30x50"), percent),
    Target("the paper's Protein protocol, f64, vs NumPy", 12, 25, versus("protocol", "numpy", case="protein")),
    Target("reading CSV, 17 digits, vs numpy.loadtxt", 3, 5, versus("csv", "numpy.loadtxt", case="long")),
    Target("reading CSV, 17 digits, vs pandas", 3, 8, versus("csv", "pandas.read_csv", case="long")),
    Target("reading CSV, short numbers, vs numpy.loadtxt", 3, 5, versus("csv", "numpy.loadtxt", case="short")),
    Target("reading CSV, short numbers, vs pandas", 3, 8, versus("csv", "pandas.read_csv", case="short")),
    Target("speed-up by two threads: prediction of 10⁶ rows", 1.7, 1.95, scaling("threads")),
    Target("speed-up by two threads: cross-validation", 1.7, 1.95, scaling("folds")),
    Target("one row by `sg_predictor_run`", 1000, 200, ns("row"), time, True),
    Target("one row by `sg_model_predict`", 1000, 200, ns("row-model"), time, True),
]


def targets():
    return table("| target | required | goal | measured | status |", [t.line() for t in TARGETS])


# --- tables ---

def cases():
    lines = []
    for case in dict.fromkeys(r["case"] for r in rows if r["work"] == "step"):
        cells = [f"`{case}`"]
        for work in "step", "gradient", "predict":
            cells += [f"{ns(work, case):.4g}", f"{ns(work, case, precision='f32'):.4g}", times(versus(work, "sugeno/reference", case=case))]
        cells += [percent(fraction(w, case, p)) for w in ("gradient", "predict") for p in ("f64", "f32")]
        cells.append(f"{ns('row', case):.4g}")
        lines.append("| " + " | ".join(cells) + " |")
    return table("| case | step f64 | f32 | × | gradient f64 | f32 | × | predict f64 | f32 | × | peak: gradient f64 | f32 | predict f64 | f32 | single row |", lines)


UNITS = {"step": "training step, per example, batch 64", "predict": "prediction, in bulk", "row": "prediction, single row",
         "csv": "reading CSV, per number", "protocol": "the paper's protocol, per iteration"}


def peers():
    lines = []
    for r in rows:
        if r["work"] in UNITS and not r["who"].startswith("sugeno"):
            own = float(r["ns"]) / float(r["ratio"])
            lines.append(f"| {UNITS[r['work']]}{', ' + r['case'] + ' numbers' if r['work'] == 'csv' else ''} | {r['who']} | {r['precision']} "
                         f"| {time(float(r['ns']))} | {time(own)} | {times(float(r['ratio']))} |")
    return table("| work | peer | precision | peer time | our time | ratio |", lines) if lines else "No peer was installed."


def machine():
    peak = {r["precision"]: 1 / float(r["ns"]) for r in rows if r["work"] == "peak"}
    versions = [f"{n} {about(n)}" for n in ("numpy", "torch", "xgboost", "scikit-learn", "pandas", "fuzzylite") if about(n)]
    return (f"{about('processor')}, kernel `{about('kernel')}`, {about('compiler')}, sugeno {about('sugeno')}; peak of one core: "
            f"{peak['f64']:.1f} (f64) and {peak['f32']:.1f} (f32) multiply-adds per nanosecond. Peers: {', '.join(versions) or 'none'}. "
            f"The protocol ran on {about('protocol')}." + (" Quick run: rough figures." if about("run") == "quick" else ""))


# --- figures ---

def draw(name, settings, curves, how="linespoints"):
    pictures_of.draw(FIGURES / f"{name}.svg", settings, curves, how)


def bars(name, title, values):
    """values: [(label, ns)], as horizontal bars on a logarithmic axis."""
    values = [(label, v) for label, v in values if v][::-1]
    if not values:
        return
    low = min(v for _, v in values) / 2
    script = pictures_of.STYLE.replace("640,400", f"640,{100 + 26 * len(values)}") + f'set output "{FIGURES / name}.svg"\n'
    script += f'set title "{title}"\nset logscale x\nset xrange [{low}:{max(v for _, v in values) * 3}]\nset yrange [-0.7:{len(values) - 0.3}]\nunset key\nset style fill solid\n'
    script += "set ytics (" + ", ".join(f'"{label}" {i}' for i, (label, _) in enumerate(values)) + ")\n"
    script += f"plot '-' using ({low}):2:({low}):1:($2-0.35):($2+0.35) with boxxyerror ls 1, '-' using 1:2:3 with labels left offset 0.5,0\n"
    script += "".join(f"{v} {i}\n" for i, (_, v) in enumerate(values)) + "e\n"
    script += "".join(f'{v} {i} "{time(v)}"\n' for i, (_, v) in enumerate(values)) + "e\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def shape(case):
    """(rules, inputs, grid?) from grid-5x2 or cluster-30x50; None for variants."""
    kind, _, size = case.partition("-")
    if "-" in size:
        return None
    a, b = map(int, size.split("x"))
    return (b**a, a, True) if kind == "grid" else (a, b, False)


def multiply_adds(work, rules, inputs, grid):
    if work == "predict":
        return rules * (inputs + 1) if grid else 3 * rules * inputs
    return rules * (2 * inputs + 3) if grid else 6 * rules * inputs


def roofline():
    """Multiply-adds per nanosecond against multiply-adds per byte of the input row, f64."""
    peak = next(1 / float(r["ns"]) for r in rows if r["work"] == "peak" and r["precision"] == "f64")
    curves = {}
    for work in "predict", "gradient":
        for grid, kind in (True, "grid"), (False, "clustered rules"):
            points = []
            for r in rows:
                if r["work"] == work and r["who"] == "sugeno" and r["precision"] == "f64" and shape(r["case"]):
                    rules, inputs, is_grid = shape(r["case"])
                    if is_grid == grid:
                        fma = multiply_adds(work, rules, inputs, grid)
                        points.append((fma / (8 * (inputs + 1)), fma / float(r["ns"])))
            curves[f"{work}, {kind}"] = sorted(points)
    draw("roofline", f'set logscale xy\nset key bottom right\nset xlabel "multiply-adds per byte of a row, f64"\nset ylabel "multiply-adds per nanosecond"\n'
         f'set yrange [:{peak * 1.5}]\nset arrow from graph 0,first {peak} to graph 1,first {peak} nohead dt 2 lc rgb "#888888"\n'
         f'set label "peak of one core" at graph 0.02,first {peak * 1.12} textcolor rgb "#444444"', curves, "points")


def over(work, pick, who="sugeno", precision="f64"):
    """[(x, ns)] of the cases for which pick gives an x."""
    points = []
    for r in rows:
        if (r["work"], r["who"], r["precision"]) == (work, who, precision):
            x = pick(r["case"])
            if x is not None:
                points.append((x, float(r["ns"])))
    return sorted(points)


def grid_rules(case):
    s = shape(case)
    return s[0] if s and s[2] and case.endswith("x2") else None


def cluster_inputs(case):
    s = shape(case)
    return s[1] if s and not s[2] and s[0] == 30 else None


def cluster_rules(case):
    s = shape(case)
    return s[0] if s and not s[2] and s[1] == 10 else None


def batch(case):
    return 64 if case == HEAD else int(case.rpartition("-")[2]) if "-batch-" in case else None


def against(name, label, pick):
    curves = {f"{work}, {precision}": over(work, pick, precision=precision) for work in ("gradient", "predict") for precision in ("f64", "f32")}
    draw(name, f'set logscale xy\nset xlabel "{label}"\nset ylabel "ns per example"', curves)


def pictures():
    os.makedirs(FIGURES, exist_ok=True)
    roofline()
    against("rules", "rules of a grid (2, 4, 8, ... for 1, 2, 3, ... inputs)", grid_rules)
    against("cluster-inputs", "inputs, 30 rules that own their MFs", cluster_inputs)
    against("cluster-rules", "rules that own their MFs, 10 inputs", cluster_rules)
    draw("batch", 'set logscale x\nset key top right\nset xlabel "batch size, 32 rules"\nset ylabel "ns per example, training step"\nset yrange [0:]',
         {p: over("step", batch, precision=p) for p in ("f64", "f32")})
    calls = sorted({int(r["case"]) for r in rows if r["work"] == "rows"})
    most = max((int(r["threads"]) for r in rows if r["work"] == "rows"), default=1)
    draw("rows", 'set logscale xy\nset key top right\nset xlabel "rows per call, 32 rules"\nset ylabel "ns per row"',
         {"f64": [(n, ns("rows", str(n))) for n in calls], "f32": [(n, ns("rows", str(n), precision="f32")) for n in calls],
          f"f64, {most} threads": [(n, ns("rows", str(n), threads=most)) for n in calls] if most > 1 else []})
    counts = sorted({int(r["threads"]) for r in rows if r["work"] == "threads"})
    draw("threads", 'set xlabel "threads"\nset ylabel "speed-up"\nset xtics 1\nset yrange [0:]\nset xrange [0.5:]',
         {name: [(n, ns(work) / ns(work, threads=n)) for n in counts] for name, work in (("prediction of a million rows", "threads"), ("cross-validation", "folds"))})
    who = ["sugeno", "sugeno/reference", "numpy", "torch", "xgboost", "fuzzylite"]
    latency = [(w, ns("row", who=w, precision="f32" if w == "xgboost" else "f64")) for w in who]
    bars("latency", "prediction of one row, ns", latency[:1] + [("sugeno, sg_model_predict", ns("row-model"))] + latency[1:])
    bars("peers-step", "training step, f64, 32 rules, batch 64, ns per example", [(w, ns("step", who=w)) for w in ("sugeno", "sugeno/reference", "numpy", "torch")])
    bars("peers-predict", "prediction in bulk, f64 (XGBoost, forest: f32), 32 rules, ns per row",
         [(w, ns("predict", who=w, precision="f32" if w in ("xgboost", "sklearn-forest") else "f64"))
          for w in ("sugeno", "numpy-blas", "numpy", "torch", "sugeno/reference", "xgboost", "sklearn-boosting", "fuzzylite", "sklearn-forest")])


pictures()
template = (Path(__file__).parent / "performance.md.in").read_text()
folder = os.path.relpath(FIGURES, PAGE.parent)
PAGE.write_text(template.format(targets=targets(), cases=cases(), peers=peers(), machine=machine(), figures=folder))
