"""Convert runs and qrels of every accepted form to columns, in one pass.

ir_measures accepts these forms too: a DataFrame (ir_measures or PyTerrier column names), a dict of
dicts, an iterable of namedtuples. This package also accepts polars and Arrow tables, rows as dicts,
ranx Run and Qrels, and a run as a dict of ranked lists. Identifiers stay in their original
container; the protocol `Ids` has the operations that the package needs.
"""

from __future__ import annotations

import reprlib
import struct
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.warn import warn
from ..exceptions import InputError
from .arrow import arrow_ids, numbers_of, table_of
from .beside import (
    BESIDE,
    Beside,
    contradicted,
    nothing,
    of_columns,
    of_dicts,
    refuse_several_systems,
)
from .columns import (
    DOC_NAMES,
    GRADE_LIMIT,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK,
    SCORE_NAMES,
    SWAPPED,
    Columns,
    LazyRunColumns,
    QrelsColumns,
    RunColumns,
    pick,
    run_label,
)
from .identifiers import CodedIds, Ids, ListIds, RepeatedIds
from .native_dicts import read_regular
from .parquet import ParquetTable

LAST_EXACT = 1 << 24  # up to here, float32 has every whole number


def is_frame(source: object) -> bool:
    """Whether a source is a pandas DataFrame; this check does not import pandas."""
    return hasattr(source, "itertuples") and hasattr(source, "columns")


def is_arrow(source: object) -> bool:
    """Whether a source is a Parquet file, or a polars, DuckDB or Arrow table."""
    if isinstance(source, ParquetTable):
        return True
    speaks = hasattr(source, "__arrow_c_stream__") and not is_frame(source)
    return speaks and not _is_lazy(source) and (_has(source, "columns") or _has(source, "schema"))


def _has(source: object, name: str) -> bool:
    return getattr(source, name, None) is not None


def _is_lazy(source: object) -> bool:
    """Whether a source is a polars LazyFrame."""
    return hasattr(source, "collect") and hasattr(source, "collect_schema")


def is_ranx(source: object) -> bool:
    """Whether a source is a ``ranx.Run`` or ``ranx.Qrels``."""
    held = getattr(source, "run", None), getattr(source, "qrels", None)
    return (
        not is_frame(source)
        and hasattr(source, "to_dict")
        and any(isinstance(mapping, Mapping) for mapping in held)
    )


def is_row(value: object) -> bool:
    """Whether a value is a row: a namedtuple, or a dict with a column for the query."""
    if isinstance(value, Mapping):
        return any(isinstance(value.get(name), (str, int)) for name in QUERY_NAMES)
    return hasattr(value, "_fields")


def is_ranked_list(value: object) -> bool:
    """Whether a value is a list of document ids."""
    is_list = isinstance(value, (list, tuple)) and not hasattr(value, "_fields")
    return is_list and bool(value) and isinstance(value[0], str)  # type: ignore[index]


def is_one_run(source: object) -> bool:
    """Whether a source is exactly one run."""
    return any(form(source) for form in (is_frame, is_arrow, is_ranx, is_nested)) or isinstance(
        source, RunColumns
    )


def hold_several_runs(source: Any) -> bool:
    """Whether a source holds several runs: a `RunSet`, or a dict or list of runs."""
    if hasattr(source, "names") and hasattr(source, "subset"):
        return True
    if isinstance(source, (list, tuple)) and source and not is_row(source):
        first = source[0]
        is_pair = isinstance(first, (list, tuple)) and len(first) == 2 and is_one_run(first[1])
        return (is_one_run(first) and not is_row(first)) or is_pair
    first = next(iter(source.values()), None) if isinstance(source, Mapping) else None
    return is_one_run(first) or isinstance(first, (str, PathLike))


def snapshot_frame(frame: Any, what: str) -> Any:
    """A run's DataFrame, independent of later changes by the caller; copied only if necessary."""
    import pandas as pd

    columns = [str(name) for name in frame.columns]
    used = [
        pick(names, columns, f"{what} DataFrame", frame.__getitem__)
        for names in (QUERY_NAMES, DOC_NAMES, SCORE_NAMES)
    ]
    refuse_several_systems(_beside(frame), what)
    used += [RANK] * (columns.count(RANK) == 1)
    # pandas 3 copies a column on the first write to it.
    copies_on_write = int(pd.__version__.split(".")[0]) >= 3
    return frame.copy(deep=False) if copies_on_write else frame[used].copy()


def is_nested(source: object) -> bool:
    """Whether a source maps queries to rankings: one run, not several.

    A ranking is a mapping from documents to numbers or a list of documents.
    """
    if not isinstance(source, Mapping) or not source:
        return False
    for inner in source.values():
        if is_ranked_list(inner):
            return True
        if not isinstance(inner, Mapping):
            return False
        for value in inner.values():
            return not isinstance(value, (Mapping, list, tuple))
    return True


def run_columns(source: Any, name: str | None = None) -> RunColumns:
    """Convert a run in memory to columns; `name` is the name of the run in error messages.

    Raises
    ------
    TypeError
        When the form is not accepted, or identifiers are not strings.
    ValueError
        When a column is missing or a score is not a number.
    """
    return columns_of_run(source, run_label(name))


def columns_of_run(source: Any, what: str) -> RunColumns:
    """Convert a run to columns; `what` is the label of the run in error messages."""
    if is_ranx(source):
        source = source.to_dict()
    if isinstance(source, Mapping) and any(map(is_ranked_list, source.values())):
        return _from_rankings(source, what)
    query, doc, score, beside = _columns(source, SCORE_NAMES, what)
    refuse_several_systems(beside, what)
    ranks = contradicted(beside, query, score)
    return RunColumns(query, doc, score, isinstance(source, Mapping), ranks=ranks)


def borrowed_columns(source: Any, name: str | None = None) -> RunColumns:
    """A run in memory as columns that are valid for one call only.

    The documents and scores of a dict of dicts are checked and converted when they are first
    needed. The errors are those of `run_columns`.
    """
    if type(source) is not dict or {*map(type, source.values())} != {dict}:
        return run_columns(source, name)
    _string_ids(list(source), f"{run_label(name)}: query ids")
    return LazyRunColumns(NestedRun(source, run_label(name)), distinct=True)


def qrels_columns(source: Any) -> QrelsColumns:
    """Convert qrels in memory to columns. Raises the same errors as `run_columns`."""
    return columns_of_qrels(source, "qrels")


def columns_of_qrels(source: Any, what: str) -> QrelsColumns:
    """Convert qrels to columns; `what` is the label of the qrels in error messages."""
    if is_ranx(source):
        source = source.to_dict()
    query, doc, value, _ = _columns(source, GRADE_NAMES, what)
    grade = np.zeros(len(value), np.int64)
    in_range = np.isfinite(value) & (np.abs(value) < GRADE_LIMIT)
    grade[in_range] = value[in_range].astype(np.int64)
    bad = np.flatnonzero(~in_range | (grade != value))[:1]
    if len(bad):
        raise InputError(
            f"{what}: grades must be whole numbers of at most 31 bits; got "
            f"{value[bad[0]]} for query {query.take(bad)[0]!r}, document {doc.take(bad)[0]!r} "
            f"(runs have scores, qrels have grades: {SWAPPED})"
        )
    return QrelsColumns(query, doc, grade)


Cells = tuple[Ids, Ids, NDArray[np.float64], Beside]
"""Queries, documents and values, and the other columns."""


def _columns(source: Any, value_names: tuple[str, ...], what: str) -> Cells:
    if is_frame(source):
        return _from_frame(source, value_names, what)
    if is_arrow(source):
        return _from_arrow(source, value_names, what)
    _refuse_unread(source, what)
    if isinstance(source, Mapping):
        return *_from_nested(source, what), nothing
    if isinstance(source, Iterable) and not isinstance(source, (str, bytes)):
        return _from_records(source, value_names, what)
    raise TypeError(
        f"{what} must be a DataFrame, a dict of dicts, an iterable of namedtuples, a path or an "
        f"'irds:' id; got {type(source).__name__}"
    )


def _refuse_unread(source: Any, what: str) -> None:
    """TypeError if the data is not loaded yet; the message says how to load it."""
    if _is_lazy(source):
        raise TypeError(f"{what} must hold data; got a LazyFrame (use .collect())")
    if hasattr(source, "read"):
        path = getattr(source, "name", None)
        raise TypeError(f"{what} must be a path where it is a file; got the open file {path!r}")


def _from_arrow(source: Any, value_names: tuple[str, ...], what: str) -> Cells:
    wanted = QUERY_NAMES, DOC_NAMES, value_names

    def columns(names: list[str]) -> tuple[str, ...]:
        for of in wanted:
            pick(of, names, f"{what} table")
        looked_at = BESIDE if value_names is SCORE_NAMES else ()
        read = [name for of in wanted for name in of if name in names]
        return (*read, *(name for name in looked_at if names.count(name) == 1))

    in_file = isinstance(source, ParquetTable)
    table = source.read(columns) if in_file else table_of(source, columns, what)
    query, doc, value = (
        pick(of, table.column_names, f"{what} table", lambda name: table[name].to_pylist())
        for of in wanted
    )

    def identifiers(name: str) -> Ids:
        polars = hasattr(source, "with_columns")
        fix = f".cast({{{name!r}: pl.String}})" if polars else "pyarrow's .cast('string')"
        return arrow_ids(table[name], f"{what}: column {name!r}", fix)

    return (
        identifiers(query),
        identifiers(doc),
        _values(numbers_of(table[value]), f"{what}: column {value!r}", value_names),
        of_columns(table.column_names, table.column),
    )


def _from_rankings(rankings: Mapping[str, Any], what: str) -> RunColumns:
    """Convert a run of ranked lists to columns; documents get scores that follow their ranks."""
    for query_id, docs in rankings.items():
        if not isinstance(docs, (list, tuple)):
            raise TypeError(
                f"{what}: a dict must map all queries to lists of documents, or all to dicts; "
                f"got {type(docs).__name__} for query {query_id!r}"
            )
    query = _string_ids(list(rankings), f"{what}: query ids")
    lengths = np.fromiter(map(len, rankings.values()), np.int64, len(rankings))
    doc = _string_ids(list(chain.from_iterable(rankings.values())), f"{what}: document ids")
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    score = np.repeat(lengths, lengths) - (np.arange(len(doc)) - starts)
    return RunColumns(RepeatedIds(query.values, lengths), doc, score.astype(np.float64))


def _from_frame(frame: Any, value_names: tuple[str, ...], what: str) -> Cells:
    columns = [str(name) for name in frame.columns]
    query, doc, value = (
        frame[pick(names, columns, f"{what} DataFrame", frame.__getitem__)]
        for names in (QUERY_NAMES, DOC_NAMES, value_names)
    )
    return (
        _frame_ids(query, f"{what}: column {query.name!r}"),
        _frame_ids(doc, f"{what}: column {doc.name!r}"),
        _values(value.to_numpy(), f"{what}: column {value.name!r}", value_names),
        _beside(frame),
    )


def _beside(frame: Any) -> Beside:
    """The other columns of a DataFrame; of two with one name, none."""
    counted = Counter(map(str, frame.columns))
    once = [name for name, count in counted.items() if count == 1]
    return of_columns(once, frame.__getitem__)


def _frame_ids(series: Any, what: str) -> Ids:
    arrow_form = getattr(series.array, "__arrow_array__", None)
    if type(series.array).__name__.startswith("Arrow") and arrow_form is not None:
        return arrow_ids(arrow_form(), what)
    from pandas import CategoricalDtype
    from pandas.api.types import infer_dtype

    if isinstance(series.dtype, CategoricalDtype):
        categories, code = series.cat.categories, series.cat.codes.to_numpy()
        if infer_dtype(categories, skipna=False) == "string" and code.min(initial=0) >= 0:
            return CodedIds(ListIds(categories.to_numpy(dtype=object)), code.astype(np.int32))
    values = series.to_numpy(dtype=object)
    if infer_dtype(values, skipna=False) != "string":
        return _string_ids(values, what, ".astype(str)")
    return ListIds(values)


def _string_ids(values: Sequence[Any], what: str, fix: str = "str(...)") -> ListIds:
    _refuse_non_strings(values, what, fix)
    return ListIds(values)


def _refuse_non_strings(values: Sequence[Any], what: str, fix: str = "str(...)") -> None:
    try:
        "".join(values)  # the fastest check that all values are strings
    except TypeError:
        kind = next(type(value) for value in values if not isinstance(value, str))
        raise TypeError(f"{what} must hold strings; got {kind.__name__} (use {fix})") from None


def packed_scores(documents: Mapping[str, Any]) -> bytes:
    """The scores of a query, to be unpacked by `unpacked_scores`.

    Raises
    ------
    TypeError
        When a document is not a string.
    struct.error
        When a score is not a number.
    """
    "".join(documents)
    return _packed(documents.values())


def unpacked_scores(
    packed: Iterable[bytes], queries: Iterable[Mapping[str, Any]]
) -> NDArray[np.float64]:
    """The packed scores of some queries as one array; InputError if one is a boolean."""
    return _unpacked(packed, (documents.values() for documents in queries), "scores")


@dataclass(frozen=True)
class NestedRun:
    """A run in the caller's dict of dicts; both are exactly dicts, and query ids are strings.

    Attributes
    ----------
    nested
        Documents and scores by query.
    label
        The label of the run in error messages.
    """

    nested: dict[str, dict[str, Any]]
    label: str

    def columns(self) -> Columns:
        return Columns(*_from_nested(self.nested, self.label))

    def is_empty(self) -> bool:
        return not any(self.nested.values())

    def query_ids(self) -> tuple[str, ...]:
        return tuple(compress(self.nested, self.nested.values()))

    def first_rows(self, count: int) -> list[tuple[str, str]]:
        rows = ((query, doc) for query, documents in self.nested.items() for doc in documents)
        return list(islice(rows, count))


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
    regular = read_regular(nested, int(lengths.sum()))
    if regular is not None:
        return RepeatedIds(query.values, lengths), ListIds(regular[0]), regular[1]
    doc: list[str] = []
    for documents in inner:  # one query at a time, while its documents are still in the CPU cache
        names = list(documents)
        _refuse_non_strings(names, f"{what}: document ids")
        doc += names
    values = _unboxed([documents.values() for documents in inner], what)
    return RepeatedIds(query.values, lengths), ListIds(doc), values


def _from_records(records: Iterable[Any], value_names: tuple[str, ...], what: str) -> Cells:
    rows = list(records)
    if not rows:
        return ListIds(()), ListIds(()), np.zeros(0), nothing
    if isinstance(rows[0], Mapping):
        return _from_dicts(rows, value_names, what)
    fields = getattr(rows[0], "_fields", None)
    if fields is None:
        raise TypeError(
            f"{what}: an iterable must give namedtuples such as ir_measures.ScoredDoc or Qrel, or "
            f"dicts with their names; got {type(rows[0]).__name__}{_mended(rows[0], value_names)}"
        )
    names = [
        pick(names, list(fields), f"{what} namedtuple", lambda n: [getattr(r, n) for r in rows])
        for names in (QUERY_NAMES, DOC_NAMES, value_names)
    ]
    for row in rows:
        if getattr(row, "_fields", None) != fields:
            raise TypeError(f"{what}: an iterable must give namedtuples of one kind; got {row!r}")

    def cells(name: str) -> list[Any]:
        return [getattr(row, name) for row in rows]

    return *_from_cells(list(map(cells, names)), names, what), of_columns(fields, cells)


def _mended(row: Any, value_names: tuple[str, ...]) -> str:
    """The fix for rows that are plain tuples: code that turns them into rows with names."""
    if not isinstance(row, (tuple, list)):
        return ""
    kind = "ScoredDoc" if value_names is SCORE_NAMES else "Qrel"
    return f" (use [ir_measures.{kind}(*row) for row in rows])"


def _from_dicts(rows: list[Any], value_names: tuple[str, ...], what: str) -> Cells:
    dicts = [row for row in rows if isinstance(row, Mapping)]
    names = [
        pick(names, list(map(str, rows[0])), f"{what} row", lambda n: [row.get(n) for row in dicts])
        for names in (QUERY_NAMES, DOC_NAMES, value_names)
    ]
    try:
        cells = [[row[name] for row in rows] for name in names]
    except (KeyError, TypeError, IndexError):
        row = next(r for r in rows if not isinstance(r, Mapping) or not {*names} <= {*r})
        raise TypeError(
            f"{what}: every row must be a dict with {', '.join(map(repr, names))}; "
            f"got {reprlib.repr(row)}"
        ) from None
    return *_from_cells(cells, names, what), of_dicts(rows)


def _from_cells(
    cells: Sequence[list[Any]], names: Sequence[str], what: str
) -> tuple[Ids, Ids, NDArray[np.float64]]:
    (query, doc, values), (query_name, doc_name, value_name) = cells, names
    return (
        _string_ids(query, f"{what}: {query_name}"),
        _string_ids(doc, f"{what}: {doc_name}"),
        _numbers(values, f"{what}: {value_name}"),
    )


def _values(values: NDArray[Any], what: str, value_names: tuple[str, ...]) -> NDArray[np.float64]:
    """A column of scores or grades as numbers, with a warning if whole scores become equal."""
    if value_names is SCORE_NAMES and values.dtype.kind in "iu":
        _warn_of_ties(values, what)
    return _numbers(values, what)


def _warn_of_ties(score: NDArray[np.integer], what: str) -> None:
    if max(int(score.max(initial=0)), -int(score.min(initial=0))) <= LAST_EXACT:
        return
    lost = len(np.unique(score)) - len(np.unique(score.astype(np.float32)))
    if lost:
        warn(
            f"{what}: whole numbers above {LAST_EXACT} are rounded to float32, as in trec_eval; so "
            f"{lost} scores become equal to others"
        )


def _numbers(values: Iterable[Any] | NDArray[Any], what: str) -> NDArray[np.float64]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return values.astype(np.float64, copy=False)
    if isinstance(values, np.ndarray) and values.dtype.kind not in "Ob":
        raise InputError(f"{what} must hold numbers; got {values.dtype}")
    return _unboxed([list(values)], what)


def _unboxed(parts: Sequence[Collection[Any]], what: str) -> NDArray[np.float64]:
    """Convert several collections of Python numbers to one array."""
    try:
        packed = list(map(_packed, parts))
    except struct.error as error:
        listed = list(chain.from_iterable(parts))
        _refuse_non_numbers(listed, what)
        raise InputError(f"{what} must hold numbers; {_reason(listed) or error}") from None
    return _unpacked(packed, parts, what)


def _packed(part: Collection[Any]) -> bytes:
    """Python numbers and booleans as float64 in bytes; struct.error if one is something else."""
    return struct.pack(f"{len(part)}d", *part)


def _unpacked(
    packed: Iterable[bytes], parts: Iterable[Collection[Any]], what: str
) -> NDArray[np.float64]:
    """Packed numbers as one array; InputError if one of them was a boolean."""
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
    """The error of the first value that cannot be converted to a float; None if all values can."""
    try:
        np.fromiter(values, np.float64, len(values))
    except (TypeError, ValueError, OverflowError) as error:
        return error
    return None
