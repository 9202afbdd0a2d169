"""The tables of experiments (datasets.csv, algorithms.csv, experiments.csv, published.csv) and the cells they ask for.

A row of a table is a namespace with an attribute per column. A cell is one dataset under one preprocessing with one
algorithm, with all its repetitions: the unit that is saved, resumed and reported."""
import csv
from types import SimpleNamespace

from sugeno import SugenoRegressor

PREPROCESSINGS = ("ours", "authors")  # transforms fitted on the training rows; on all rows, before the split
VARIANTS = ("", "unique", "one-hot")  # of a dataset: as is, without repeated rows, text column one-hot encoded
TABLES = {
    "datasets": "name label file target features words rows sha256 source citation",
    "algorithms": "name label settings",
    "experiments": "name datasets variant algorithms preprocessing repeats iterations every",
    "published": "dataset algorithm rmse_50 rmse_100 rmse_250 rmse_500 seconds",
    "claims": "kind name place sentence question a b number of how",
}


class TableError(Exception):
    """A table has invalid contents. The message names file and line."""


def read_table(path, columns):
    """Returns the rows of a CSV file, each with its line in `where`."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *lines = list(csv.reader(file)) or [[]]
    for column in columns.split():
        if column not in header:
            raise TableError(f'{path}:1: there is no column "{column}"')
    for number, line in enumerate(lines, 2):
        if len(line) != len(header):
            raise TableError(f"{path}:{number}: {len(line)} fields, but the header has {len(header)}")
    return [SimpleNamespace(**dict(zip(header, line)), where=f"{path}:{n}") for n, line in enumerate(lines, 2)]


def convert_counts(row, *columns):
    """Replaces columns by positive integers."""
    for column in columns:
        text = getattr(row, column)
        if not text.isdigit() or not 0 < int(text) <= 10**8:
            raise TableError(f'{row.where}: {column}: expected a positive integer, got "{text}"')
        setattr(row, column, int(text))


def check_words(row, column, words, allowed):
    for word in words:
        if word not in allowed:
            raise TableError(f'{row.where}: {column}: there is no "{word}"')


def _read_dataset(row):
    """tables, digest and raw_features are set by datasets.load."""
    convert_counts(row, "rows")
    row.features, row.tables, row.digest, row.raw_features = row.features.split(), {}, "", 0


def _read_algorithm(row):
    """svr is "search" or "default" for support vector regression, else "". one_step: not iterative."""
    row.settings = dict(word.partition("=")[::2] for word in row.settings.split())
    row.svr = row.settings.pop("svr", "")
    row.keywords = {name.replace("-", "_"): value for name, value in row.settings.items()}
    row.one_step = bool(row.svr) or SugenoRegressor(**row.keywords).options()["iters"] == "1"


def _read_experiment(row, datasets, algorithms):
    convert_counts(row, "repeats", "iterations", "every")
    row.datasets = list(datasets) if row.datasets == "*" else row.datasets.split()
    row.algorithms, row.preprocessings = row.algorithms.split(), row.preprocessing.split()
    check_words(row, "datasets", row.datasets, datasets)
    check_words(row, "algorithms", row.algorithms, algorithms)
    check_words(row, "preprocessing", row.preprocessings or [""], PREPROCESSINGS)
    check_words(row, "variant", [row.variant], VARIANTS)


class Cell:
    def __init__(self, dataset, algorithm, experiment, preprocessing):
        self.dataset, self.algorithm, self.experiment = dataset, algorithm, experiment
        self.preprocessing = preprocessing
        self.name = cell_name(preprocessing, dataset.name, experiment.variant, algorithm.name)
        self.repeats = experiment.repeats
        self.iterations = 1 if algorithm.one_step else experiment.iterations
        every = min(experiment.every, self.iterations)
        # The test rows are scored after every so many iterations, and after the last one.
        self.points = [min(k + every, self.iterations) for k in range(0, self.iterations, every)]
        self.key = None  # equal keys: equal numbers
        self.curves = None  # a learning_curves.Curves when all repetitions are finished

    @property
    def rows(self):
        """An array with the target as its last column."""
        return self.dataset.tables[self.experiment.variant]


def cell_name(preprocessing, dataset, variant, algorithm):
    return f"{preprocessing}/{dataset}{'.' if variant else ''}{variant}/{algorithm}"


class Catalogue:
    """All tables of a folder; datasets, algorithms and experiments by name."""

    def __init__(self, folder):
        tables = {name: read_table(folder / f"{name}.csv", columns) for name, columns in TABLES.items()}
        self.datasets, self.algorithms, self.experiments = ({row.name: row for row in tables[name]} for name in
                                                            ("datasets", "algorithms", "experiments"))
        self.claims = tables["claims"]
        self._published = {(row.dataset, row.algorithm): row for row in tables["published"]}
        for row in tables["datasets"]:
            _read_dataset(row)
        for row in tables["algorithms"]:
            _read_algorithm(row)
        for row in tables["experiments"]:
            _read_experiment(row, self.datasets, self.algorithms)

    def published(self, cell, column):
        """Returns a figure that the paper reports, such as rmse_500, or None."""
        value = getattr(self._published.get((cell.dataset.name, cell.algorithm.name)), column, "")
        return float(value) if value else None

    def cells(self, limits):
        """Returns every cell once, by name. limits: {"experiments": names, ...}; a missing entry does not limit."""
        tables = {"experiments": self.experiments, "datasets": self.datasets, "algorithms": self.algorithms,
                  "preprocessing": PREPROCESSINGS}
        for option, names in limits.items():
            for name in names:
                if name not in tables[option]:
                    raise ValueError(f'--{option}: there is no "{name}"')
        # In the order of the tables, which is the order of results.csv.
        selected = {option: [name for name in table if name in limits.get(option, table)]
                    for option, table in tables.items()}
        cells = {}
        for experiment in map(self.experiments.get, selected["experiments"]):
            for dataset in (d for d in selected["datasets"] if d in experiment.datasets):
                for preprocessing in (p for p in selected["preprocessing"] if p in experiment.preprocessings):
                    for algorithm in (a for a in selected["algorithms"] if a in experiment.algorithms):
                        cell = Cell(self.datasets[dataset], self.algorithms[algorithm], experiment, preprocessing)
                        cells.setdefault(cell.name, cell)
        if not cells:
            raise ValueError("these limits leave nothing to run")
        return cells
