"""Runs and qrels in memory, of every accepted form, as tables.

ir_measures accepts these forms too: a DataFrame (ir_measures or PyTerrier column names), a dict of
dicts, an iterable of namedtuples. This package also accepts polars and Arrow tables, rows as dicts,
ranx Run and Qrels, and a run as a dict of ranked lists.
"""

from __future__ import annotations

import reprlib
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from numbers import Real
from operator import attrgetter, itemgetter
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from ..common.numeric import FloatArray
from ..common.writing import shown
from ..exceptions import InputError
from .arrow import Selection, array_of, missing_id, strings_of, table_of
from .columns import (
    BESIDE,
    DOC_NAMES,
    GRADE_NAMES,
    NAME,
    QUERY_NAMES,
    RANK,
    RESULTS,
    SCORE_NAMES,
    SWAPPED,
    SYSTEM_NAMES,
    ColumnNames,
    by_system,
    names_in,
    pick,
)
from .identifiers import Ids
from .predictions import is_of_mteb, run_of_mteb, with_results
from .rank_column import HEAD_ROWS, HeadRow, contradiction
from .table import SAMPLE, Table, as_qrels


def _is_lazy(source: object) -> bool:
    """Whether a source is a polars LazyFrame, which must be collected first."""
    return hasattr(source, "collect") and hasattr(source, "collect_schema")


def _is_arrow(source: object) -> bool:
    if not hasattr(source, "__arrow_c_stream__") or _is_lazy(source):
        return False
    return any(getattr(source, name, None) is not None for name in ("columns", "schema"))


def _is_ranx(source: object) -> bool:
    held = getattr(source, "run", None), getattr(source, "qrels", None)
    return hasattr(source, "to_dict") and any(isinstance(mapping, Mapping) for mapping in held)


def _is_nested(source: object) -> bool:
    """Whether a source maps queries to rankings: one run, not several.

    A ranking is a mapping from documents to numbers or a list of documents. Sets of documents,
    which are qrels, count too: the reader of a run refuses them.
    """
    if not isinstance(source, Mapping) or not source:
        return False
    for inner in source.values():
        if _is_ranked_list(inner) or _is_set_of_ids(inner):
            return True
        if not isinstance(inner, Mapping):
            return False
        for value in inner.values():
            return not isinstance(value, (Mapping, list, tuple, Set))
    return True


def is_transformer(source: object) -> bool:
    """Whether a source is a system of PyTerrier, which is imported if there is one."""
    kind = getattr(sys.modules.get("pyterrier"), "Transformer", None)
    return kind is not None and isinstance(source, kind)


def run_hint(source: object) -> str:
    """How a run is got from a source that is none, for the end of the message."""
    if is_transformer(source):
        return " (a transformer has results when it is called: transformer(topics))"
    return ""


def is_ranked(source: object) -> bool:
    """Whether a source is a run without scores: a dict of lists of documents, best first."""
    return isinstance(source, Mapping) and any(map(_is_ranked_list, source.values()))


def _is_ranked_list(value: object) -> bool:
    """Whether a value is a list of document ids."""
    is_list = isinstance(value, (list, tuple)) and not hasattr(value, "_fields")
    return is_list and bool(value) and isinstance(value[0], str)  # type: ignore[index]


def _is_set_of_ids(value: object) -> bool:
    """Whether a value is a set of document ids, as qrels of sentence-transformers have."""
    return isinstance(value, Set) and isinstance(next(iter(value), None), str)


ONE_RUN: dict[str, Callable[[object], bool]] = {
    "table": lambda source: isinstance(source, Table),
    "DataFrame": lambda source: hasattr(source, "itertuples") and hasattr(source, "columns"),
    "Arrow": _is_arrow,
    "ranx": _is_ranx,
    "mteb": is_of_mteb,
    "dict": _is_nested,
}
"""The forms that are exactly one run, and how each is recognised; the first that fits counts.

Arrow is a table of polars, DuckDB or Arrow; no library is imported for a check.
"""


def form_of(source: object) -> str:
    """The form in `ONE_RUN` of a source; empty if it has another."""
    return next((form for form, fits in ONE_RUN.items() if fits(source)), "")


def name_of(source: object) -> str:
    """The name that a run in memory has itself, as a ``ranx.Run`` may; empty if it has none."""
    name = getattr(source, "name", None) if _is_ranx(source) else None
    return name if isinstance(name, str) else ""


def is_row(value: object) -> bool:
    """Whether a value is a row: a namedtuple, or a dict with a column for the query."""
    if isinstance(value, Mapping):
        return any(isinstance(value.get(name), (str, int)) for name in QUERY_NAMES)
    return hasattr(value, "_fields")


def hold_several_runs(source: Any) -> bool:
    """Whether a source holds several runs: a `RunSet`, or a dict or list of runs."""
    if hasattr(source, "names") and hasattr(source, "subset"):
        return True
    if isinstance(source, (list, tuple)) and source and not is_row(source):
        return _is_run(source[0]) or _is_pair(source[0])
    first = next(iter(source.values()), None) if isinstance(source, Mapping) else None
    return bool(form_of(first)) or isinstance(first, (str, PathLike))


def _is_run(value: object) -> bool:
    """Whether a value in a list is a run, and no row of one."""
    return bool(form_of(value)) and not is_row(value)


def _is_pair(value: object) -> bool:
    """Whether a value in a list is a name with a run."""
    return isinstance(value, (list, tuple)) and len(value) == 2 and bool(form_of(value[1]))


def run_table(source: Any, what: str = "run") -> Table:
    """A run in memory; `what` is its label.

    TypeError if the form is not accepted, or identifiers are not strings; InputError if a column is
    missing, a number is none, or there are several systems in the run.
    """
    return table_in(source, SCORE_NAMES, what)


def qrels_table(source: Any, what: str = "qrels") -> Table:
    """Qrels in memory; errors as `run_table`, and for grades that are not whole and small."""
    return table_in(source, GRADE_NAMES, what)


def table_of_columns(
    query: Ids,
    doc: Ids,
    value: FloatArray,
    names: ColumnNames,
    what: str,
    beside: Mapping[str, Any],
) -> Table:
    """A run or qrels, as `names` says: the accepted names of scores, or those of grades.

    `beside` has the cells of the columns in `BESIDE`, as they came: a Series, an Arrow column, a
    list. InputError if a grade is not whole and small, or if there are several systems in a run.
    """
    if names is GRADE_NAMES:
        return as_qrels(query, doc, value, what)
    refuse_several_systems(beside, what)
    if NAME in beside:
        runs = _count_distinct(beside[NAME])
        if runs > 1 and _are_names_of_runs(query.all(), doc.all(), beside[NAME]):
            raise _several_systems(NAME, runs, what)
    ranks = ""
    if RANK in beside:
        head = slice(HEAD_ROWS)
        cells = query.take(head), doc.take(head), _listed(beside[RANK][head]), value[head].tolist()
        ranks = contradiction(map(HeadRow, *cells))
    return Table(query, doc, value, what, ranks=ranks)


def refuse_several_systems(beside: Mapping[str, Any], what: str) -> None:
    """InputError if a column that names systems has more than one name; see `table_of_columns`."""
    for column in SYSTEM_NAMES:
        systems = _count_distinct(beside[column]) if column in beside else 0
        if systems > 1:
            raise _several_systems(column, systems, what)


def _several_systems(column: str, systems: int, what: str) -> InputError:
    return InputError(
        f"{what}: column {column!r} names {systems} systems in one table; {by_system(column)}"
    )


def _are_names_of_runs(query: Iterable[str], doc: Iterable[str], cells: Any) -> bool:
    """Whether documents are returned again, and only under other names: those of several runs."""
    pairs = list(zip(query, doc, strict=True))
    named = {*zip(pairs, map(str, _listed(cells)), strict=True)}
    return len({*pairs}) < len(pairs) == len(named)


def table_in(source: Any, value_names: ColumnNames, what: str) -> Table:
    """A run or qrels in any form; see `table_of_columns`."""
    form = form_of(source)
    if form == "ranx":
        source = _of_ranx(source, value_names, what)
    if form == "mteb":
        if value_names is GRADE_NAMES:
            raise InputError(f"{what}: predictions of mteb were given as qrels: {SWAPPED}")
        source = run_of_mteb(source, what)
    if isinstance(source, Mapping):
        return _of_nested(source, value_names, what)
    if form == "DataFrame":
        held = _of_frame(source, what)
    elif form == "Arrow":
        held = _of_arrow(source, value_names, what)
    else:
        held = _of_rows(source, value_names, what)
    query = held.pick(QUERY_NAMES)
    doc = held.pick(DOC_NAMES)
    value = held.pick(value_names)
    table = table_of_columns(
        identifiers_of(held.cells(query), f"{what}: column {query!r}"),
        identifiers_of(held.cells(doc), f"{what}: column {doc!r}"),
        floats_of(held.cells(value), f"{what}: column {value!r}"),
        value_names,
        what,
        {name: held.cells(name) for name in BESIDE if held.names.count(name) == 1},
    )
    if form != "DataFrame" or value_names is not SCORE_NAMES:
        return table
    return replace(table, systems=_column_of_systems(source, query, doc))


def _column_of_systems(frame: Any, query: str, doc: str) -> str:
    """The column of a run that may name several systems, under any name; empty if none may.

    It has few texts, and documents of the first query come again, only under other texts.
    """
    for name in frame.columns:
        read = name in (query, doc, *BESIDE) or not isinstance(name, str)
        if read or list(frame.columns).count(name) > 1 or not _are_few_texts(frame[name]):
            continue
        of_first = (frame[query] == frame[query].iloc[0]).to_numpy(bool)
        part = frame[[query, doc, name]][of_first]
        if _are_names_of_runs(part[query], part[doc], part[name]):
            return str(name)
    return ""


def _are_few_texts(cells: Any) -> bool:
    """Whether a column of a DataFrame has texts, each for many rows, as rows all over it show."""
    some = cells.iloc[:: max(1, len(cells) // SAMPLE)].tolist()
    if not all(isinstance(cell, str) for cell in some):
        return False
    return 1 < len({*some}) <= len(some) // 2


class _Held(NamedTuple):
    """The columns of a form with rows."""

    what: str  # its label in errors
    names: list[str]
    cells: Callable[[str], Any]  # those of a column

    def pick(self, names: ColumnNames) -> str:
        """The column with one of some names; errors of `columns.pick`."""
        return pick(names, self.names, self.what, lambda name: _listed(self.cells(name)))


def _of_frame(frame: Any, what: str) -> _Held:
    return _Held(f"{what} DataFrame", list(map(str, frame.columns)), frame.__getitem__)


def _of_arrow(source: Any, value_names: ColumnNames, what: str) -> _Held:
    table = table_of(source, selection(value_names, what), what)
    return _Held(f"{what} table", table.column_names, table.column)


def _of_ranx(source: Any, value_names: ColumnNames, what: str) -> Any:
    """A ``ranx.Run`` or ``ranx.Qrels`` as a dict of dicts; InputError if it is the other one."""
    is_run = isinstance(getattr(source, "run", None), Mapping)
    if is_run and value_names is GRADE_NAMES:
        raise InputError(f"{what}: a ranx.Run was given as qrels: {SWAPPED}")
    if not is_run and value_names is SCORE_NAMES:
        raise InputError(f"{what}: a ranx.Qrels was given as a run: {SWAPPED}")
    return source.to_dict()


def _listed(cells: Any) -> list[Any]:
    return cells.to_pylist() if hasattr(cells, "to_pylist") else list(cells)


def _count_distinct(cells: Any) -> int:
    if hasattr(cells, "to_pylist"):  # Arrow, which counts no nested values
        return 0 if cells.type.num_fields else len(cells.unique())
    return len({*map(str, cells)})


def _of_nested(nested: Mapping[str, Any], value_names: ColumnNames, what: str) -> Table:
    """Query -> document -> number; in a run also query -> documents by rank, in qrels -> a set."""
    if value_names is GRADE_NAMES:
        nested = {query_id: _judged(documents) for query_id, documents in nested.items()}
    ranked = value_names is SCORE_NAMES and any(map(_is_ranked_list, nested.values()))
    accepted: tuple[type, ...] = (Mapping,)
    must = "query ids to dicts of documents"
    if ranked:
        accepted = (list, tuple)
        must = "all queries to lists of documents, or all to dicts"
    for query_id, documents in nested.items():
        if not isinstance(documents, accepted):
            raise TypeError(
                f"{what}: a dict must map {must}; got {type(documents).__name__} for query "
                f"{query_id!r}{_nested_hint(documents)}"
            )
    inner = nested.values()
    of_query = np.arange(len(nested)).repeat(np.fromiter(map(len, inner), np.int64, len(nested)))
    scores: Iterable[Iterable[Any]]
    if ranked:
        scores = (range(len(documents), 0, -1) for documents in inner)
    else:
        scores = (documents.values() for documents in inner)
    table = table_of_columns(
        Ids.of_codes(identifiers_of(list(nested), f"{what}: query ids").names, of_query),
        identifiers_of(list(chain.from_iterable(inner)), f"{what}: document ids"),
        floats_of(list(chain.from_iterable(scores)), what, partial(_entry_of, nested)),
        value_names,
        what,
        {},
    )
    return replace(table, distinct=not ranked)


def _judged(documents: Any) -> Any:
    """The judgments of a query; those of a set of relevant documents have the grade 1."""
    if not isinstance(documents, Set):
        return documents
    return dict.fromkeys(sorted(documents, key=str), 1)


AS_SETS = "relevant documents are sets: {query: set(docs) for query, docs in qrels.items()}"
"""How lists of relevant documents, which look like rankings, are given as qrels."""


def _nested_hint(documents: object) -> str:
    """What a dict may be whose values are no dicts, for the end of the message."""
    if isinstance(documents, Set):
        return f" (a set has no order; sets of relevant documents are qrels: {SWAPPED})"
    if _is_ranked_list(documents):
        return f" (a list is a ranking; {AS_SETS})"
    return ""


def selection(value_names: ColumnNames, what: str) -> Selection:
    """Selects the columns of a run or of qrels in a table of Arrow; others stay unread."""
    wanted = QUERY_NAMES, DOC_NAMES, value_names

    def columns(names: list[str]) -> tuple[str, ...]:
        for of in wanted:
            pick(of, names, f"{what} table")
        looked_at = BESIDE if value_names is SCORE_NAMES else ()
        read = [name for of in wanted for name in names_in(of, names)]
        return (*read, *(name for name in looked_at if names.count(name) == 1))

    return columns


def _refuse_no_rows(source: Any, value_names: ColumnNames, what: str) -> None:
    """TypeError if the source is no iterable of rows."""
    if _is_lazy(source):
        raise TypeError(f"{what} must hold data; got a LazyFrame (use .collect())")
    if hasattr(source, "read"):
        path = getattr(source, "name", None)
        raise TypeError(f"{what}: pass the path; got the open file {path!r}")
    has_rows = isinstance(source, Iterable) and not isinstance(source, (str, bytes))
    if not has_rows or is_transformer(source):  # a pipeline gives its stages
        hint = run_hint(source) if value_names is SCORE_NAMES else ""
        raise TypeError(
            f"{what} must be a DataFrame, a dict of dicts, an iterable of namedtuples, a path or "
            f"an 'irds:' id; got {type(source).__name__}{hint}"
        )


def _of_rows(source: Any, value_names: ColumnNames, what: str) -> _Held:
    """Namedtuples, or dicts."""
    _refuse_no_rows(source, value_names, what)
    rows, keys = _listed_rows(source)
    if not rows:
        return _Held(f"{what} row", [QUERY_NAMES[0], DOC_NAMES[0], value_names[0]], lambda name: [])
    if isinstance(rows[0], Mapping):
        held = _of_dicts(rows, keys, what)
    else:
        held = _of_namedtuples(rows, what)
    if not held.names:
        kind = "ScoredDoc" if value_names is SCORE_NAMES else "Qrel"
        raise TypeError(
            f"{what}: an iterable must give dicts or namedtuples such as ir_measures.{kind}; got "
            f"{type(rows[0]).__name__} (use [ir_measures.{kind}(*row) for row in rows])"
        )
    return held


def _of_dicts(rows: list[Any], keys: set[Any], what: str) -> _Held:
    """Dicts, of which some may lack the columns in `BESIDE`; `keys` are those of all."""
    fields = list(rows[0])
    beside = [name for name in BESIDE if name in keys]

    def cells(name: str) -> list[Any]:
        if name in beside:
            return [row.get(name) for row in rows]
        return _cells(rows, itemgetter(name), fields, what)

    names = list(dict.fromkeys([*fields, *beside])) if fields else []
    return _Held(f"{what} row", names, cells)


def _of_namedtuples(rows: list[Any], what: str) -> _Held:
    fields = list(getattr(rows[0], "_fields", ()))
    return _Held(f"{what} row", fields, lambda name: _cells(rows, attrgetter(name), fields, what))


def _cells(
    rows: list[Any], cell_of: Callable[[Any], Any], fields: list[str], what: str
) -> list[Any]:
    """A cell of each row; TypeError if a row lacks it."""
    cells: list[Any] = []
    try:
        cells.extend(map(cell_of, rows))
    except (AttributeError, KeyError, TypeError, IndexError):
        raise TypeError(
            f"{what}: every row must have the columns of the first one, {fields}; "
            f"got {reprlib.repr(rows[len(cells)])}"
        ) from None
    return cells


def _listed_rows(source: Iterable[Any]) -> tuple[list[Any], set[Any]]:
    """Rows, of which those with results became several, and the keys of those that are dicts."""
    rows = list(source)
    keys = _keys_of(rows)
    if RESULTS not in keys:
        return rows, keys
    rows = list(with_results(rows))
    return rows, _keys_of(rows)


def _keys_of(rows: list[Any]) -> set[Any]:
    """The keys of all rows that are dicts."""
    kinds = {*map(type, rows)}
    dicts = {kind for kind in kinds if issubclass(kind, Mapping)}
    if not dicts:
        return set()
    of_dicts = rows
    if dicts != kinds:
        of_dicts = [row for row in rows if type(row) in dicts]
    return {*chain.from_iterable(of_dicts)}


def identifiers_of(column: Any, what: str) -> Ids:
    """A column of strings as identifiers; InputError if one is missing, TypeError if it is none."""
    if hasattr(column, "chunks"):
        return Ids(strings_of(column, what))
    values = column
    if hasattr(column, "array"):  # of a DataFrame
        if ids := _of_categories(column.array):
            return ids
        to_arrow = getattr(column.array, "__arrow_array__", None)
        if type(column.array).__name__.startswith("Arrow") and to_arrow is not None:
            return Ids(strings_of(to_arrow(), what))
        values = column.to_numpy(dtype=object)
    if not _are_strings(values):
        advice = "use .astype(str)" if hasattr(column, "array") else "convert it by str"
        raise _no_strings(values, what, advice)
    return Ids.of(values)


def _no_strings(values: Iterable[Any], what: str, advice: str) -> InputError | TypeError:
    """The error for values that are not all strings: of those, a missing one comes first."""
    for row, value in enumerate(values):
        if _is_missing(value):
            return missing_id(what, row)
    kind = next(type(value) for value in values if not isinstance(value, str)).__name__
    return TypeError(f"{what} must hold strings; got {kind} ({advice})")


def _is_missing(value: object) -> bool:
    """Whether a value is None, NaN, or the missing value of pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Real) and bool(value != value)


def _of_categories(array: Any) -> Ids | None:
    """The identifiers of a categorical column; None for other columns, and for invalid ones."""
    codes = getattr(array, "codes", None)
    if codes is None or not (codes >= 0).all():
        return None
    try:
        return Ids.of_codes(identifiers_of(array.categories, "").distinct(), codes)
    except TypeError:  # a category that is no string may be one that no row has
        return None


def _are_strings(values: Any) -> bool:
    """Whether all values of a list, or of an array of a DataFrame, are strings."""
    if isinstance(values, np.ndarray):
        from pandas.api.types import infer_dtype

        return infer_dtype(values, skipna=False) in ("string", "empty")
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def _entry_of(nested: Mapping[str, Collection[str]], place: int) -> str:
    """Query and document of a score in a dict of dicts, for the end of an error."""
    pairs = ((query, doc) for query, documents in nested.items() for doc in documents)
    query, doc = next(islice(pairs, place, None))
    return f" for query {shown(query)}, document {shown(doc)}"


def _nowhere(place: int) -> str:
    """No place of a number, where a column has none that users know."""
    return ""


def floats_of(column: Any, what: str, place_of: Callable[[int], str] = _nowhere) -> FloatArray:
    """Numbers as floats; InputError if one is text, a boolean, complex or nothing.

    `place_of` says where the number at a place stands.
    """
    values = column
    if hasattr(column, "chunks"):
        values = array_of(column)
    elif hasattr(column, "to_numpy"):
        values = column.to_numpy()
    if isinstance(values, np.ndarray):
        if values.dtype.kind in "iuf":
            return values.astype(np.float64)
        if values.dtype.kind not in "Ob":
            raise InputError(f"{what} must hold numbers; got {values.dtype}")
        values = list(values)
    return _floats_of_objects(values, what, place_of)


def _floats_of_objects(values: list[Any], what: str, place_of: Callable[[int], str]) -> FloatArray:
    for kind in set(map(type, values)):
        if issubclass(kind, (str, bytes, bool, np.bool_)) or not hasattr(kind, "__float__"):
            place = next(at for at, value in enumerate(values) if type(value) is kind)
            got = f"{reprlib.repr(values[place])}{place_of(place)}"
            raise InputError(f"{what} must hold numbers; got {got}")
    try:
        return np.fromiter(values, np.float64, len(values))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{what} must hold numbers; {error}") from None
