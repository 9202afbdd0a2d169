"""The protocol with bench (bench/peer_process.h), and the files that bench writes for peers."""
import itertools
import sys
import time

try:
    import numpy as np
except ImportError as missing:  # needed by all peers to read files
    sys.exit(print(f"absent {missing}"))

FOLDER = sys.argv[-1]
PAPER = dict(rate=0.01, final=0.01, beta1=0.9, beta2=0.999, epsilon=1e-8, l2=0.05, keep=0.5, batch=64)


def load(name, width=None):
    values = np.fromfile(f"{FOLDER}/{name}.f64")
    return values.reshape(-1, width) if width else values


def timed(call, examples, seconds=2e-3):
    """Returns the CPU time of an example in nanoseconds, in a repetition of at least `seconds`. The first call is not
    timed, because caches are cold after other implementations ran."""
    call()
    start, cpu, done = time.perf_counter(), time.process_time(), 0
    while True:
        call()
        done += examples
        if time.perf_counter() - start >= seconds:
            return 1e9 * (time.process_time() - cpu) / done


def turns(calls, examples):
    """Times the calls in turn, one in each repetition: bench keeps the best of all."""
    endless = itertools.cycle(calls)
    return lambda: timed(next(endless), examples)


def agree(what, found, expected, tolerance):
    """Ends the run if results differ from ours."""
    off = np.abs(np.asarray(found, dtype=float).ravel() - expected).max() / np.abs(expected).max()
    if not off <= tolerance:
        print(f"wrong {what} off by {off:.2g}", flush=True)
        sys.exit(1)


def note(what, value):
    print(f"note {what} {value}")


def serve(offers):
    """offers: {"WHO WORK CASE PRECISION": function that does one repetition}."""
    for name in offers:
        print("can", name)
    print("ready", flush=True)
    for line in sys.stdin:
        print(offers[line.strip()](), flush=True)
