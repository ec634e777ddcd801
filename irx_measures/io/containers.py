"""Runs and qrels in memory, of every accepted form, as tables.

ir_measures accepts these forms too: a DataFrame (ir_measures or PyTerrier column names), a dict of
dicts, an iterable of namedtuples. This package also accepts polars and Arrow tables, rows as dicts,
ranx Run and Qrels, and a run as a dict of ranked lists.
"""

from __future__ import annotations

import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter, itemgetter
from os import PathLike
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import FloatArray
from ..exceptions import InputError
from .arrow import arrow_ids, numbers_of, table_of
from .columns import (
    BESIDE,
    DOC_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    RANK,
    SCORE_NAMES,
    SYSTEM_NAMES,
    pick,
)
from .identifiers import Ids, Names
from .parquet import ParquetTable
from .rank_column import HEAD_ROWS, HeadRow, contradiction
from .table import Table, as_qrels


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
        source, Table
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


class Columns(NamedTuple):
    """The columns of a run or of qrels.

    Attributes
    ----------
    query, doc
    value : (rows,) floats
    beside
        The cells of the columns in `BESIDE`, as they came: a Series, an Arrow column, a list.
    distinct
        Whether the container rules out that a query has a document twice.
    """

    query: Ids
    doc: Ids
    value: FloatArray
    beside: Mapping[str, Any] = MappingProxyType({})
    distinct: bool = False


class Form(NamedTuple):
    """A form of runs and qrels in memory: what recognises it, and what reads it.

    A reader gets the data, the accepted names of the column of numbers, and the label in errors.
    """

    recognises: Callable[[Any], bool]
    read: Callable[[Any, tuple[str, ...], str], Columns]


def _columns(source: Any, value_names: tuple[str, ...], what: str) -> Columns:
    """The columns of a run or of qrels, by the first form in `FORMS` that recognises it."""
    for form in FORMS:
        if form.recognises(source):
            return form.read(source, value_names, what)
    _refuse_unread(source, what)
    raise TypeError(
        f"{what} must be a DataFrame, a dict of dicts, an iterable of namedtuples, a path or an "
        f"'irds:' id; got {type(source).__name__}"
    )


def run_table(source: Any, what: str = "run") -> Table:
    """A run in memory; `what` is its label.

    Raises
    ------
    TypeError
        When the form is not accepted, or identifiers are not strings.
    ValueError
        When a column is missing, a number is none, or there are several systems in the run.
    """
    query, doc, score, beside, distinct = _columns(source, SCORE_NAMES, what)
    for column in SYSTEM_NAMES:
        systems = _count_distinct(beside[column]) if column in beside else 0
        if systems > 1:
            raise InputError(
                f"{what}: column {column!r} names {systems} systems in one table; give each "
                "system's rows as a run of its own; for a DataFrame: "
                f"dict(tuple(frame.groupby({column!r})))"
            )
    ranks = ""
    if RANK in beside:
        head = slice(min(len(score), HEAD_ROWS))
        first, rank = query.take(np.arange(head.stop)), beside[RANK][head]
        rank = rank.to_pylist() if hasattr(rank, "to_pylist") else rank
        rows = zip(first, rank, score[head].tolist(), strict=True)
        ranks = contradiction(HeadRow(query_id, "", *row) for query_id, *row in rows)
    return Table(query, doc, score, what, ranks=ranks, distinct=distinct)


def _count_distinct(cells: Any) -> int:
    if hasattr(cells, "to_pylist"):  # Arrow, which counts no nested values
        return 0 if cells.type.num_fields else len(cells.unique())
    return len({*map(str, cells)})


def qrels_table(source: Any, what: str = "qrels") -> Table:
    """Qrels in memory; errors as `run_table`, and for grades that are not whole and small."""
    query, doc, value, _, distinct = _columns(source, GRADE_NAMES, what)
    return replace(as_qrels(query, doc, value, what), distinct=distinct)


def _refuse_unread(source: Any, what: str) -> None:
    """TypeError if the data is not loaded yet; the message says how to load it."""
    if _is_lazy(source):
        raise TypeError(f"{what} must hold data; got a LazyFrame (use .collect())")
    if hasattr(source, "read"):
        path = getattr(source, "name", None)
        raise TypeError(f"{what} must be a path where it is a file; got the open file {path!r}")


def _of_arrow(source: Any, value_names: tuple[str, ...], what: str) -> Columns:
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

    return Columns(
        identifiers(query),
        identifiers(doc),
        _numbers(numbers_of(table[value]), f"{what}: column {value!r}"),
        {name: table.column(name) for name in BESIDE if name in table.column_names},
    )


def _of_frame(frame: Any, value_names: tuple[str, ...], what: str) -> Columns:
    columns = [str(name) for name in frame.columns]
    query, doc, value = (
        frame[pick(names, columns, f"{what} DataFrame", frame.__getitem__)]
        for names in (QUERY_NAMES, DOC_NAMES, value_names)
    )
    counted = Counter(columns)
    return Columns(
        _frame_ids(query, what),
        _frame_ids(doc, what),
        _numbers(value.to_numpy(), f"{what}: column {value.name!r}"),
        {name: frame[name] for name in BESIDE if counted[name] == 1},
    )


def _raw(series: Any) -> Any:
    """A column of a DataFrame as an Arrow column, or as an array of objects."""
    to_arrow = getattr(series.array, "__arrow_array__", None)
    if type(series.array).__name__.startswith("Arrow") and to_arrow is not None:
        return to_arrow()
    return series.to_numpy(dtype=object).copy()  # later changes by the caller do not matter


def _frame_ids(series: Any, what: str) -> Ids:
    from pandas import CategoricalDtype
    from pandas.api.types import infer_dtype

    label, raw = f"{what}: column {series.name!r}", _raw(series)
    if not isinstance(raw, np.ndarray):
        return arrow_ids(raw, label)
    if isinstance(series.dtype, CategoricalDtype):
        categories, code = series.cat.categories.to_numpy(object), series.cat.codes.to_numpy()
        if code.min(initial=0) >= 0 and all(isinstance(name, str) for name in categories):
            return Ids.of_codes(Names(categories), code)
    if infer_dtype(raw, skipna=False) == "string":
        return Ids.of(raw)
    return _string_ids(raw, label, ".astype(str)")


def _of_ranx(source: Any, _: tuple[str, ...], what: str) -> Columns:
    return _of_nested(source.to_dict(), _, what)


def _of_nested(nested: Mapping[str, Any], names: tuple[str, ...], what: str) -> Columns:
    """Query -> document -> number, or in a run query -> documents by rank."""
    ranked = names is SCORE_NAMES and any(map(is_ranked_list, nested.values()))
    accepted = (list, tuple) if ranked else Mapping
    for query_id, documents in nested.items():
        if not isinstance(documents, accepted):
            must = (
                "all queries to lists of documents, or all to dicts"
                if ranked
                else "query ids to dicts of documents"
            )
            raise TypeError(
                f"{what}: a dict must map {must}; got {type(documents).__name__} for query "
                f"{query_id!r}"
            )
    inner = nested.values()
    _string_ids(list(nested), f"{what}: query ids")
    lengths = np.fromiter(map(len, inner), np.int64, len(nested))
    scores = (range(len(docs), 0, -1) if ranked else docs.values() for docs in inner)
    return Columns(
        Ids.repeated(list(nested), lengths),
        _string_ids(list(chain.from_iterable(inner)), f"{what}: document ids"),
        _numbers(list(chain.from_iterable(scores)), what),
        distinct=not ranked,
    )


def _string_ids(values: Sequence[Any] | NDArray[Any], what: str, fix: str = "str(...)") -> Ids:
    """Strings as identifiers; TypeError, with the fix, if one is none."""
    try:
        "".join(values)  # the fastest check that all values are strings
    except TypeError:
        kind = next(type(value) for value in values if not isinstance(value, str))
        raise TypeError(f"{what} must hold strings; got {kind.__name__} (use {fix})") from None
    return Ids.of(values)


def _of_records(records: Iterable[Any], value_names: tuple[str, ...], what: str) -> Columns:
    _refuse_unread(records, what)
    rows = list(records)
    if not rows:
        return Columns(Ids.of([]), Ids.of([]), np.zeros(0))
    of_dicts = isinstance(rows[0], Mapping)
    fields = list(rows[0] if of_dicts else getattr(rows[0], "_fields", ()))
    if not (of_dicts or fields):
        raise TypeError(
            f"{what}: an iterable must give namedtuples such as ir_measures.ScoredDoc or Qrel, or "
            f"dicts with their names; got {type(rows[0]).__name__}{_mended(rows[0], value_names)}"
        )

    def cells(name: str) -> list[Any]:
        return list(map(itemgetter(name) if of_dicts else attrgetter(name), rows))

    names: list[str] = []
    try:
        for of in (QUERY_NAMES, DOC_NAMES, value_names):
            names.append(pick(of, fields, f"{what} row", cells))
        query, doc, value = map(cells, names)
    except (AttributeError, KeyError, TypeError, IndexError):
        other = next(row for row in rows if not {*fields} <= _names_in(row, of_dicts))
        raise TypeError(
            f"{what}: every row must have the columns of the first one, {fields}; "
            f"got {reprlib.repr(other)}"
        ) from None
    present = {*chain.from_iterable(rows)} if of_dicts else {*fields}
    beside = {
        name: [row.get(name) for row in rows] if of_dicts else cells(name)
        for name in BESIDE
        if name in present
    }
    return Columns(
        _string_ids(query, f"{what}: {names[0]}"),
        _string_ids(doc, f"{what}: {names[1]}"),
        _numbers(value, f"{what}: {names[2]}"),
        beside,
    )


def _names_in(row: Any, of_dicts: bool) -> set[str]:
    """The names in a row; none if it is a namedtuple among dicts, or a dict among namedtuples."""
    names = row if of_dicts else getattr(row, "_fields", ())
    return {*names} if isinstance(row, Mapping) == of_dicts else set()


def _mended(row: Any, value_names: tuple[str, ...]) -> str:
    """The fix for rows that are plain tuples: code that turns them into rows with names."""
    if not isinstance(row, (tuple, list)):
        return ""
    kind = "ScoredDoc" if value_names is SCORE_NAMES else "Qrel"
    return f" (use [ir_measures.{kind}(*row) for row in rows])"


def _numbers(values: Sequence[Any] | NDArray[Any], what: str) -> FloatArray:
    """Numbers as floats; InputError if one is text, a boolean or nothing."""
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "iuf":
            return values.astype(np.float64)
        if values.dtype.kind not in "Ob":
            raise InputError(f"{what} must hold numbers; got {values.dtype}")
        values = list(values)
    for kind in set(map(type, values)):
        if issubclass(kind, (str, bytes, bool, np.bool_)) or not hasattr(kind, "__float__"):
            first = next(value for value in values if type(value) is kind)
            raise InputError(f"{what} must hold numbers; got {reprlib.repr(first)}")
    try:
        return np.fromiter(values, np.float64, len(values))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{what} must hold numbers; {error}") from None


FORMS = (
    Form(is_frame, _of_frame),
    Form(is_arrow, _of_arrow),
    Form(is_ranx, _of_ranx),
    Form(lambda source: isinstance(source, Mapping), _of_nested),
    Form(
        lambda source: isinstance(source, Iterable) and not isinstance(source, (str, bytes)),
        _of_records,
    ),
)
"""The forms of runs and qrels in memory; the first one that recognises the data reads it."""
