"""Reads the datasets of the paper from CSV files, and makes their variants."""
import csv
import hashlib

import numpy as np


class DatasetError(Exception):
    """A dataset is missing, or is not the expected one."""


def load(dataset, folder, variants):
    """Reads FOLDER/FILE into dataset.tables: an array for each variant, with the target as its last column."""
    path = folder / dataset.file
    if not path.exists():
        columns = [*dataset.features, *filter(None, [dataset.words])]
        raise DatasetError(f"{path} is missing. Source: {dataset.source}. Expected: a CSV file with a header, "
                           f"{dataset.rows} rows and the columns {' '.join(columns)}, {dataset.target}; the last one "
                           "is the target")
    with open(path, newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file)
    rows = _numbers(dataset, path, header, lines)
    if len(rows) != dataset.rows:
        raise DatasetError(f"{path} has {len(rows)} rows, not {dataset.rows}")
    dataset.digest = hashlib.sha256(path.read_bytes()).hexdigest()
    dataset.raw_features = len(header) - 1
    dataset.tables = {"": rows}
    if "unique" in variants:
        first = np.unique(rows, axis=0, return_index=True)[1]
        dataset.tables["unique"] = rows[np.sort(first)]
    if "one-hot" in variants:
        dataset.tables["one-hot"] = np.hstack([_one_hot(dataset, path, header, lines), rows])


def _numbers(dataset, path, header, lines):
    """The features in the order of the file, and the target."""
    wanted = [i for i, name in enumerate(header) if name in dataset.features]
    if len(wanted) != len(dataset.features) or header[-1] != dataset.target:
        raise DatasetError(f"{path}: expected the columns {' '.join(dataset.features)} and, last, {dataset.target}")
    try:
        return np.array([[float(line[i]) for i in (*wanted, -1)] for line in lines])
    except (ValueError, IndexError) as error:
        raise DatasetError(f"{path}: {error}") from None


def _one_hot(dataset, path, header, lines):
    """A column of 0 and 1 for each category, in order of first appearance."""
    if dataset.words not in header:
        raise DatasetError(f'{path}: there is no text column "{dataset.words}"')
    column = header.index(dataset.words)
    words = [line[column] for line in lines]
    return np.array([[float(word == category) for category in dict.fromkeys(words)] for word in words])
