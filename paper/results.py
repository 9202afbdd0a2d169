"""results.csv: the main numbers of every cell, to the last bit, and the comparison with the checked-in file."""
from learning_curves import number, replace
from experiments import read_table

COLUMNS = ["repeats", "best_iteration", "rmse_50", "rmse_100", "rmse_250", "rmse_500", "sd_500", "best"]


def row(cell):
    c = cell.curves
    return [str(cell.repeats), str(c.points[c.point("best")]),
            *(number(c.test_mean[c.at(iteration)]) for iteration in (50, 100, 250, 500)),
            number(c.sd("final")), number(c.rmse("best"))]


def listed(cells):
    """Support vector regression is not listed: its numbers are scikit-learn's."""
    return [cell for cell in cells.values() if not cell.algorithm.svr]


def write(cells, path):
    lines = [",".join(["cell", *COLUMNS]), *(",".join([cell.name, *row(cell)]) for cell in listed(cells))]
    replace(path, "\n".join(lines) + "\n")


def read(path):
    return {line.cell: line for line in read_table(path, " ".join(["cell", *COLUMNS]))}


def check(cells, expected, path, complete):
    """Prints the numbers that differ. Returns whether none does, and, of a complete run, none is missing."""
    known = [c for c in listed(cells) if c.dataset.digest == c.dataset.sha256]
    compared = [c for c in known if c.name in expected]
    differing, largest = 0, 0.0
    for cell in compared:
        numbers = [(name, getattr(expected[cell.name], name), now) for name, now in zip(COLUMNS, row(cell))]
        changes = [(name, was, now) for name, was, now in numbers if was != now]
        for name, was, now in changes:
            print(f"{cell.name}: {name} is {now}, was {was}")
            largest = max(largest, abs(float(now) - float(was)) / abs(float(now)))
        differing += bool(changes)
    unknown = len(known) - len(compared)
    absent = sum(name not in cells for name in expected) if complete else 0
    print(f"{len(compared)} results compared with {path}: {differing} differ"
          + (f", by at most {largest:.2g} of their value" if differing else "")
          + (f"; {unknown} are not in it" if unknown else "") + (f"; {absent} of it were not run" if absent else ""))
    return bool(compared) and not (differing or unknown or absent)
