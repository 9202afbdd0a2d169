"""The learning curves of a cell over its repetitions: statistics, and the file that holds them.

Sums are sequential, so that results are the same to the last bit on every machine."""
import json
import os
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

# Student's t, two-sided 95 %, for 1, 2, ... degrees of freedom.
STUDENT_T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
             2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086]


def mean(x):
    """Means over the last axis."""
    return np.cumsum(x / x.shape[-1], axis=-1)[..., -1]


def deviation(x):
    """Sample standard deviations over the last axis; 0 for a single run."""
    n = x.shape[-1]
    squares = (x - mean(x)[..., None]) ** 2
    return np.sqrt(np.cumsum(squares, axis=-1)[..., -1] / max(1, n - 1))


class Difference(NamedTuple):
    """How runs a differ from runs b, paired: repetitions share their splits."""

    mean: float  # of a - b
    half: float  # half of the 95 % interval of that mean
    clear: bool  # the interval excludes 0: the difference exceeds the spread over splits

    @property
    def sign(self):
        return int(np.sign(self.mean))


def compare_runs(a, b):
    n = min(len(a), len(b))
    a, b = a[:n], b[:n]
    d = mean(a) - mean(b)
    if n < 2:
        return Difference(d, 0.0, False)
    t = STUDENT_T[n - 2] if n - 2 < len(STUDENT_T) else 1.96 + 2.5 / (n - 1)
    half = t * np.sqrt(np.cumsum((a - b - d) ** 2)[-1] / (n - 1)) / np.sqrt(n)
    return Difference(d, half, abs(d) > half)


@dataclass
class Curves:
    points: list  # iterations
    test: np.ndarray  # (points, repeats): RMSE
    train: np.ndarray  # (points, repeats): RMSE
    rate: np.ndarray  # (points): mean effective learning rate over the repetitions
    seconds: np.ndarray  # (repeats): CPU time of training
    score_seconds: np.ndarray  # (repeats): CPU time of scoring the test rows
    diverged: int  # number of repetitions that diverged

    @classmethod
    def of(cls, points, trials):
        test, train, rate, seconds, score_seconds, diverged = zip(*trials)
        return cls(points, np.column_stack(test), np.column_stack(train), mean(np.column_stack(rate)),
                   np.array(seconds), np.array(score_seconds), sum(diverged))

    def __post_init__(self):
        self.test_mean, self.test_sd = mean(self.test), deviation(self.test)
        self.train_mean, self.train_sd = mean(self.train), deviation(self.train)

    # --- statistics; when is "best", where the mean test curve is lowest, or "final" ---

    def at(self, iteration):
        """Returns the first point of this iteration or a later one; the last point if there is none."""
        return next((i for i, k in enumerate(self.points) if k >= iteration), len(self.points) - 1)

    def point(self, when):
        return len(self.points) - 1 if when == "final" else int(np.argmin(self.test_mean))

    def rmse(self, when):
        return self.test_mean[self.point(when)]

    def sd(self, when):
        return self.test_sd[self.point(when)]

    def reaches(self, rmse):
        """Returns the first iteration with a mean test RMSE of at most this, or 0."""
        return next((k for k, value in zip(self.points, self.test_mean) if value <= rmse), 0)

    def time(self, scoring):
        return self.seconds + self.score_seconds if scoring else self.seconds

    def compare(self, other, when):
        return compare_runs(self.test[self.point(when)], other.test[other.point(when)])

    # --- the file: means and deviations for plotting, then every run; a comment with what is needed to resume ---

    def save(self, path, key):
        """Writes the file atomically."""
        runs = range(self.test.shape[1])
        header = ["iteration", "test", "test_sd", "train", "train_sd", "rate",
                  *(f"test_{r}" for r in runs), *(f"train_{r}" for r in runs)]
        table = np.column_stack([self.points, self.test_mean, self.test_sd, self.train_mean, self.train_sd, self.rate,
                                 self.test, self.train]).tolist()
        facts = {"key": key, "seconds": list(self.seconds), "score_seconds": list(self.score_seconds),
                 "diverged": self.diverged}
        lines = ["# " + json.dumps(facts), ",".join(header), *(",".join(map(number, row)) for row in table)]
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, "\n".join(lines) + "\n")

    @classmethod
    def load(cls, path, key, points, repeats):
        """Returns the curves of a file with this key, or None: it is missing, damaged, or of something else."""
        try:
            with open(path, encoding="utf-8") as file:
                facts = json.loads(file.readline()[2:])
                table = np.loadtxt(file, delimiter=",", skiprows=1, ndmin=2)
            if facts["key"] != key or table.shape != (len(points), 6 + 2 * repeats):
                return None
            return cls(points, table[:, 6:6 + repeats], table[:, 6 + repeats:], table[:, 5],
                       np.array(facts["seconds"]), np.array(facts["score_seconds"]), facts["diverged"])
        except (OSError, ValueError, KeyError, TypeError):
            return None


def number(value):
    """Formats a float as the shortest decimal that reads back as the same bits."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def replace(path, text):
    """Writes a file so that it is complete or unchanged, even if the process is killed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
