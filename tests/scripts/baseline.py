#!/usr/bin/env python3
"""Records what the programs of a build compute, and compares two recordings. A refactoring must not change any number.

baseline.py record BUILD_DIR OUT_DIR         runs every command with the binaries in BUILD_DIR, which must be two levels below the source tree
baseline.py compare OUT_A OUT_B [--exact]    lists the commands that differ, with the first line that does; exits with 1 if there are any

A recording has up to three files for each command:
values/NAME   exit code; models, JSON and the data of reports without their sentences; CSV files unchanged; other files as SHA-256
numbers/NAME  the numbers in text output and in the sentences of JSON
exact/NAME    stdout and stderr (except elapsed times), and the SHA-256 of every file; compared only with --exact

Uses only the command line, JSON and the public interface of the Python package. SUGENO_DATA adds datasets. Commands that
need MPI, or numpy and scikit-learn for the interpreter PYTHON (/usr/bin/python3), are skipped if these are missing."""
import csv, gzip, hashlib, json, os, random, re, shlex, shutil, subprocess, sys, tempfile, time
from pathlib import Path

PRESETS = """rr mbgd mbgd-r mbgd-d mbgd-rd mbgd-a mbgd-ra mbgd-rda mbgd-rd-adam mbgd-rda-dropmf mbgd-rda-dropmembership
    anfis-gd anfis-gd-lse anfis-gd-lse-r fcm-rda fcm-rdpa auto auto-ensemble""".split()
TRAININGS = {  # options of trainings on mg.csv, besides --preset mbgd-rda --iters 60
    **{f"mf-{mf}{'-cluster' * (rules > 0)}": f"--mf {mf} --rules {rules}" for mf in "gauss gauss-a gbell tri trap gauss2".split() for rules in (0, 5)},
    **{f"optim-{name}": f"--optim {name}" for name in "jang sgd adam adabound adabelief".split()},
    **{f"drop-{name}": f"--drop {name} --keep 0.7" for name in "none rule mf membership".split()},
    **{f"centres-{name}": f"--centres {name} --rules 6 --pca 0" for name in "kmeans kmeans-y fcm tree".split()},
    **{f"scale-{name}": f"--scale {name} --target {target}" for name, target in (("zscore", "zscore"), ("quantile", "center"), ("none", "none"))},
    **{f"kernel-{name}": f"--rules 7 --batch 300 --mf gauss-a" for name in "portable reference avx2".split()},
    **{f"kernel-{name}-f32": f"--mfs 3 --precision f32" for name in "portable reference avx2".split()},
    **{f"threads-{n}": f"--threads {n} --batch 700 --iters 30" for n in (1, 2, 4)},
    "linear": "--structure linear", "grid-mixed": "--structure grid --mfs 2,3,1,2", "pca": "--pca 2", "low-rank": "--rules 4 --low-rank 2",
    "firing-mean": "--firing mean --rules 6", "limit-range": "--limit range --clip 0.1", "limit-tails": "--limit tails --clip 0", "effects": "--effects all --rules 4",
    "lse": "--consequents lse --iters 5", "start-ridge": "--start ridge --refit 0.01 --rules 4", "sampling-blocks": "--sampling blocks --batch 128",
    "loss-mean": "--loss mean --huber 0.5", "average": "--average 0.9 --schedule cosine --warmup 0.1", "power": "--power 0.5 --final-rate 0.1",
    "jang-rates": "--optim jang --rate-up 1.3 --rate-down 0.7", "moments": "--optim adam --beta1 0.8 --beta2 0.99 --epsilon 1e-6 --rate 0.03",
    "balance": "--balance 0.5 --rules 4", "noise": "--noise 0.1 --seed 7", "sigma-floor": "--sigma-floor 0.1 --width 0.5", "valid": "--valid test.csv --patience 20",
    "valid-fraction": "--valid-fraction 0.3", "intervals": "--intervals 5", "f32": "--precision f32", "f32-cluster": "--precision f32 --rules 9 --keep 0.9",
    "two-targets": "-t 'x(t+6),x(t)'", "batch-all": "--batch 0 --iters 10", "memory": "--memory 1MB", "ignore": "--ignore 'x(t-6)' --config rate.conf"}
COMMANDS = Path(__file__).with_name("baseline_commands.txt").read_text().splitlines()[1:]
EXPECTED = {"failed-diverges": 1, "failed-option": 2, "failed-file": 1, "failed-column": 1, "failed-interval": 1}  # exit codes other than 0
PYTHON = """import json, warnings, numpy as np
from sugeno import SugenoRegressor, load
warnings.simplefilter("ignore")
t = np.genfromtxt("mg.csv", delimiter=",", skip_header=1); X, y, V, v = t[:500, :4], t[:500, 4], t[500:, :4], t[500:, 4]
def show(**found): print(json.dumps(found, default=lambda a: a.tolist()))
"""
SNIPPETS = {
    "fit": """m = SugenoRegressor(preset="mbgd-rda", iters=60).fit(X, y, sample_weight=1 + np.arange(500) % 3, eval_set=(V, v)); e = m.explain(V[:20])
m.save("python-fit.json"); m.report("python-fit.html", V, v)
show(y=m.predict(V), again=load("python-fit.json").predict(np.asfortranarray(V)), r2=m.score(V, v), rules=m.rules(), by_input=e.by_input, by_rule=e.by_rule, text=e.text(3), n=m.n_rules_)""",
    "auto": """m = SugenoRegressor(budget=2, random_state=3).fit(X, y); y, low, high = m.predict(V, return_interval=0.9)
show(y=y, low=low, high=high, rules=json.loads(m.rules("json")), record=m.record_)""",
    "partial-fit": """m = SugenoRegressor(preset="mbgd-rda", rules=5, pca=0)
for k in range(0, 500, 100): m.partial_fit(X[k:k + 100], y[k:k + 100])
show(y=m.predict(V))""",
    "types": """Z = X.astype("f4"); Z[::7, 1] = np.nan; m = SugenoRegressor(preset="mbgd-rda", iters=60, precision="f32").fit(Z, np.c_[y, X[:, 0]]); show(y=m.predict(V))""",
    "file": """m = SugenoRegressor(preset="mbgd-rda", iters=60, ignore="z").fit("mixed.csv", "y"); m.save("python-file.json"); show(y=m.predict("mixed.csv"))""",
    "frame": """import pandas
f = pandas.read_csv("mixed.csv").dropna(subset=["y"]).drop(columns="z"); m = SugenoRegressor(preset="mbgd-rda", iters=60).fit(f, "y"); m.save("python-frame.json"); show(y=m.predict(f.drop(columns="y")))"""}
MPI = {"mixed": "train mixed.csv -t y --ignore z --preset mbgd-rda --iters 40 --batch 300 --weights weight", "lse": "train mg.csv --preset anfis-gd-lse --iters 3",
       "auto": "train few.csv --iters 100 --rules 4 --budget 2", "fcm": "train mg.csv --preset fcm-rdpa --rules 4 --iters 30 --intervals 3", "eval": "eval preset-auto.json mg.csv",
       "predict": "predict preset-auto.json mg.csv", "cv": "cv mg.csv --preset mbgd-rda --iters 30"}
TIMES = re.compile(r'(\bseconds"?:? +)[-+.\de]+|\b[\d.]+(?= s(?:econds?)?\b)')
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?")


def make_data(work, source):
    mg = (source / "examples/mackey-glass.csv").read_text().splitlines(keepends=True)
    for name, rows in (("mg", mg), ("test", mg[:1] + mg[601:]), ("few", mg[:151])):
        (work / f"{name}.csv").write_text("".join(rows))
    (work / "mg.csv.gz").write_bytes(gzip.compress("".join(mg).encode(), mtime=0))
    (work / "tab.txt").write_text("".join(mg[1:]).replace(",", "\t"))
    (work / "rate.conf").write_text("rate = 0.02\nseed = 5\n")
    draw, lines = random.Random(1).random, ["day,kind of,size,load,site,count,kind,weight,y,z"]
    for i in range(400):
        size, load, kind, count = 10 * draw(), draw() - 0.5, int(3.3 * draw()), int(5 * draw())
        y = size * (1 + load) + (kind == 1) * 3 + count + draw()
        lines.append(f"2001-{1 + i // 28 % 12:02}-{1 + i % 28:02},{['red', 'light blue', 'it' + chr(39) + 's grey', 'NA'][kind]},{size:.4f},{f'{load:.5f}' if i % 11 else ''},"
                     f"site {i % 13},{count},{'ab'[i % 2] if i % 17 else '?'},{1 + i % 4},{f'{y:.3f}' if i % 101 else ''},{size - 2 * load:.3f}")
    (work / "mixed.csv").write_text("\n".join(lines) + "\n")


def numbers_in(text):
    return NUMBER.findall(re.sub(r"x\(t([-+]\d+)?\)", "x", text))  # not those in the column names of mg.csv


def flatten(value, path, names, values, sentences):
    """One line for each scalar of a JSON value; numbers keep their spelling. A string with a space in it is a sentence unless it is in the data."""
    if isinstance(value, list):
        value = [inner for inner in value if not (isinstance(inner, dict) and inner.get("name") == "cache")]  # an option that goes away
    if isinstance(value, (dict, list)):
        values.append(f"{path} {type(value).__name__} of {len(value)}")
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if "seconds" not in str(key):
                flatten(inner, f"{path}/{key}", names, values, sentences)
    elif isinstance(value, str) and " " in value.strip() and value not in names:
        values.append(f"{path} (sentence)")
        sentences += [f"{path} {number}" for number in sorted(numbers_in(value))]
    else:
        values.append(f"{path} {value!r}")


class Literal(str):  # a number as written in the file
    __repr__ = str.__str__


class Recorder:
    def __init__(self, build, out, work):
        self.build, self.out, self.work, self.count, self.wrong = build, out, work, 0, 0
        self.names = {cell for file in work.glob("*.csv") for row in csv.reader(file.open()) for cell in row if " " in cell}
        self.env = {**{k: v for k, v in os.environ.items() if not k.startswith("SUGENO_")}, "LC_ALL": "C.UTF-8", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(build / "../../python"),
                    "SUGENO_LIBRARY": str(build / "libsugeno.so"), "TMPDIR": "/tmp"}  # paths of Open MPI's sockets must be short
        for kind in ("values", "numbers", "exact"):
            (out / kind).mkdir(parents=True)

    def files(self):
        return {f.name: (f.stat().st_mtime_ns, f.stat().st_ino) for f in self.work.iterdir() if f.is_file()}

    def sugeno(self, name, args, **more):
        self.run(name, [self.build / "sugeno", *shlex.split(args.replace("@", name).replace("<", " <"))], **more)

    def run(self, name, words, said=True, **env):
        source = [w[1:] for w in map(str, words) if w.startswith("<")]
        words = [str(w) for w in words if not str(w).startswith("<")]
        before = self.files()
        with open(self.work / source[0] if source else os.devnull) as stdin:
            done = subprocess.run(words, cwd=self.work, env={**self.env, **env}, stdin=stdin, capture_output=True, timeout=300)
        if done.returncode != EXPECTED.get(name, 0):
            self.wrong += 1
            print(f"{name}: unexpected exit code {done.returncode}: {done.stderr.decode()[-300:]}", file=sys.stderr)
        values, numbers, exact = [f"exit {done.returncode}"], [], []
        stdout, stderr = (TIMES.sub(lambda found: (found[1] or "") + "0", s.decode()).replace(f"{self.build}/", "") for s in (done.stdout, done.stderr))
        stderr = "".join(line for line in stderr.splitlines(keepends=True) if not re.search(r"\d:\d\d left", line))  # their number depends on the time
        self.add("stdout", stdout, ("predict" in words or "explain" in words) and not {"--row", "--importance"} & {*words}, values, numbers)
        exact += ["stdout", stdout, "stderr", stderr] if said else []
        for file in sorted(f for f, at in self.files().items() if before.get(f) != at):
            data = (self.work / file).read_bytes()
            sha = f"{file} {hashlib.sha256(data).hexdigest()}"
            exact.append(sha)
            if file.endswith(".html"):
                for part, text in re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', data.decode(), re.S):
                    self.add(f"{file}:{part}", text, False, values, numbers)
            elif file.endswith((".json", ".csv")):
                self.add(file, data.decode(), file.endswith(".csv"), values, numbers)
            else:  # the format of checkpoints is internal
                values.append(file if file == "saved" else sha)
        for kind, lines in (("values", values), ("numbers", [] if name.startswith("help") else numbers), ("exact", exact)):
            (self.out / kind / name).write_text("".join(line + "\n" for line in lines))
        self.count += 1

    def add(self, what, text, is_csv, values, numbers):
        try:
            flatten(json.loads(text, parse_float=Literal, parse_int=Literal), what, self.names, values, numbers)
        except ValueError:
            (values if is_csv else numbers).extend([what, *(text.splitlines() if is_csv else numbers_in(text))])


def record(build, out):
    build, out, began = build.resolve(), out.resolve(), time.time()
    if out.exists() and any(out.iterdir()):
        sys.exit(f"{out} is not empty")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        make_data(work, build / "../..")
        sets = [name for name in ("concrete", "housing", "pm10", "abalone") if (Path(os.environ.get("SUGENO_DATA", "absent")) / f"{name}.csv").exists()]
        for name in sets:
            shutil.copy(Path(os.environ["SUGENO_DATA"]) / f"{name}.csv", work)
        r = Recorder(build, out, work)
        for preset in PRESETS:
            how = "--budget 2" if preset.startswith("auto") else "--iters 5" if preset.startswith("anfis") else "--iters 60"
            r.sugeno(f"preset-{preset}", f"train mg.csv --preset {preset} {how} -o @.json --json")
            r.sugeno(f"predict-{preset}", f"predict preset-{preset}.json test.csv")
        for name, options in TRAININGS.items():
            kernel = {"SUGENO_KERNEL": name.split("-")[1]} if name.startswith("kernel") else {}
            if kernel != {"SUGENO_KERNEL": "avx2"} or " avx2" in Path("/proc/cpuinfo").read_text():
                r.sugeno(name, f"train mg.csv --preset mbgd-rda --iters 60 {options} -o @.json", **kernel)
                r.sugeno(f"{name}-predict", f"predict {name}.json test.csv", **kernel)
        for line in COMMANDS:
            r.sugeno(*line.split(None, 1))
        for kind in ("npy", "arff", "dat", "svm"):
            packed = work / f"packed.{kind}.gz"
            packed.write_bytes(gzip.compress((work / f"convert-{kind}.{kind}").read_bytes(), mtime=0))
            for name, file in ((f"train-{kind}", f"convert-{kind}.{kind}"), (f"train-{kind}-gz", packed.name)):
                if name != "train-npy-gz":  # .npy files are read in place and cannot be compressed
                    r.sugeno(name, f"train {file} --preset mbgd-rda --iters 60 --mfs 2 -o @.json")
        # A training that is interrupted and resumed. Only the result is recorded.
        long = "train mg.csv --preset mbgd-rda --iters 200000 --valid few.csv --average 0.9 --checkpoint ck"
        first = subprocess.run(["timeout", "-s", "INT", "0.5", r.build / "sugeno", *long.split(), "--checkpoint-every", "0.02"], cwd=work, env=r.env, capture_output=True)
        if first.returncode != 124 or not (work / "ck").exists():
            print("checkpoint-resume: the training was not interrupted between two checkpoints", file=sys.stderr)
        r.sugeno("checkpoint-resume", f"{long} -o @.json", said=False)
        for name in sets:
            r.sugeno(f"{name}-auto", f"train {name}.csv --budget 2 -o @.json --json")
            r.sugeno(f"{name}-predict", f"predict {name}-auto.json {name}.csv --interval 0.9 --outside")
            r.sugeno(f"{name}-rules", f"rules {name}-auto.json")
            r.sugeno(f"{name}-cv", f"cv {name}.csv --preset mbgd-rda --iters 100 --json")
            r.sugeno(f"{name}-fcm-rdpa", f"train {name}.csv --preset fcm-rdpa --iters 60 --rules 8 -o @.json --json")
        if (build / "sugeno-mpi").exists() and shutil.which("mpiexec"):
            for name, args in MPI.items():
                for n in "23":
                    keep = ["-o", f"mpi-{name}-{n}.json"] if args.startswith("train") else []
                    r.run(f"mpi-{name}-{n}", ["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", n, build / "sugeno-mpi", *args.split(), *keep])
        else:
            print("skipped the commands that need MPI", file=sys.stderr)
        python = os.environ.get("PYTHON", "/usr/bin/python3")
        for name, code in SNIPPETS.items():
            if subprocess.run([python, "-c", "import numpy, sklearn" + ", pandas" * (name == "frame")], capture_output=True).returncode:
                print(f"skipped python-{name}: {python} lacks numpy, scikit-learn or pandas", file=sys.stderr)
            else:
                r.run(f"python-{name}", [python, "-c", PYTHON + code])
    print(f"{r.count} commands in {time.time() - began:.0f} s, {r.wrong} with an unexpected exit code")
    return r.wrong > 0


def compare(a, b, exact):
    kinds, different, seen = ["values", "numbers"] + ["exact"] * exact, set(), set()
    for kind in kinds:
        for name in sorted({f.name for side in (a, b) for f in (side / kind).glob("*")}):
            seen.add(name)
            both = [(side / kind / name).read_text().split("\n") if (side / kind / name).exists() else None for side in (a, b)]
            if both[0] != both[1]:
                different.add(name)
                if None in both:
                    print(f"{kind}/{name}: only in {b if both[0] is None else a}")
                    continue
                at = next((i for i, (x, y) in enumerate(zip(*both)) if x != y), min(map(len, both)))
                x, y = (side[at][:200] if at < len(side) else "(end)" for side in both)
                print(f"{kind}/{name}: line {at + 1}\n  - {x}\n  + {y}")
    print(f"{len(seen)} commands, {len(different)} differ")
    return bool(different) or not seen


if __name__ == "__main__":
    args = [arg for arg in sys.argv[1:] if arg != "--exact"]
    if len(args) != 3 or args[0] not in ("record", "compare"):
        sys.exit(__doc__)
    sys.exit(record(Path(args[1]), Path(args[2])) if args[0] == "record" else compare(Path(args[1]), Path(args[2]), "--exact" in sys.argv))
