"""run.py SUGENO OUT.csv [PYTHON...]: trains every method on every split of every set, and adds a line to OUT.csv for each of them.

SUGENO is the program, each PYTHON an interpreter that has some of the peers (peers.py). Of the environment: SUGENO_DATA is the folder
of the datasets; SETS (all), METHODS (names; ours, peers, ablation are groups; default: ours peers) and SPLITS (how many; default: as
splits.py says) choose; SEED (1000) is the seed of the first split; JOBS (one a core) how many run at a time, each on one core; LOG (runs.csv
beside this script) a table to which runs of ours on seeds from 1000 on are added, with what they CLAIM.

A line that is there already for the same version and build is not made again, so an interrupted run goes on where it was."""
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
import methods
import splits
from contestants import Peers, Sugeno

FIELDS = ["set", "split", "method", "version", "build", "rmse", "unseen", "rules", "seconds", "date"]
KEY = FIELDS[:5]
CLAIMS = 1000  # seeds from here on are for claims, those below for development
lock = threading.Lock()


def say(*words):
    print("accuracy:", *words, file=sys.stderr)


def today():
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


# --- one result ---

def score(found, expected, counted):
    errors = [(f - e) ** 2 for f, e, c in zip(found, expected, counted, strict=True) if c]
    return f"{math.sqrt(sum(errors) / len(errors)):.6g}"


def predictions(path):
    """One number a line, after a header or none."""
    lines = Path(path).read_text().split()
    return [float(w) for w in (lines[1:] if lines[0] == "prediction" else lines)]


class Table:
    """OUT.csv: lines are added as they come; tidy() leaves out those that others have taken the place of."""

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
        self.out = self.path.open("a", newline="")
        self.writer = csv.DictWriter(self.out, FIELDS, lineterminator="\n")
        if not there:
            self.writer.writeheader()

    def add(self, row):
        self.rows.append({k: str(v) for k, v in row.items()})
        self.writer.writerow(row)
        self.out.flush()

    def tidy(self):
        names = list(splits.SETS)
        last = {(names.index(r["set"]), int(r["split"]), r["method"]): r for r in self.rows}
        whole = self.path.with_suffix(".part")
        with whole.open("w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(last[k] for k in sorted(last))
        whole.replace(self.path)


class Worker(threading.Thread):
    """Takes splits from the queue until there are none: all methods of a split, one after the other."""

    def __init__(self, jobs, data, table, scratch, stop):
        super().__init__()
        self.jobs, self.data, self.table, self.scratch, self.stop = jobs, data, table, scratch, stop
        self.failed, self.hired = [], {}

    def run(self):
        while not self.stop.is_set():
            try:
                self.compare(*self.jobs.get_nowait())
            except queue.Empty:
                break
        for who in self.hired.values():
            who.close()

    def compare(self, name, seed, wanted):
        folder = self.scratch / name / str(seed)
        train, test = splits.split(self.data, name, seed, folder)
        target, new = [float(r[-1]) for r in test], splits.unseen(train, test)
        for method, hire, *offer in wanted:
            if self.stop.is_set():
                break
            if hire not in self.hired:
                self.hired[hire] = hire()
            out = self.scratch / f"{self.ident}"
            try:
                seconds, rules = self.hired[hire].run(method, seed, folder, out)
            except (RuntimeError, OSError) as error:
                self.failed.append(method)
                say(f"{name}, split {seed}, {method}: {error}")
                continue
            found = predictions(out)
            row = dict(zip(KEY, (name, seed, method, *offer)), rmse=score(found, target, [True] * len(new)), rules=rules,
                       unseen=score(found, target, new) if name in splits.DUPLICATES else "", seconds=f"{seconds:.3f}", date=today())
            with lock:
                self.table.add(row)
                say(f"{name}, split {seed}, {method}: {row['rmse']} in {seconds:.1f} s")


# --- what is wanted ---

def contestants(program, pythons):
    """[(how to get one for a thread, one of them)], ours first."""
    ours = Sugeno(program)
    found = [(lambda: ours, ours)]
    for python in pythons:
        peers = Peers(python)
        peers.close()
        found.append((lambda python=python: Peers(python), peers))
    for method, why in {m: why for _, peers in found[1:] for m, why in peers.lacks.items()}.items():
        if not any(who.offers(method) for _, who in found):
            say(f"{method} is left out: {why}")
    return found


def chosen(everybody):
    """[(method, how to get who does it, version, build)]"""
    peers = dict.fromkeys(m for _, who in everybody[1:] for m in who.can)
    groups = {"ours": methods.OURS, "ablation": [m for base in methods.ABLATIONS for m in (base, *methods.ablations(base))], "peers": peers}
    words = (os.environ.get("METHODS") or "ours peers").split()
    found = []
    for method in dict.fromkeys(m for w in words for m in groups.get(w, [w])):
        able = [(method, hire, *who.offers(method)) for hire, who in everybody if who.offers(method)]
        if not able:
            sys.exit(f"accuracy: there is no method {method}, or it is not installed; there are {' '.join([*methods.OURS, *peers])}")
        found.append(able[0])
    return found


def sets():
    words = (os.environ.get("SETS") or " ".join(splits.SETS)).split()
    for word in words:
        if word not in splits.SETS:
            sys.exit(f"accuracy: there is no set {word}; there are {' '.join(splits.SETS)}")
    return words


def log(path, sugeno, seed, names, wanted):
    """What may become a claim is listed before anybody sees its results."""
    ours = [m for m, *_ in wanted if methods.options_of(m)]
    if seed < CLAIMS or not ours:
        return
    row = [today(), f"{sugeno.version}-{sugeno.sources}", str(seed), "all" if names == list(splits.SETS) else " ".join(names),
           " ".join(ours), os.environ.get("CLAIM") or "none"]
    there = list(csv.reader(open(path)))
    if row not in there:
        with open(path, "a", newline="") as out:
            csv.writer(out, lineterminator="\n").writerow(row)


def jobs_of(names, seed, wanted, table):
    jobs = queue.Queue()
    for name in names:
        for split in range(seed, seed + int(os.environ.get("SPLITS") or splits.SETS[name])):
            todo = [w for w in wanted if (name, str(split), w[0], *w[2:]) not in table.known]
            if todo:
                jobs.put((name, split, todo))
    return jobs


def work(jobs, data, table):
    """Methods that failed, a word for each time."""
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
            say("stops after what is being trained now; the same command goes on from there")
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
    everybody = contestants(program, pythons)
    names, wanted = sets(), chosen(everybody)
    log(os.environ.get("LOG") or Path(__file__).parent / "runs.csv", everybody[0][1], seed, names, wanted)
    table = Table(out)
    failed = work(jobs_of(names, seed, wanted, table), data, table)
    table.tidy()
    if failed:
        sys.exit(f"accuracy: {len(failed)} runs failed, of {' '.join(sorted(set(failed)))}")


main()
