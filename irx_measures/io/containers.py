"""Runs and qrels of every accepted form as columns, read once.

Accepted, as in ir_measures: a DataFrame (ir_measures or PyTerrier column names), a dict of dicts,
an iterable of namedtuples. Identifiers stay in the container they came in; the protocol `Ids` has
the operations that the package needs.
"""

from __future__ import annotations

import reprlib
import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from .arrow import arrow_ids
from .columns import (
    DOC_NAMES,
    GRADE_LIMIT,
    GRADE_NAMES,
    QUERY_NAMES,
    SCORE_NAMES,
    QrelsColumns,
    RunColumns,
    pick,
    run_label,
)
from .identifiers import LONGEST_ID, Ids, ListIds, RepeatedIds


def is_frame(source: object) -> bool:
    """Whether a source is a DataFrame, without importing pandas to ask."""
    return hasattr(source, "itertuples") and hasattr(source, "columns")


def snapshot_frame(frame: Any, what: str) -> Any:
    """A run's DataFrame, independent of later changes by the caller; copied only if necessary."""
    import pandas as pd

    columns = [str(name) for name in frame.columns]
    used = [
        pick(names, columns, f"{what} DataFrame") for names in (QUERY_NAMES, DOC_NAMES, SCORE_NAMES)
    ]
    # pandas 3 copies a column when somebody writes to it.
    copies_on_write = int(pd.__version__.split(".")[0]) >= 3
    return frame.copy(deep=False) if copies_on_write else frame[used].copy()


def is_nested(source: object) -> bool:
    """Whether a source maps queries to mappings from documents to numbers: one run, not several."""
    if not isinstance(source, Mapping) or not source:
        return False
    for inner in source.values():
        if not isinstance(inner, Mapping):
            return False
        for value in inner.values():
            return not isinstance(value, Mapping)
    return True


def run_columns(source: Any, name: str | None = None) -> RunColumns:
    """A run of any accepted form in memory as columns; error messages name it.

    Raises
    ------
    TypeError
        When the form is none of those accepted, or identifiers are not strings.
    ValueError
        When a column is missing or a score is not a number.
    """
    columns = _columns(source, SCORE_NAMES, run_label(name))
    return RunColumns(*columns, distinct=isinstance(source, Mapping))


def qrels_columns(source: Any) -> QrelsColumns:
    """Qrels of any accepted form in memory as columns. Raises as `run_columns` does."""
    query, doc, value = _columns(source, GRADE_NAMES, "qrels")
    grade = np.zeros(len(value), np.int64)
    in_range = np.isfinite(value) & (np.abs(value) < GRADE_LIMIT)
    grade[in_range] = value[in_range].astype(np.int64)
    bad = np.flatnonzero(~in_range | (grade != value))[:1]
    if len(bad):
        raise InputError(
            "qrels: grades must be whole numbers of at most 31 bits; got "
            f"{value[bad[0]]} for query {query.take(bad)[0]!r}, document {doc.take(bad)[0]!r}"
        )
    return QrelsColumns(query, doc, grade)


def _columns(
    source: Any, value_names: tuple[str, ...], what: str
) -> tuple[Ids, Ids, NDArray[np.float64]]:
    if is_frame(source):
        return _from_frame(source, value_names, what)
    if isinstance(source, Mapping):
        return _from_nested(source, what)
    if isinstance(source, Iterable) and not isinstance(source, (str, bytes)):
        return _from_records(source, value_names, what)
    raise TypeError(
        f"{what} must be a DataFrame, a dict of dicts, an iterable of namedtuples, a path or an "
        f"'irds:' id; got {type(source).__name__}"
    )


def _from_frame(
    frame: Any, value_names: tuple[str, ...], what: str
) -> tuple[Ids, Ids, NDArray[np.float64]]:
    columns = [str(name) for name in frame.columns]
    query, doc, value = (
        frame[pick(names, columns, f"{what} DataFrame")]
        for names in (QUERY_NAMES, DOC_NAMES, value_names)
    )
    return (
        _frame_ids(query, f"{what}: column {query.name!r}"),
        _frame_ids(doc, f"{what}: column {doc.name!r}"),
        _numbers(value.to_numpy(), f"{what}: column {value.name!r}"),
    )


def _frame_ids(series: Any, what: str) -> Ids:
    arrow_form = getattr(series.array, "__arrow_array__", None)
    if type(series.array).__name__.startswith("Arrow") and arrow_form is not None:
        return arrow_ids(arrow_form(), what)
    from pandas.api.types import infer_dtype

    values = series.to_numpy(dtype=object)
    if infer_dtype(values, skipna=False) != "string":
        return _string_ids(values, what)
    _refuse_long(values, what)
    return ListIds(values)


def _string_ids(values: Sequence[Any], what: str) -> ListIds:
    _refuse_non_strings(values, what)
    return ListIds(values)


def _refuse_non_strings(values: Sequence[Any], what: str) -> None:
    try:
        letters = len("".join(values))  # the fastest check of all values
    except TypeError:
        kind = next(type(value) for value in values if not isinstance(value, str))
        raise TypeError(
            f"{what} must hold strings; got {kind.__name__} (use .astype(str))"
        ) from None
    if letters > LONGEST_ID:
        _refuse_long(values, what)


def _refuse_long(values: Sequence[str], what: str) -> None:
    longest = max(map(len, values), default=0)
    if longest > LONGEST_ID:
        raise InputError(
            f"{what} must hold strings of at most {LONGEST_ID} characters; got one of {longest}"
        )


def _from_nested(
    nested: Mapping[str, Mapping[str, Any]], what: str
) -> tuple[Ids, Ids, NDArray[np.float64]]:
    for query_id, documents in nested.items():
        if not isinstance(documents, Mapping):
            raise TypeError(
                f"{what}: a dict must map query ids to dicts of documents; "
                f"got {type(documents).__name__} for query {query_id!r}"
            )
    query = _string_ids(list(nested), f"{what}: query ids")
    inner = nested.values()
    lengths = np.fromiter(map(len, inner), np.int64, len(nested))
    doc: list[str] = []
    for documents in inner:  # query by query, while its documents are still in the CPU cache
        names = list(documents)
        _refuse_non_strings(names, f"{what}: document ids")
        doc += names
    values = _unboxed([documents.values() for documents in inner], what)
    return RepeatedIds(query.values, lengths), ListIds(doc), values


def _from_records(
    records: Iterable[Any], value_names: tuple[str, ...], what: str
) -> tuple[Ids, Ids, NDArray[np.float64]]:
    rows = list(records)
    if not rows:
        return ListIds(()), ListIds(()), np.zeros(0)
    fields = getattr(rows[0], "_fields", None)
    if fields is None:
        raise TypeError(
            f"{what}: an iterable must give namedtuples such as ir_measures.ScoredDoc or Qrel; "
            f"got {type(rows[0]).__name__}"
        )
    query, doc, value = (
        pick(names, list(fields), f"{what} namedtuple")
        for names in (QUERY_NAMES, DOC_NAMES, value_names)
    )
    for row in rows:
        if getattr(row, "_fields", None) != fields:
            raise TypeError(f"{what}: an iterable must give namedtuples of one kind; got {row!r}")
    return (
        _string_ids([getattr(row, query) for row in rows], f"{what}: {query}"),
        _string_ids([getattr(row, doc) for row in rows], f"{what}: {doc}"),
        _numbers((getattr(row, value) for row in rows), f"{what}: {value}"),
    )


def _numbers(values: Iterable[Any] | NDArray[Any], what: str) -> NDArray[np.float64]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values.astype(np.float64, copy=False)
    if isinstance(values, np.ndarray) and values.dtype.kind not in "Ob":
        raise InputError(f"{what} must hold numbers; got {values.dtype}")
    return _unboxed([list(values)], what)


def _unboxed(parts: Sequence[Collection[Any]], what: str) -> NDArray[np.float64]:
    """Python numbers of several collections, concatenated to an array."""
    try:
        packed = [struct.pack(f"{len(part)}d", *part) for part in parts]
    except struct.error as error:
        listed = list(chain.from_iterable(parts))
        _refuse_non_numbers(listed, what)
        raise InputError(f"{what} must hold numbers; {_reason(listed) or error}") from None
    numbers = np.frombuffer(b"".join(packed), np.float64)
    may_be_boolean = (numbers == 0) | (numbers == 1)
    if may_be_boolean.any():
        suspects = compress(chain.from_iterable(parts), may_be_boolean.tolist())
        _refuse_non_numbers(list(suspects), what)
    return numbers


def _refuse_non_numbers(values: Sequence[Any], what: str) -> None:
    for kind in set(map(type, values)):
        if issubclass(kind, (str, bytes, bool, np.bool_)) or not hasattr(kind, "__float__"):
            first = next(value for value in values if type(value) is kind)
            raise InputError(f"{what} must hold numbers; got {reprlib.repr(first)}")


def _reason(values: Sequence[Any]) -> Exception | None:
    """Why a value cannot be converted to a float; None if all can."""
    try:
        np.fromiter(values, np.float64, len(values))
    except (TypeError, ValueError, OverflowError) as error:
        return error
    return None
