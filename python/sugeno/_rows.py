"""Rows of the library from columns, Arrow streams and files. Values are copied only if C cannot read them in place."""
from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._library import READ, Column, Handle, Source, check, encoded, existing_path, lib, new_handle, strings

_TYPES = {"f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"}


class Values(NamedTuple):
    """One column. levels: the level names of a categorical column, or None for a numeric one."""

    name: str
    values: np.ndarray
    levels: Optional[List[str]] = None


class Rows:
    """An sg_source, and the objects that must live as long."""

    def __init__(self, source: Source, *keep: Any):
        self.source, self._keep = source, keep

    @property
    def names(self) -> List[str]:
        return [self.source.names[i].decode("utf-8") for i in range(self.source.columns)]

    def __len__(self) -> int:
        return int(self.source.rows)

    def read(self) -> np.ndarray:
        """Copies all rows: (rows, columns)."""
        values = np.empty((len(self), self.source.columns))
        check(READ(self.source.read)(self.source.self, 0, len(self), values.ctypes.data))
        return values

    def targets(self, options: Handle) -> List[str]:
        """The names of the targets: those that the options select, or the last column."""
        count, name = c_size_t(), c_char_p()
        check(lib.sg_target_count(options, byref(self.source), byref(count)))
        found = []
        for i in range(count.value):
            check(lib.sg_target_name(options, byref(self.source), i, byref(name)))
            found.append((name.value or b"").decode())
        return found

    def set_weights(self, name: str) -> None:
        """Makes the column of this name the row weights."""
        self.source.weight_column = encoded(name)


# --- columns ---


def readable(values: np.ndarray) -> bool:
    """Whether C can read the array in place."""
    return values.dtype.isnative and values.dtype.str[1:] in _TYPES and all(s >= 0 for s in values.strides)


def _c_column(column: Values, values: np.ndarray) -> Column:
    levels = None if column.levels is None else ctypes.cast(strings(column.levels), ctypes.POINTER(c_char_p))
    stride = values.strides[0] if len(values) else 0
    return Column(encoded(column.name), values.dtype.str[1:].encode(), values.ctypes.data, stride, levels)


def frame(columns: Sequence[Values], rows: int) -> Rows:
    """Rows of columns of equal length."""
    keep = [c.values if readable(c.values) else c.values.astype(np.float64) for c in columns]
    for column, values in zip(columns, keep):
        if len(values) != rows:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(values)}]")
    array = (Column * len(columns))(*(_c_column(c, v) for c, v in zip(columns, keep)))
    handle = new_handle(lib.sg_frame_free, lib.sg_frame_new, array, len(columns), rows)
    return Rows(lib.sg_frame_source(handle), handle, keep)


def of_matrix(x: np.ndarray, names: Sequence[str]) -> List[Values]:
    return [Values(name, x[:, i]) for i, name in enumerate(names)]


def unused(name: str, names: Sequence[str]) -> str:
    while name in names:
        name += "_"
    return name


def random_split(rows: int, held_out: int, seed: int = 0) -> Tuple[np.ndarray, np.ndarray]:
    """Splits rows at random into others and held-out ones, and returns both as ascending arrays of row indices.

    The library's generator draws the split (`sg_subset_split`), so a seed gives the same rows on every machine and in every version.

    >>> train, test = random_split(10, held_out=3, seed=1)
    >>> len(train), len(test), sorted([*train, *test]) == list(range(10))
    (7, 3, True)
    """
    if not 0 <= held_out <= rows:
        raise ValueError(f"held_out: expected 0 to {rows} rows, got {held_out}")
    indices = frame([Values("row", np.arange(rows, dtype=np.float64))], rows)

    def part(inside: int) -> np.ndarray:
        subset = new_handle(lib.sg_subset_free, lib.sg_subset_split, byref(indices.source), seed, 0, held_out, inside)
        return Rows(lib.sg_subset_source(subset), subset, indices).read()[:, 0].astype(np.intp)

    return part(0), part(1)


# --- Arrow, files ---


def is_stream(x: Any) -> bool:
    """Whether it offers an Arrow C stream, like pyarrow, polars and DuckDB objects. pandas frames are read in place instead."""
    return (hasattr(x, "__arrow_c_stream__") or _is_dataset(x)) and not hasattr(x, "iloc")


def _is_dataset(x: Any) -> bool:
    """Whether it is a pyarrow dataset or scanner, which create streams."""
    return type(x).__module__.startswith("pyarrow") and (hasattr(x, "scanner") or hasattr(x, "to_reader"))


def _with_stream(x: Any) -> Any:
    if hasattr(x, "__arrow_c_stream__"):
        return x
    return (x.scanner() if hasattr(x, "scanner") else x).to_reader()


def stream_names(x: Any) -> List[str]:
    """The column names of a pyarrow table, reader or dataset, polars frame or DuckDB relation; empty for a bare stream."""
    schemas = getattr(x, "schema", None), getattr(x, "projected_schema", None)
    for names in (getattr(x, "column_names", None), *(getattr(s, "names", None) for s in schemas), getattr(x, "columns", None)):
        if names is not None and not callable(names):
            return [str(n) for n in names]
    return []


def is_path(x: Any) -> bool:
    """Whether it is a path, or a list of paths that form one dataset."""
    if isinstance(x, (list, tuple)):
        return len(x) > 0 and all(isinstance(item, (str, os.PathLike)) for item in x)
    return isinstance(x, (str, os.PathLike))


def stream(x: Any, options: Handle, extra: Optional[Rows], model: Optional[Handle] = None, targets: bool = False) -> Rows:
    """All rows of an Arrow stream; rows that do not fit into `memory` go to a temporary file. extra: more columns."""
    capsule = _with_stream(x).__arrow_c_stream__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    pointer = get(capsule, b"arrow_array_stream")
    more = byref(extra.source) if extra else None
    if model is None:
        handle = new_handle(lib.sg_dataset_free, lib.sg_dataset_open_arrow, pointer, more, options, None, 0)
    else:
        handle = new_handle(lib.sg_dataset_free, lib.sg_dataset_open_arrow_for_model, pointer, more, options, model, int(targets), None)
    return Rows(lib.sg_dataset_source(handle), handle, capsule, extra)


def files(x: Any, options: Handle, model: Optional[Handle] = None, targets: bool = False) -> Rows:
    paths = [existing_path(p) for p in (x if isinstance(x, (list, tuple)) else [x])]
    array = (c_char_p * len(paths))(*paths)
    if model is None:
        handle = new_handle(lib.sg_dataset_free, lib.sg_dataset_open, array, len(paths), options, None, 0)
    else:
        handle = new_handle(lib.sg_dataset_free, lib.sg_dataset_open_for_model, array, len(paths), options, model, int(targets), None)
    return Rows(lib.sg_dataset_source(handle), handle)


__all__ = ["Rows", "Values", "files", "frame", "is_path", "is_stream", "of_matrix", "random_split", "readable", "stream", "stream_names", "unused"]
