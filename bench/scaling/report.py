"""report.py RESULTS.csv PAGE.md FIGURES: writes the page and its figures from the measurements of run.py.

The text of the page is in scaling.md.in; its {names} are filled in here."""
import csv
import math
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1]))
from line_charts import draw
from page_formatting import figures, line, table, times, verdict

RESULTS, PAGE, FIGURES = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
rows = list(csv.DictReader(RESULTS.open()))
STAGES = {"about": "about", "reading": "pass", "statistics": "pass", "batch": "ranks", "evaluation": "ranks", "crowd": "crowd"}  # required by the cost model
lacking = {stage: None for work, stage in STAGES.items() if not any(r["work"] == work and (r["seconds"] or work == "about") for r in rows)}
if lacking:
    print(f"scaling: the times are in {RESULTS}; for the page measure these stages, too: {' '.join(lacking)}", file=sys.stderr)
    sys.exit()
LARGEST = max(int(r["rows"]) for r in rows if r["work"] == "reading")
MANY, FEW = min(LARGEST, 10**7), min(LARGEST, 10**6)
BYTES_OF_ROW = 88
SUMS = 8 * 214  # bytes of a gradient: 212 parameters of the paper's system, an error and a weight


def get(work, field="seconds", **named):
    """The measured value, or None."""
    for r in rows:
        if r["work"] == work and all(r[k] == str(v) for k, v in named.items()):
            return float(r[field]) if r[field] else None
    return None


def about(what):
    return next((r["who"] for r in rows if r["work"] == "about" and r["case"] == what), None)


def ratio(a, b):
    return a / b if a and b else None


# --- number formats ---

def size(value):
    return "not measured" if value is None else f"{figures(value)} MB"


def time(value):
    if value is None:
        return "–"
    scale, unit = next((s, u) for s, u in ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")) if value >= s or s == 1e-9)
    return f"{figures(value / scale)} {unit}"


def power(n):
    """10⁶ for a million."""
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(d)] for d in str(round(math.log10(n))))


# --- the targets ---

def memory():
    both = [get(work, "memory", case="npy", rows=LARGEST) for work in ("train", "eval")]
    return max(both) if all(both) else None


def two_ranks(work, **named):
    return ratio(get(work, ranks=1, **named), get(work, ranks=2, **named))


def targets():
    step = {(case, n): get("step", case=case, rows=n) for case in ("memory", "default", "file", "blocks") for n in (FEW, MANY)}
    wanted = [
        (f"peak resident memory, {LARGEST * BYTES_OF_ROW / 1e9:.2g} GB of rows, `train` 2,000 steps + `eval`", 300, 256, memory(), size, True),
        ("statistics pass over a cached `.npy`, speed relative to plain reading, one thread each", 0.4, 0.8,
         ratio(get("reading", case="cached", rows=LARGEST), get("statistics", case="cached", rows=LARGEST, threads=1)), times, False),
        ("the same, two threads against one reading thread", 0.4, 0.8,
         ratio(get("reading", case="cached", rows=LARGEST), get("statistics", case="cached", rows=LARGEST, threads=2)), times, False),
        (f"steps of 64 rows, speed from a `.npy` of {power(FEW)} rows (fits into half of `--memory`) relative to memory", 0.6, 0.9,
         ratio(step["memory", FEW], step["default", FEW]), times, False),
        (f"steps of 64 rows, speed from a `.npy` of {power(MANY)} rows (does not fit) relative to memory", 0.6, 0.9,
         ratio(step["memory", MANY], step["default", MANY]), times, False),
        ("the same with `--sampling blocks`", 0.6, 0.9, ratio(step["memory", MANY], step["blocks", MANY]), times, False),
        ("speed-up by 2 ranks, step of 8,192 rows", 1.6, 1.9, two_ranks("batch", batch=8192), times, False),
        (f"speed-up by 2 ranks, evaluation of {power(MANY)} rows", 1.6, 1.9, two_ranks("evaluation"), times, False),
    ]
    return table("| target | required | goal | measured | status |",
                 [line(what, form(must), form(want), form(value), verdict(value, must, want, less)) for what, must, want, value, form, less in wanted])


# --- tables ---

def sizes_of(work, **named):
    return sorted({int(r["rows"]) for r in rows if r["work"] == work and all(r[k] == v for k, v in named.items())})


def whole_commands():
    names = {"npy": ".npy", "blocks": ".npy, `--sampling blocks`", "rules": ".npy, `--rules 16 --pca 0`", "csv": "CSV", "cold": ".npy not in the page cache, `--rules 16 --pca 0`"}
    lines = []
    for case, name in names.items():
        for n in sizes_of("train", case=case):
            cells = [name, power(n)]
            for work in "train", "eval":
                cells += [time(get(work, case=case, rows=n)), time(get(work, "cpu", case=case, rows=n)), size(get(work, "memory", case=case, rows=n))]
            lines.append(line(*cells, f"{get('train', 'rmse', case=case, rows=n):.3f}"))
    return table("| file | rows | train | CPU | peak memory | eval | CPU | peak memory | RMSE |", lines)


def passes():
    lines = []
    for case in "cached", "cold":
        for n in sizes_of("reading", case=case):
            read, one, two = get("reading", case=case, rows=n), get("statistics", case=case, rows=n, threads=1), get("statistics", case=case, rows=n, threads=2)
            lines.append(line(case, power(n), time(read), f"{n * BYTES_OF_ROW / read / 1e9:.2g} GB/s", time(one), times(ratio(read, one)), time(two),
                              time(get("components", case=case, rows=n, threads=1))))
    return table("| file | rows | plain reading | bandwidth | statistics, 1 thread | speed relative to reading | 2 threads | with principal components, 1 thread |", lines)


def steps():
    return table("| rows | in memory | `.npy`, default | `.npy`, row by row | `--sampling blocks` |",
                 [line(power(n), *(time(get("step", case=c, rows=n)) for c in ("memory", "default", "file", "blocks"))) for n in sizes_of("step")])


def shared_work():
    lines = []
    kinds = [(f"step of {b:,} rows", "batch", {"batch": b}) for b in sorted({int(r["batch"]) for r in rows if r["work"] == "batch"})]
    kinds += [(f"evaluation of {power(MANY)} rows", "evaluation", {"case": "ranks"}), (f"statistics of {power(MANY)} rows", "statistics", {"case": "ranks"})]
    for what, work, named in kinds:
        one, two = (get(work, threads=t, **named) for t in (1, 2))
        first, second = (get(work, ranks=r, **named) for r in (1, 2))
        lines.append(line(what, time(one), time(two), times(ratio(one, two)), time(first), time(second), times(ratio(first, second))))
    return table("| work | 1 thread | 2 threads | speed-up | 1 rank | 2 ranks | speed-up |", lines)


def peers():
    lines = []
    for n in sizes_of("peer"):
        for r in sorted(rows, key=lambda r: r["case"] != "sugeno"):
            if r["work"] == "peer" and r["rows"] == str(n):
                done = bool(r["seconds"])
                lines.append(line(power(n), r["who"], time(float(r["seconds"])) if done else "time limit exceeded", time(float(r["cpu"])) if done else "–",
                                  size(float(r["memory"])) if done else "–", r["rmse"] or "–"))
    return table("| rows | program | time | CPU | peak memory | test RMSE |", lines) if lines else "No peer was installed."


def crowd():
    ranks = sorted({int(r["ranks"]) for r in rows if r["work"] == "crowd"})
    return table("| ranks | " + " | ".join(str(n) for n in ranks) + " |",
                 [line(f"batch {b:,}", *(time(get("crowd", batch=b, ranks=n)) for n in ranks)) for b in (8192, 65536)])


# --- the cost model ---

class Model:
    """All times in seconds; latency (s) and bandwidth (bytes per second) override the measured network."""

    def __init__(self, latency=None, bandwidth=None):
        small, large = get("send", case=8) or 1e-6, get("send", case=1048576) or 1e-4
        self.latency = latency or small
        self.a_byte = 1 / bandwidth if bandwidth else (large - small) / (1048576 - 8)
        most = max(int(r["ranks"]) for r in rows if r["work"] == "crowd")
        late = [get("crowd", batch=65536, ranks=n) for n in (16, 32, 64, 128, 256) if n <= most]
        self.drawing = min(late) / 65536  # per row of the batch, on the last rank, whose share of the gradient is small with 16 ranks or more
        self.computing = get("batch", batch=65536, threads=1) / 65536 - self.drawing
        self.statistics = get("statistics", case="cached", rows=LARGEST, threads=1) / LARGEST
        self.evaluation = get("evaluation", case="ranks", threads=1) / MANY
        self.reading = LARGEST * BYTES_OF_ROW / get("reading", case="cached", rows=LARGEST)
        cold = [get(work, case="cold", rows=LARGEST) for work in ("reading", "statistics")]
        self.disk = LARGEST * BYTES_OF_ROW / min(cold) if all(cold) else None

    def talk(self, ranks, size=SUMS):
        """Up the tree and down again."""
        return 2 * math.ceil(math.log2(ranks)) * (self.latency + size * self.a_byte)

    @staticmethod
    def leaves(batch):
        return max(1, min(1024, 2 ** int(math.log2(batch / 64))) // 2)

    def step(self, batch, ranks):
        return batch * self.drawing + batch * self.computing / min(ranks, self.leaves(batch)) + (self.talk(ranks) if ranks > 1 else 0)

    def small_step(self, batch, ranks):
        """Below 512 rows: to rank 0, and from there to all."""
        return batch * (self.drawing + self.computing) + min(batch, ranks) * self.latency + self.talk(ranks, batch * BYTES_OF_ROW) / 2

    def whole_pass(self, count, ranks, a_row):
        return count / ranks * a_row + self.talk(ranks, 2048)

    def useful(self, batch):
        """The smallest number of ranks at which doubling it makes a step less than 5% faster."""
        ranks = 1
        while ranks < 2**20 and self.step(batch, 2 * ranks) < 0.95 * self.step(batch, ranks):
            ranks *= 2
        return ranks


here, cluster = Model(), Model(2e-6, 1e10)
PAPER_ROWS, PAPER_RANKS = 10**9, 1000


def constants():
    lines = [line("d", "drawing a batch, per row, on the last rank", time(here.drawing)),
             line("c", "gradient, per row of the batch", time(here.computing)),
             line("s", "statistics, per row", time(here.statistics)),
             line("e", "evaluation, per row", time(here.evaluation)),
             line("α", "latency of a message of 8 bytes", f"{time(here.latency)} (assumed: {time(cluster.latency)})"),
             line("1/β", "bandwidth of a message of 1 MB", f"{1e-9 / here.a_byte:.3g} GB/s (assumed: {1e-9 / cluster.a_byte:.0f} GB/s)"),
             line("", "plain reading from the page cache", f"{here.reading / 1e9:.3g} GB/s"),
             line("", "reading from disk, the better of two", f"{here.disk / 1e9:.2g} GB/s" if here.disk else "not measured")]
    return table("| constant | meaning | value |", lines)


def check():
    """The model against what was measured on two ranks here."""
    lines = []
    for b in 512, 8192, 65536:
        lines.append(line(f"{b:,}", time(here.step(b, 1)), time(get("batch", batch=b, ranks=1)), time(here.step(b, 2)), time(get("batch", batch=b, ranks=2))))
    return table("| batch | model, 1 rank | measured | model, 2 ranks | measured |", lines)


def on_paper():
    n, r, m = PAPER_ROWS, PAPER_RANKS, cluster
    disk = n / r * BYTES_OF_ROW / m.disk if m.disk else 0
    work = [("statistics, rows in the nodes' page caches", n * m.statistics, m.whole_pass(n, r, m.statistics)),
            ("statistics, rows on disk, each rank with a disk like ours", n * BYTES_OF_ROW / m.disk if m.disk else None, max(disk, m.whole_pass(n, r, m.statistics)) if m.disk else None),
            ("10,000 steps of 65,536 rows", 1e4 * m.step(65536, 1), 1e4 * m.step(65536, r)),
            ("10,000 steps of 8,192 rows", 1e4 * m.step(8192, 1), 1e4 * m.step(8192, r)),
            ("10,000 steps of 64 rows", 1e4 * m.step(64, 1), 1e4 * m.small_step(64, r)),
            ("one evaluation", n * m.evaluation, m.whole_pass(n, r, m.evaluation))]
    return table("| work, 10⁹ rows | 1 rank | 1,000 ranks | speed-up |", [line(what, time(one), time(all_), times(ratio(one, all_))) for what, one, all_ in work])


def limits():
    lines = []
    for b in 512, 8192, 65536, 10**6:
        m, r = cluster, PAPER_RANKS
        parts = {"drawing": b * m.drawing, "gradient": b * m.computing / min(r, m.leaves(b)), "messages": m.talk(r)}
        lines.append(line(f"{b:,}", f"{m.leaves(b)}", *(time(v) for v in parts.values()), max(parts, key=parts.get), f"{m.useful(b)}",
                          times(m.step(b, 1) / m.step(b, m.useful(b)))))
    return table("| batch | leaves | drawing | gradient | messages | dominant term | useful ranks | speed-up with these |", lines)


# --- figures ---

def over(work, field, cases):
    return {title: [(n, get(work, field, case=case, rows=n)) for n in sizes_of(work, case=case)] for case, title in cases.items()}


def picture(name, settings, curves):
    draw(FIGURES / f"{name}.svg", settings, curves)


def pictures():
    os.makedirs(FIGURES, exist_ok=True)
    ten = 'set logscale xy\nset format x "10^{%L}"\nset xlabel "rows"\n'
    files = {"npy": ".npy", "csv": "CSV", "rules": ".npy, 16 rules"}
    theirs = {"sklearn": "scikit-learn SGD", "torch": "PyTorch"}
    picture("time", ten + 'set ylabel "seconds, train: 2,000 steps of 64 rows"', over("train", "seconds", files))
    picture("memory", ten + 'set ylabel "peak resident MB, train"\nset yrange [1:]',
            over("train", "memory", {k: files[k] for k in ("npy", "csv")}) | over("peer", "memory", theirs))
    picture("pass", ten + 'set ylabel "seconds for one pass"', {"plain reading": [(n, get("reading", case="cached", rows=n)) for n in sizes_of("reading")],
            "statistics, 1 thread": [(n, get("statistics", case="cached", rows=n, threads=1)) for n in sizes_of("reading")],
            "statistics, 2 threads": [(n, get("statistics", case="cached", rows=n, threads=2)) for n in sizes_of("reading")]})
    steps_of = {"memory": "in memory", "default": ".npy, default", "file": ".npy, row by row", "blocks": "--sampling blocks"}
    picture("steps", ten + 'set ylabel "microseconds per step of 64 rows"',
            {t: [(x, y and y * 1e6) for x, y in points] for t, points in over("step", "seconds", steps_of).items()})
    ranks = [2**k for k in range(13)]
    picture("ranks", 'set logscale xy\nset xlabel "ranks"\nset ylabel "milliseconds per step, by the model"\nset key top right',
            {f"batch {b:,}": [(r, 1e3 * cluster.step(b, r)) for r in ranks] for b in (512, 8192, 65536, 10**6)})


pictures()
template = (Path(__file__).parent / "scaling.md.in").read_text()
versions = ", ".join(f"{name} {about(name)}" for name in ("sklearn", "torch", "xgboost") if about(name))
page = {name: make() for name, make in (("targets", targets), ("commands", whole_commands), ("passes", passes), ("steps", steps), ("shared", shared_work), ("peers", peers),
                                        ("crowd", crowd), ("constants", constants), ("check", check), ("on_paper", on_paper), ("limits", limits))}
page |= {"figures": os.path.relpath(FIGURES, PAGE.parent), "machine": about("processor"), "version": about("sugeno"), "versions": versions or "none",
         "largest": power(LARGEST), "many": power(MANY), "few": power(FEW), "most": times((here.drawing + here.computing) / here.drawing),
         "draw": time(here.drawing), "s": time(here.statistics), "compute": time(here.computing), "d65536": time(65536 * here.drawing)}
PAGE.write_text(template.format(**page))
