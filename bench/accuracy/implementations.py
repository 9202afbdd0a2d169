"""The implementations under test: the program sugeno, and Python interpreters with the peers. offers(method) returns the (version, build)
of a method, or None. run(method, seed, folder, out) trains on folder/train.csv, writes predictions for folder/test.csv to out, and returns
(CPU seconds of the training, rules, reading cost). A build is a digest of everything besides the version that can change a result.

Child processes have their own session, so that Ctrl-C does not interrupt a running training."""
import hashlib
import json
import os
import subprocess
from pathlib import Path

import our_methods
import reading_cost

HERE = Path(__file__).parent
SOURCES = "src", "include", "cli"  # files that can change our results


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:7]


class Sugeno:
    """One process for each training, and one for its predictions."""

    def __init__(self, program):
        self.program = program
        self.version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        root = HERE.parents[1]
        files = sorted(f for s in SOURCES for f in (root / s).rglob("*") if f.is_file())
        self.sources = digest(*(part for f in files for part in (str(f.relative_to(root)).encode(), f.read_bytes())))

    def offers(self, method):
        options = our_methods.options_of(method)
        return options and (self.version, digest(self.sources.encode(), " ".join(options).encode()))

    def call(self, *words):
        """Returns (CPU seconds, output)."""
        with subprocess.Popen([self.program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              start_new_session=True) as child:
            output = child.stdout.read()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise RuntimeError(output.strip())
        return usage.ru_utime + usage.ru_stime, output

    def run(self, method, seed, folder, out):
        model = f"{out}.model"
        seconds, output = self.call("train", folder / "train.csv", "-o", model, "--seed", seed, "--threads", 1, "--json", "--quiet",
                                  *our_methods.options_of(method))
        report = json.loads(output)
        if report["interrupted"]:
            raise RuntimeError("the training was interrupted")
        self.call("predict", model, folder / "test.csv", "-o", out, "--quiet")
        return seconds, report["rules"], self.cost(model)

    def cost(self, model):
        """Returns the reading cost that the program reports, or else that of the model file."""
        _, output = self.call("info", model, "--json")
        told = json.loads(output).get("reading_cost")
        return reading_cost.cost(json.loads(Path(model).read_text())) if told is None else told

    def close(self):
        pass


class Peers:
    """One process that runs peers.py until it is closed."""

    def __init__(self, python):
        self.child = subprocess.Popen([python, HERE / "peers.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        self.can, self.lacks = {}, {}
        for text in self.child.stdout:
            word, *more = text.split(maxsplit=2)
            if word == "can":
                module, version, build = more[1].split()
                self.can[more[0]] = f"{module} {version}", build
            elif word == "lacks":
                self.lacks[more[0]] = more[1].strip()
            else:
                break

    def offers(self, method):
        return self.can.get(method)

    def run(self, method, seed, folder, out):
        print(method, seed, folder / "train.csv", folder / "test.csv", out, file=self.child.stdin, flush=True)
        answer = self.child.stdout.readline().strip()
        if not answer or answer.startswith("failed"):
            raise RuntimeError(answer or "the interpreter ended")
        seconds, cost = answer.split()
        return float(seconds), "", int(cost)

    def close(self):
        self.child.stdin.close()
        self.child.wait()
