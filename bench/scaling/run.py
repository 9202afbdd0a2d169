"""run.py BUILD OUT.csv [STAGE...]: measures how sugeno scales, and writes the times and sizes to OUT.csv.

BUILD is the folder of the programs. Without STAGE all stages run, in the order of STAGES; otherwise only the named ones, and the other lines
of OUT.csv are kept. Environment variables: ROWS: the largest number of rows (1e7). FOLDER: for data files of 88 bytes per row, more than twice
that for CSV ($TMPDIR, /tmp); they are removed at the end unless KEEP is set. LIMIT: seconds for a peer (240)."""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
BUILD, OUT, WANTED = Path(sys.argv[1]).absolute(), Path(sys.argv[2]), sys.argv[3:]
ROWS = int(float(os.environ.get("ROWS") or 1e7))
LIMIT = float(os.environ.get("LIMIT") or 240)
FIELDS = ["work", "case", "who", "rows", "batch", "threads", "ranks", "seconds", "cpu", "memory", "rmse"]
SIZES = [10**k for k in range(4, 10) if 10**k <= ROWS] or [ROWS]
FEW = min(ROWS, 10**6)  # for rows in memory
MANY = min(ROWS, 10**7)
PROBE, PROBE_MPI = BUILD / "bench/time_training_parts", BUILD / "bench/time_training_parts_mpi"
SUGENO = BUILD / "sugeno"
IN_MEMORY, ON_DISK = "memory=32GB", "memory=1MB"
STATISTICS = ["structure=linear", "pca=0"]
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
folder = Path(os.environ.get("FOLDER") or tempfile.gettempdir()) / f"sugeno-scaling-{os.getuid()}"
found = []


def add(work, seconds=None, cpu=None, **more):
    row = dict.fromkeys(FIELDS, "") | {"work": work} | more
    for name, value in ("seconds", seconds), ("cpu", cpu):
        row[name] = "" if value is None else f"{value:.6g}"
    found.append({k: str(v) for k, v in row.items()})
    print("scaling:", " ".join(f"{k}={v}" for k, v in found[-1].items() if v), file=sys.stderr)


# --- rows: Friedman's first function, ten inputs, unit noise ---

def block_of(number, n):
    random = np.random.default_rng([1, number])
    rows = np.empty((n, 11))
    rows[:, :10] = random.random((n, 10))
    x = rows.T
    rows[:, 10] = 10 * np.sin(np.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4] + random.standard_normal(n)
    return rows


def write_npy(path, rows, first=0):
    """Writes a block at a time, so that the memory does not depend on the number of rows."""
    block = 500_000
    if path.exists():
        return
    with open(str(path) + ".part", "wb") as out:
        header = {"descr": "<f8", "fortran_order": False, "shape": (rows, 11)}
        np.lib.format.write_array_header_1_0(out, header)
        for i in range(0, rows, block):
            block_of(first + i // block, min(block, rows - i)).tofile(out)
    os.rename(str(path) + ".part", path)


def npy(rows):
    path = folder / f"{rows}.npy"
    write_npy(path, rows)
    return path


def test_rows():
    path = folder / "test.npy"
    write_npy(path, 100_000, first=10**6)
    return path


# --- programs: time, CPU time, the largest resident memory ---

def run(command, env=None, limit=3600):
    """Returns (seconds, CPU seconds, MB, output), or None if the command failed or exceeded the limit."""
    report = folder / "report"
    whole = [PROBE, "launch", report, "timeout", "-k", "5", limit, *command]
    done = subprocess.run([str(c) for c in whole], capture_output=True, text=True, env=os.environ | (env or {}))
    if done.returncode:
        print(f"scaling: failed or too slow: {' '.join(map(str, command))}: {done.stderr[-300:]}", file=sys.stderr)
        return None
    return *map(float, report.read_text().split()), done.stdout


def probe(*what, ranks=0):
    """Returns (seconds, CPU seconds) of a part; with ranks, those of rank 0."""
    if ranks and not (PROBE_MPI.exists() and shutil.which("mpiexec")):
        return None
    command = ["mpiexec", "-n", ranks, PROBE_MPI] if ranks else [PROBE]
    done = run([*command, *what], MPI)
    return [float(x) for x in done[3].split()] if done else None


def measure(work, what, ranks=0, runs=1, **more):
    """Adds the best of several runs."""
    times = [t for t in (probe(*what, ranks=ranks) for _ in range(runs)) if t]
    if times:
        add(work, *(min(t) for t in zip(*times)), **more, **({"ranks": ranks} if ranks else {}))


def evict(path):
    """Removes a file from the page cache."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def warm(path):
    probe("reading", path, 1)


# --- stages ---

MODEL = ["--preset", "mbgd-rda", "--iters", "2000", "--batch", "64", "--json", "--quiet"]
RULES = ["--rules", "16", "--pca", "0"]  # on all inputs, like the peers


def train(case, path, rows, options=(), who="sugeno", test=False):
    """Times train, then eval on the same file or on test rows."""
    model = folder / "model.json"
    done = run([SUGENO, "train", path, *MODEL, *options, "-o", model])
    if not done:
        return
    rmse = json.loads(done[3])["train_rmse"]
    memory = [o for o in options if "memory" in str(o)]
    scored = run([SUGENO, "eval", model, test_rows() if test else path, "--json", "--quiet", *memory])
    if test:
        rmse = json.loads(scored[3])["rmse"]
    add("train" if not test else "peer", done[0], done[1], case=case, who=who, rows=rows, memory=f"{done[2]:.1f}", rmse=f"{rmse:.4f}")
    if not test:
        add("eval", scored[0], scored[1], case=case, who=who, rows=rows, memory=f"{scored[2]:.1f}")


def stage_files():
    """Runs first, so that the disk is not writing during measurements."""
    for rows in SIZES:
        npy(rows)
    os.sync()


def stage_rows():
    """Complete commands by the number of rows."""
    for rows in SIZES:
        path = npy(rows)
        warm(path)
        train("npy", path, rows)
        train("blocks", path, rows, ["--sampling", "blocks"])
        train("rules", path, rows, RULES)
        if rows <= MANY:
            text = folder / f"{rows}.csv"
            run([SUGENO, "convert", path, text])
            train("csv", text, rows)
            text.unlink()
    evict(npy(SIZES[-1]))
    train("cold", npy(SIZES[-1]), SIZES[-1], RULES)


def stage_pass():
    """One pass of statistics compared with plain reading, from the page cache and from disk."""
    for rows in SIZES:
        path, repeats = npy(rows), 3 if rows > MANY else 7
        warm(path)
        measure("reading", ["reading", path, repeats], rows=rows, case="cached")
        measure("statistics", ["statistics", path, repeats, *STATISTICS, ON_DISK], rows=rows, case="cached", threads=1)
        measure("statistics", ["statistics", path, repeats, *STATISTICS, ON_DISK, "threads=2"], rows=rows, case="cached", threads=2)
        if rows <= MANY:
            measure("components", ["statistics", path, 1, ON_DISK], rows=rows, case="cached", threads=1)
    path, rows = npy(SIZES[-1]), SIZES[-1]
    evict(path)
    measure("reading", ["reading", path, 1], rows=rows, case="cold")
    evict(path)
    measure("statistics", ["statistics", path, 1, *STATISTICS, "threads=1"], rows=rows, case="cold", threads=1)


def stage_steps():
    """A step of 64 rows by the number of rows: in memory, row by row from the page cache (1 MB allows little prefetching), by blocks, and by
    default. 32 rules on the first five inputs, because PCA needs two more passes over the rows. Each round is long enough for several
    prefetches."""
    cases = ("memory", [IN_MEMORY]), ("file", [ON_DISK]), ("blocks", ["sampling=blocks"]), ("default", [])
    for rows in SIZES:
        path = npy(rows)
        warm(path)
        for case, options in cases:
            if case == "memory" and rows > MANY:
                continue
            options = [*options, "pca=0", "ignore=c6,c7,c8,c9,c10"]
            rounds = (10, 500) if case == "file" else (5, 20_000)
            measure("step", ["steps", path, *rounds, *options], runs=3, case=case, rows=rows, batch=64, threads=1)


def stage_ranks():
    """Steps by batch size, threads and ranks; passes by threads and ranks."""
    path = npy(FEW)
    for batch in 64, 512, 8192, 65536:
        rounds = 60, max(2, 40_000 // batch)
        options = [f"batch={batch}", IN_MEMORY]
        for threads in 1, 2:
            measure("batch", ["steps", path, *rounds, *options, f"threads={threads}"], runs=5, rows=FEW, batch=batch, threads=threads)
        for ranks in 1, 2:
            measure("batch", ["steps", path, *rounds, *options], ranks=ranks, runs=5, rows=FEW, batch=batch)
    path, model = npy(MANY), folder / "model.json"
    warm(path)
    run([SUGENO, "train", npy(FEW), *MODEL, "-o", model])
    for work, what in ("evaluation", ["evaluation", path, 5, model]), ("statistics", ["statistics", path, 5, *STATISTICS, ON_DISK]):
        for threads in 1, 2:
            measure(work, [*what, f"threads={threads}"], runs=3, rows=MANY, threads=threads, case="ranks")
        for ranks in 1, 2:
            measure(work, what, ranks=ranks, runs=3, rows=MANY, case="ranks")


def stage_links():
    """Messages between two ranks."""
    done = run(["mpiexec", "-n", "2", PROBE_MPI, "links"], MPI) if PROBE_MPI.exists() and shutil.which("mpiexec") else None
    for line in done[3].splitlines() if done else []:
        size, one, shared = line.split()
        add("send", float(one), case=size)
        add("share", float(shared), case=size)


def stage_crowd():
    """CPU time of one of many ranks in a step."""
    for batch in 8192, 65536:
        for ranks in 1, 2, 4, 8, 16, 32, 64, 128, 256:
            times = [probe("crowd", ranks, max(5, 65536 // batch * 3), f"batch={batch}") for _ in range(3 if ranks < 64 else 1)]
            if all(times):
                add("crowd", *min(times), batch=batch, ranks=ranks, rows=2**20)


PEERS = ("sklearn", "sgd_memmap", "scikit-learn SGD, linear"), ("torch", "torch_memmap", "PyTorch, 16 rules"), ("xgboost", "xgboost_external", "XGBoost, external memory")


COMPARED = [n for n in SIZES if n >= 10**6] or SIZES[-1:]
OURS = ("sugeno, the paper's 32 rules", []), ("sugeno, 16 rules", RULES), ("sugeno, 16 rules, nothing dropped", [*RULES, "--drop", "none"])


def stage_ours():
    """Our times for the comparison with peers."""
    for rows in COMPARED:
        warm(npy(rows))
        for who, options in OURS:
            train("sugeno", npy(rows), rows, options, who=who, test=True)


def stage_peers():
    for rows in COMPARED:
        warm(npy(rows))
        for module, script, who in PEERS:
            if rows > MANY and module == "xgboost":
                continue
            there = subprocess.run([sys.executable, "-c", f"import {module}; print({module}.__version__)"], capture_output=True, text=True)
            if there.returncode:
                print(f"scaling: skipped: {who} is not installed", file=sys.stderr)
                continue
            add("about", case=module, who=there.stdout.strip())
            done = run([sys.executable, HERE / f"peers/{script}.py", npy(rows), test_rows()], limit=LIMIT)
            if done:
                add("peer", done[0], done[1], case=module, who=who, rows=rows, memory=f"{done[2]:.1f}", rmse=f"{float(done[3]):.4f}")
            else:
                add("peer", case=module, who=who, rows=rows)


def stage_about():
    names = [line.partition(":")[2].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    total = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    add("about", case="processor", who=f"{names[0] if names else 'unknown'}, {os.cpu_count()} cores, {total / 2**20:.0f} GB")
    add("about", case="sugeno", who=subprocess.run([SUGENO, "--version"], capture_output=True, text=True).stdout.split()[-1])


STAGES = {"files": stage_files, "about": stage_about, "links": stage_links, "pass": stage_pass, "steps": stage_steps, "ranks": stage_ranks, "crowd": stage_crowd,
          "rows": stage_rows, "ours": stage_ours, "peers": stage_peers}


def save():
    """Replaces results of the same name."""
    def name(r):
        return tuple(r[f] for f in FIELDS[:7] if not (r["work"] == "about" and f == "who"))

    old = list(csv.DictReader(OUT.open())) if WANTED and OUT.exists() else []
    rows = {name(r): r for r in old + found}
    with OUT.open("w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows.values())


folder.mkdir(exist_ok=True)
try:
    for stage in WANTED or STAGES:
        start = time.monotonic()
        STAGES[stage]()
        save()
        WANTED = WANTED or list(STAGES)  # keep the results of earlier stages
        print(f"scaling: {stage} took {time.monotonic() - start:.0f} s", file=sys.stderr)
finally:
    if not os.environ.get("KEEP"):
        shutil.rmtree(folder)
