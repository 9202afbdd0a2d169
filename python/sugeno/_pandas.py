"""Converts pandas frames to columns. Column types are inferred by the same rules as for files."""
from __future__ import annotations

from typing import Any, FrozenSet, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._library import lib
from ._rows import Values
from ._training import Options

_DATES = ("date", "datetime", "datetime64", "timedelta", "timedelta64", "time", "period")
_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal", "boolean", "empty")


def is_pandas(x: Any) -> bool:
    return hasattr(x, "iloc") and hasattr(x, "columns") and hasattr(x, "dtypes")


def _names(options: Options, name: str) -> FrozenSet[str]:
    return frozenset(n for n in options.get(name).split(",") if n)


class ColumnRules(NamedTuple):
    """How the types of columns are determined."""

    missing: FrozenSet[str]  # words for missing values, in lower case
    missing_numbers: Tuple[float, ...]
    categorical: FrozenSet[str]  # columns to read as categories, even if they look like numbers
    numeric: FrozenSet[str]
    drops: bool  # identifiers and dates are dropped

    @classmethod
    def for_training(cls, options: Options) -> "ColumnRules":
        return cls(*_missing(options), _names(options, "categorical"), _names(options, "numeric"), True)

    @classmethod
    def for_prediction(cls, options: Options, words: Sequence[str]) -> "ColumnRules":
        return cls(*_missing(options), frozenset(words), frozenset(), False)


def _missing(options: Options) -> Tuple[FrozenSet[str], Tuple[float, ...]]:
    words = [w.strip().lower() for w in options.get("missing").split(",")]
    numbers = []
    for word in words:
        try:
            numbers.append(float(word))
        except ValueError:
            pass
    return frozenset(words), tuple(n for n in numbers if n == n)


def _coded(name: str, codes: np.ndarray, levels: Sequence[str], rules: ColumnRules) -> Values:
    """A categorical column. Codes are -1 for missing values, and for levels that denote them."""
    missing = [i for i, level in enumerate(levels) if level.strip().lower() in rules.missing or not level.strip()]
    if missing:
        codes = np.where(np.isin(codes, missing), -1, codes)
    return Values(name, np.ascontiguousarray(codes), list(levels))


def _text(value: Any) -> str:
    """Formats a value as in a file: 3, not 3.0."""
    return str(int(value)) if isinstance(value, (float, np.floating)) and float(value).is_integer() else str(value)


def _words(name: str, series: Any, rules: ColumnRules) -> Union[Values, str]:
    import pandas

    try:
        codes, found = pandas.factorize(series)
    except TypeError as error:
        raise ValueError(f'column "{name}" contains neither numbers nor text: {error}') from None
    column = _coded(name, codes, [_text(w) for w in found], rules)
    present = column.values[column.values >= 0]
    if rules.drops and name not in rules.categorical and lib.sg_column_is_identifier(len(present), len(np.unique(present))):
        return "identifiers"
    return column


def _numbers(name: str, values: np.ndarray, rules: ColumnRules) -> Values:
    missing = [n for n in rules.missing_numbers if (values == n).any()]
    if missing:
        values = np.where(np.isin(values, missing), np.nan, values.astype(np.float64))
    return Values(name, values)


def _parsed(name: str, series: Any, rules: ColumnRules) -> Values:
    """Parses text as numbers."""
    import pandas

    found = pandas.to_numeric(series, errors="coerce")
    missing = series.isna() | series.astype(str).str.strip().str.lower().isin(rules.missing)
    wrong = np.flatnonzero((found.isna() & ~missing).to_numpy())
    if len(wrong):
        raise ValueError(f'row {wrong[0] + 1}, column "{name}": "{series.iloc[wrong[0]]}" is not a number')
    return _numbers(name, found.to_numpy(dtype=np.float64, na_value=np.nan), rules)


def _of_series(name: str, series: Any, rules: ColumnRules) -> Union[Values, str]:
    """A column, or the reason for dropping it."""
    import pandas

    kind = series.dtype
    if isinstance(kind, pandas.CategoricalDtype) and name not in rules.numeric:
        return _coded(name, series.cat.codes.to_numpy(), [_text(w) for w in series.cat.categories], rules)
    if getattr(kind, "kind", "") == "c":
        raise ValueError(f'Complex data not supported: column "{name}"')
    if pandas.api.types.is_bool_dtype(kind) and name in rules.categorical or rules.drops and name in rules.categorical:
        return _words(name, series, rules)
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        return _numbers(name, series.to_numpy(), rules)
    if pandas.api.types.is_bool_dtype(kind) or pandas.api.types.is_numeric_dtype(kind):
        return _numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan), rules)
    inferred = pandas.api.types.infer_dtype(series, skipna=True)
    if inferred in _DATES or pandas.api.types.is_datetime64_any_dtype(kind):
        return "dates"
    if inferred in _NUMBERS:
        return _numbers(name, series.astype(object).where(series.notna(), np.nan).to_numpy(dtype=np.float64), rules)
    return _parsed(name, series, rules) if name in rules.numeric else _words(name, series, rules)


def of_pandas(x: Any, rules: ColumnRules, wanted: Optional[Sequence[bool]] = None) -> List[Union[Values, str]]:
    """One entry per column of the frame: the column, the reason for dropping it, or "" if it is not wanted."""
    columns = [_of_series(str(name), x.iloc[:, i], rules) if wanted is None or wanted[i] else "" for i, name in enumerate(x.columns)]
    if not any(isinstance(c, Values) for c in columns):
        reason = f": {columns[0]} are dropped" if columns else ""
        raise ValueError(f"0 feature(s) (shape={tuple(x.shape)}) while a minimum of 1 is required{reason}.")
    return columns


__all__ = ["ColumnRules", "is_pandas", "of_pandas"]
