"""run.py SUGENO OUT.csv [PYTHON...]: trains every method on every split of every dataset, and adds one line for each to OUT.csv.

SUGENO is the program, each PYTHON an interpreter with some of the peers (peers.py). Environment variables: SUGENO_DATA: the folder of the
datasets. SETS (default: the ten; "heldback": those that are held back). METHODS: names or groups (ours, peers, ablation; default: ours peers). SPLITS: their number (default: see
splits.py). SEED: of the first split (1000). JOBS: parallel runs, on one core each (default: one for each core). LOG (runs.csv in this folder):
a table to which our runs on seeds from 1000 on are added, with the text of CLAIM.

Results that exist for the same version and build are kept, so an interrupted run can be continued."""
import csv
import datetime
import fcntl
import math
import os
import queue
import signal
import sys
import tempfile
import threading
from pathlib import Path

sys.dont_write_bytecode = True
import our_methods
import splits
from implementations import Peers, Sugeno

FIELDS = ["set", "split", "method", "version", "build", "rmse", "unseen", "rules", "cost", "seconds", "date"]
KEY = FIELDS[:5]
CLAIMS = 1000  # first claim seed; smaller seeds are for development
lock = threading.Lock()


def log_line(*words):
    print("accuracy:", *words, file=sys.stderr)


def today():
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


# --- one result ---

def score(found, expected, counted):
    errors = [(f - e) ** 2 for f, e, c in zip(found, expected, counted, strict=True) if c]
    return f"{math.sqrt(sum(errors) / len(errors)):.6g}"


def predictions(path):
    """Reads one number a line, with or without a header."""
    lines = Path(path).read_text().split()
    return [float(w) for w in (lines[1:] if lines[0] == "prediction" else lines)]


class Table:
    """OUT.csv: lines are appended; tidy() removes outdated ones."""

    def __init__(self, path):
        self.path = Path(path)
        self.lock = os.open(self.path.parent, os.O_RDONLY)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"accuracy: another run writes to {self.path.parent}")
        there = self.path.exists() and self.path.stat().st_size
        self.rows = list(csv.DictReader(self.path.open())) if there else []
        self.known = {tuple(r[k] for k in KEY) for r in self.rows}
        if there and list(self.rows[0] if self.rows else FIELDS) != FIELDS:
            self.tidy()  # a table of an older harness: new columns are empty
        self.out = self.path.open("a", newline="")
        self.writer = csv.DictWriter(self.out, FIELDS, lineterminator="\n")
        if not there:
            self.writer.writeheader()

    def add(self, row):
        self.rows.append({k: str(v) for k, v in row.items()})
        self.writer.writerow(row)
        self.out.flush()

    def tidy(self):
        names = list(splits.ALL)
        last = {(names.index(r["set"]), int(r["split"]), r["method"]): r for r in self.rows}
        whole = self.path.with_suffix(".part")
        with whole.open("w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(last[k] for k in sorted(last))
        whole.replace(self.path)


class Worker(threading.Thread):
    """Takes splits from the queue, and runs all methods on each."""

    def __init__(self, jobs, data, table, scratch, stop):
        super().__init__()
        self.jobs, self.data, self.table, self.scratch, self.stop = jobs, data, table, scratch, stop
        self.failed, self.instances = [], {}

    def run(self):
        while not self.stop.is_set():
            try:
                self.compare(*self.jobs.get_nowait())
            except queue.Empty:
                break
        for implementation in self.instances.values():
            implementation.close()

    def compare(self, name, seed, wanted):
        folder = self.scratch / name / str(seed)
        train, test = splits.split(self.data, name, seed, folder)
        target, new = [float(r[-1]) for r in test], splits.unseen(train, test)
        for method, factory, *offer in wanted:
            if self.stop.is_set():
                break
            if factory not in self.instances:
                self.instances[factory] = factory()
            out = self.scratch / f"{self.ident}"
            try:
                seconds, rules, cost = self.instances[factory].run(method, seed, folder, out)
            except (RuntimeError, OSError) as error:
                self.failed.append(method)
                log_line(f"{name}, split {seed}, {method}: {error}")
                continue
            found = predictions(out)
            row = dict(zip(KEY, (name, seed, method, *offer)), rmse=score(found, target, [True] * len(new)), rules=rules, cost=cost,
                       unseen=score(found, target, new) if name in splits.DUPLICATES else "", seconds=f"{seconds:.3f}", date=today())
            with lock:
                self.table.add(row)
                log_line(f"{name}, split {seed}, {method}: {row['rmse']} in {seconds:.1f} s")


# --- selection ---

def make_implementations(program, pythons):
    """Returns [(factory, instance)], ours first."""
    ours = Sugeno(program)
    found = [(lambda: ours, ours)]
    for python in pythons:
        peers = Peers(python)
        peers.close()
        found.append((lambda python=python: Peers(python), peers))
    for method, why in {m: why for _, peers in found[1:] for m, why in peers.lacks.items()}.items():
        if not any(implementation.offers(method) for _, implementation in found):
            log_line(f"{method} is left out: {why}")
    return found


def choose_methods(implementations):
    """Returns [(method, factory of its implementation, version, build)]."""
    peers = dict.fromkeys(m for _, implementation in implementations[1:] for m in implementation.can)
    ablations = [m for base in our_methods.ABLATIONS for m in (base, *our_methods.ablations(base))]
    groups = {"ours": our_methods.OURS, "ablation": ablations, "peers": peers}
    words = (os.environ.get("METHODS") or "ours peers").split()
    found = []
    for method in dict.fromkeys(m for w in words for m in groups.get(w, [w])):
        able = [(method, factory, *implementation.offers(method)) for factory, implementation in implementations if implementation.offers(method)]
        if not able:
            sys.exit(f"accuracy: there is no method {method}, or it is not installed; there are {' '.join([*our_methods.OURS, *peers])}")
        found.append(able[0])
    return found


def sets(seed):
    groups = {"heldback": splits.HELD_BACK}
    words = [s for w in (os.environ.get("SETS") or " ".join(splits.SETS)).split() for s in groups.get(w, [w])]
    for word in words:
        if word not in splits.ALL:
            sys.exit(f"accuracy: there is no set {word}; there are {' '.join(splits.ALL)}")
    if seed < CLAIMS and set(words) & set(splits.HELD_BACK):
        sys.exit(f"accuracy: datasets that are held back have no development seeds; SEED must be at least {CLAIMS}")
    return words


def log(path, sugeno, seed, names, wanted):
    """Lists a run on claim seeds before its results are known."""
    ours = [m for m, *_ in wanted if our_methods.options_of(m)]
    if seed < CLAIMS or not ours:
        return
    row = [today(), f"{sugeno.version}-{sugeno.sources}", str(seed), {tuple(splits.SETS): "all", tuple(splits.HELD_BACK): "heldback"}.get(tuple(names), " ".join(names)),
           " ".join(ours), os.environ.get("CLAIM") or "none"]
    there = list(csv.reader(open(path)))
    if row not in there:
        with open(path, "a", newline="") as out:
            csv.writer(out, lineterminator="\n").writerow(row)


def jobs_of(names, seed, wanted, table):
    jobs = queue.Queue()
    for name in names:
        for split in range(seed, seed + int(os.environ.get("SPLITS") or splits.ALL[name])):
            todo = [w for w in wanted if (name, str(split), w[0], *w[2:]) not in table.known]
            if todo:
                jobs.put((name, split, todo))
    return jobs


def work(jobs, data, table):
    """Returns the methods that failed, one entry for each failure."""
    stop, cores = threading.Event(), len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as scratch:
        workers = [Worker(jobs, data, table, Path(scratch), stop) for _ in range(int(os.environ.get("JOBS") or cores))]
        try:
            for w in workers:
                w.start()
            for w in workers:
                w.join()
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            log_line("stopping after the current trainings; the same command continues from there")
            stop.set()
            for w in workers:
                w.join()
            sys.exit(130)
    return [m for w in workers for m in w.failed]


def main():
    program, out, *pythons = sys.argv[1:]
    data, seed = os.environ.get("SUGENO_DATA"), int(os.environ.get("SEED") or CLAIMS)
    if not data:
        sys.exit("accuracy: SUGENO_DATA is not set; it names the folder of the datasets")
    implementations = make_implementations(program, pythons)
    names, wanted = sets(seed), choose_methods(implementations)
    log(os.environ.get("LOG") or Path(__file__).parent / "runs.csv", implementations[0][1], seed, names, wanted)
    table = Table(out)
    failed = work(jobs_of(names, seed, wanted, table), data, table)
    table.tidy()
    if failed:
        sys.exit(f"accuracy: {len(failed)} runs failed, of {' '.join(sorted(set(failed)))}")


main()
