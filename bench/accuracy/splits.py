"""splits.py DATA OUT SET... [SEED...]: the datasets, and how a seed splits one into training and test rows.

Row i (0, 1, ... as in the file) has the key SHA-256("SET SEED i"). Rows are sorted by their keys; the first
round(0.7 rows) of them, in that order, are train.csv, the others test.csv. No library's random numbers are used, so the split is easy
to reproduce. As a program it writes OUT/SET/SEED/{train,test}.csv."""
import hashlib
import sys
from pathlib import Path

# Name: default number of splits. At least 10 below 5,000 rows, at least 5 above.
SETS = {"pm10": 10, "no2": 10, "housing": 10, "concrete": 10, "airfoil": 10, "wine-red": 10, "abalone": 10, "wine-white": 10,
        "powerplant": 5, "protein": 5}
# Held back (heldback.py): never used for development.
HELD_BACK = {"hitters": 10, "auto-mpg": 10, "clothing": 10, "schools": 10, "windsor": 10, "crime": 10, "griliches": 10, "college": 10, "states": 10,
             "pigs": 10, "quakes": 10, "forbes": 10, "language": 10, "wage": 10, "slid": 10, "star": 5, "vietnam": 5, "computers": 5, "nox": 5,
             "bikes": 5, "diamonds": 3}
ALL = SETS | HELD_BACK
DUPLICATES = "wine-red", "wine-white"  # scored a second time without the test rows whose inputs occur in training
TRAINING = 0.7


def order(name, seed, rows):
    return sorted(range(rows), key=lambda i: hashlib.sha256(f"{name} {seed} {i}".encode()).digest())


def split(data, name, seed, folder):
    """Writes the two files, unless they exist. Returns (training rows, test rows), each a list of lists of words."""
    header, *lines = (Path(data) / f"{name}.csv").read_text().splitlines()
    shuffled = [lines[i] for i in order(name, seed, len(lines))]
    cut = round(TRAINING * len(lines))
    parts = {"train": shuffled[:cut], "test": shuffled[cut:]}
    folder.mkdir(parents=True, exist_ok=True)
    for part, rows in parts.items():
        path, text = folder / f"{part}.csv", "\n".join([header, *rows]) + "\n"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    return [[row.split(",") for row in rows] for rows in parts.values()]


def unseen(train, test):
    """Returns for each test row whether no training row has the same inputs."""
    known = {tuple(row[:-1]) for row in train}
    return [tuple(row[:-1]) not in known for row in test]


if __name__ == "__main__":
    data, out, *words = sys.argv[1:]
    for name in [w for w in words if w in ALL] or SETS:
        for seed in [int(w) for w in words if w not in ALL]:
            split(data, name, seed, Path(out) / name / str(seed))
