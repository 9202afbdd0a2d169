"""pandas frames as columns. What is a number, a category, or neither, is decided as the library decides it of files."""
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


class How(NamedTuple):
    """What columns are taken for."""

    missing: FrozenSet[str]  # words, in lower case
    gaps: Tuple[float, ...]  # numbers
    words: FrozenSet[str]  # names of columns of categories, also where they look like numbers
    numbers: FrozenSet[str]
    judged: bool  # columns that say which row it is, and dates, are left out

    @classmethod
    def to_train(cls, options: Options) -> "How":
        missing, gaps = _gaps(options)
        return cls(missing, gaps, _names(options, "categorical"), _names(options, "numeric"), True)

    @classmethod
    def to_predict(cls, options: Options, words: Sequence[str]) -> "How":
        return cls(*_gaps(options), frozenset(words), frozenset(), False)


def _gaps(options: Options) -> Tuple[FrozenSet[str], Tuple[float, ...]]:
    words = [w.strip().lower() for w in options.get("missing").split(",")]
    gaps = []
    for word in words:
        try:
            gaps.append(float(word))
        except ValueError:
            pass
    return frozenset(words), tuple(g for g in gaps if g == g)


def _coded(name: str, codes: np.ndarray, levels: Sequence[str], how: How) -> Values:
    """Codes of levels, -1 where one is missing, or stands for that."""
    gaps = [i for i, level in enumerate(levels) if level.strip().lower() in how.missing or not level.strip()]
    if gaps:
        codes = np.where(np.isin(codes, gaps), -1, codes)
    return Values(name, np.ascontiguousarray(codes), list(levels))


def _text(value: Any) -> str:
    """As a file would have it: 3, not 3.0."""
    return str(int(value)) if isinstance(value, (float, np.floating)) and float(value).is_integer() else str(value)


def _words(name: str, series: Any, how: How) -> Union[Values, str]:
    import pandas

    try:
        codes, found = pandas.factorize(series)
    except TypeError as error:
        raise ValueError(f'column "{name}" holds neither numbers nor words: {error}') from None
    column = _coded(name, codes, [_text(w) for w in found], how)
    there = column.values[column.values >= 0]
    if how.judged and name not in how.words and lib.sg_column_is_identifier(len(there), len(np.unique(there))):
        return "identifiers"
    return column


def _numbers(name: str, values: np.ndarray, how: How) -> Values:
    there = [g for g in how.gaps if (values == g).any()]
    if there:
        values = np.where(np.isin(values, there), np.nan, values.astype(np.float64))
    return Values(name, values)


def _parsed(name: str, series: Any, how: How) -> Values:
    """Words that must be numbers."""
    import pandas

    found = pandas.to_numeric(series, errors="coerce")
    gap = series.isna() | series.astype(str).str.strip().str.lower().isin(how.missing)
    wrong = np.flatnonzero((found.isna() & ~gap).to_numpy())
    if len(wrong):
        raise ValueError(f'row {wrong[0] + 1}, column "{name}": "{series.iloc[wrong[0]]}" is not a number')
    return _numbers(name, found.to_numpy(dtype=np.float64, na_value=np.nan), how)


def _of_series(name: str, series: Any, how: How) -> Union[Values, str]:
    """A column, or why there is none."""
    import pandas

    kind = series.dtype
    if isinstance(kind, pandas.CategoricalDtype) and name not in how.numbers:
        return _coded(name, series.cat.codes.to_numpy(), [_text(w) for w in series.cat.categories], how)
    if getattr(kind, "kind", "") == "c":
        raise ValueError(f'Complex data not supported: column "{name}"')
    if pandas.api.types.is_bool_dtype(kind) and name in how.words or how.judged and name in how.words:
        return _words(name, series, how)
    if isinstance(kind, np.dtype) and kind.kind in "biuf":
        return _numbers(name, series.to_numpy(), how)
    if pandas.api.types.is_bool_dtype(kind) or pandas.api.types.is_numeric_dtype(kind):
        return _numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan), how)
    held = pandas.api.types.infer_dtype(series, skipna=True)
    if held in _DATES or pandas.api.types.is_datetime64_any_dtype(kind):
        return "dates"
    if held in _NUMBERS:
        return _numbers(name, series.astype(object).where(series.notna(), np.nan).to_numpy(dtype=np.float64), how)
    return _parsed(name, series, how) if name in how.numbers else _words(name, series, how)


def of_pandas(x: Any, how: How, wanted: Optional[Sequence[bool]] = None) -> List[Union[Values, str]]:
    """A column for each of the frame, or why there is none; those that are not wanted are not looked at."""
    columns = [_of_series(str(name), x.iloc[:, i], how) if wanted is None or wanted[i] else "" for i, name in enumerate(x.columns)]
    if not any(isinstance(c, Values) for c in columns):
        why = "" if not columns else f": {columns[0]} are left out"
        raise ValueError(f"0 feature(s) (shape={tuple(x.shape)}) while a minimum of 1 is required{why}.")
    return columns


__all__ = ["How", "is_pandas", "of_pandas"]
