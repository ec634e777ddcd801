"""Runs and qrels in memory, of every accepted form.

ir_measures accepts these forms too: a DataFrame (ir_measures or PyTerrier column names), a dict of
dicts, an iterable of namedtuples. This package also accepts polars and Arrow tables, rows as dicts,
ranx Run and Qrels, and a run as a dict of ranked lists.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import replace
from functools import partial
from operator import attrgetter
from os import PathLike
from typing import Any

from ..common.writing import shown
from ..exceptions import InputError
from .arrow import Selection, table_of
from .block import Block, block_in_memory, block_of_records, number_of_object
from .columns import (
    BESIDE,
    DOC_NAMES,
    GRADE_NAMES,
    QUERY_NAMES,
    SCORE_NAMES,
    SWAPPED,
    ColumnNames,
    names_in,
    pick,
)
from .gather import are_names_of_runs, gather
from .predictions import is_of_mteb, run_of_mteb
from .reading import glob_matches
from .table import SAMPLE, Table


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
        if _is_ranked_list(inner) or isinstance(inner, Set):
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
        first = source[0]
        return (bool(form_of(first)) and not is_row(first)) or _is_pair(first)
    first = next(iter(source.values()), None) if isinstance(source, Mapping) else None
    return bool(form_of(first)) or isinstance(first, (str, PathLike))


def _is_pair(value: object) -> bool:
    """Whether a value in a list is a name with a run."""
    return isinstance(value, (list, tuple)) and len(value) == 2 and bool(form_of(value[1]))


def refuse_swapped(source: Any, names: ColumnNames, what: str) -> None:
    """InputError if runs are given as qrels, or qrels as a run: what is known by the form."""
    of_ranx = _is_ranx(source)
    holds_run = of_ranx and isinstance(getattr(source, "run", None), Mapping)
    if names is SCORE_NAMES:
        if of_ranx and not holds_run:
            raise InputError(f"{what} must have scores; got a ranx.Qrels: {SWAPPED}")
        return
    kind = "a ranx.Run" if holds_run else _kind_of_runs(source)
    if kind:
        raise InputError(f"{what} must be judgments; got {kind}: {SWAPPED}")


def _kind_of_runs(source: object) -> str:
    """What is known to be runs: several of them, rankings without grades; empty if it is not."""
    if is_of_mteb(source):
        return "predictions of mteb"
    if hold_several_runs(source):
        return f"several runs ({type(source).__name__})"
    if is_ranked(source):
        return f"rankings (lists of documents; {AS_SETS})"
    if isinstance(source, (list, tuple)) and source and isinstance(source[0], (str, PathLike)):
        return "a list of files"
    if isinstance(source, str) and not os.path.exists(source) and glob_matches(source):
        return "a glob of files"
    return ""


def run_table(source: Any, what: str = "run") -> Table:
    """A run in memory; `what` is its label.

    TypeError if the form is not accepted, or identifiers are not strings; InputError if a column is
    missing, a number is none, or there are several systems in the run.
    """
    return table_in(source, SCORE_NAMES, what)


def qrels_table(source: Any, what: str = "qrels") -> Table:
    """Qrels in memory; errors as `run_table`, and for grades that are not whole and small."""
    return table_in(source, GRADE_NAMES, what)


def table_in(source: Any, names: ColumnNames, what: str) -> Table:
    """A run or qrels in any form, as `names` says: the accepted names of scores, or of grades."""
    refuse_swapped(source, names, what)
    form = form_of(source)
    if form == "ranx":
        source = source.to_dict()
    elif form == "mteb":
        source = run_of_mteb(source, what)
    if isinstance(source, Mapping):
        table = gather([_of_nested(source, names, what)], names, what)
        return replace(table, distinct=not is_ranked(source))
    if form not in ("DataFrame", "Arrow"):
        return gather(_of_rows(source, names, what), names, what)
    read = selection(names, what)
    if form == "Arrow":
        held = table_of(source, read, what)
        cells = {head: held.column(head) for head in held.column_names}
        return gather([block_in_memory(what, cells)], names, what)
    heads = list(map(str, source.columns))
    cells = {head: source.iloc[:, heads.index(head)] for head in read(heads)}
    table = gather([block_in_memory(what, cells)], names, what)
    return replace(table, systems=_column_of_systems(source, names))


def _column_of_systems(frame: Any, names: ColumnNames) -> str:
    """The column of a run that may name several systems, under any name; empty if none may.

    It has few texts, and documents of the first query come again, only under other texts.
    """
    if names is not SCORE_NAMES or not len(frame):
        return ""
    heads = list(frame.columns)
    query, doc = pick(QUERY_NAMES, heads, ""), pick(DOC_NAMES, heads, "")
    for name in heads:
        read = name in (query, doc, *BESIDE) or not isinstance(name, str)
        if read or heads.count(name) > 1 or not _are_few_texts(frame[name]):
            continue
        of_first = (frame[query] == frame[query].iloc[0]).to_numpy(bool)
        part = frame[[query, doc, name]][of_first]
        if are_names_of_runs(part[query], part[doc], part[name]):
            return str(name)
    return ""


def _are_few_texts(cells: Any) -> bool:
    """Whether a column of a DataFrame has texts, each for many rows, as rows all over it show."""
    some = cells.iloc[:: max(1, len(cells) // SAMPLE)].tolist()
    if not all(isinstance(cell, str) for cell in some):
        return False
    return 1 < len({*some}) <= len(some) // 2


def _of_nested(nested: Mapping[Any, Any], names: ColumnNames, what: str) -> Block:
    """Query -> document -> number; in a run also query -> documents by rank, in qrels -> a set."""
    if names is GRADE_NAMES:
        nested = {query: _judged(documents) for query, documents in nested.items()}
    ranked = names is SCORE_NAMES and is_ranked(nested)
    accepted: tuple[type, ...] = (Mapping,)
    must = "query ids to dicts of documents"
    if ranked:
        accepted = (list, tuple)
        must = "all queries to lists of documents, or all to dicts"
    query: list[Any] = []
    doc: list[Any] = []
    value: list[Any] = []
    for query_id, documents in nested.items():
        if not isinstance(documents, accepted):
            raise TypeError(
                f"{what}: a dict must map {must}; got {type(documents).__name__} for query "
                f"{query_id!r}{_nested_hint(documents)}"
            )
    for query_id, documents in nested.items():
        query += [query_id] * len(documents)
        doc += documents
        value += range(len(documents), 0, -1) if ranked else documents.values()

    def where(row: int) -> str:
        return f"{what}: query {shown(query[row])}, document {shown(doc[row])}"

    cells = {QUERY_NAMES[0]: query, DOC_NAMES[0]: doc, names[0]: value}
    return Block(what, cells, where, number_of_object)


def _judged(documents: Any) -> Any:
    """The judgments of a query; those of a set of relevant documents have the grade 1."""
    if not isinstance(documents, Set):
        return documents
    return dict.fromkeys(sorted(documents, key=str), 1)


PAIR = 2  # the length of an id and its score

AS_SETS = "relevant documents are sets: {query: set(docs) for query, docs in qrels.items()}"
"""How lists of relevant documents, which look like rankings, are given as qrels."""


def _nested_hint(documents: object) -> str:
    """What a dict may be whose values are no dicts, for the end of the message."""
    if isinstance(documents, Set):
        return f" (a set has no order; sets of relevant documents are qrels: {SWAPPED})"
    if isinstance(documents, (list, tuple)) and documents:
        return _row_hint(documents[0], "")
    return ""


def _row_hint(row: object, example: str) -> str:
    """How rows are given that are neither dicts nor namedtuples, for the end of the message.

    `example` is the namedtuple of ir_measures for them.
    """
    if isinstance(row, int):
        return " (ids must be text: {query: list(map(str, ids)) for query, ids in run.items()})"
    if isinstance(row, (list, tuple)) and len(row) == PAIR:
        return " (pairs of id and score: {query: dict(pairs) for query, pairs in run.items()})"
    if hasattr(row, "dtype"):
        return " (an array: pandas.DataFrame(array, columns=['query_id', 'doc_id', 'score']))"
    return f" (use [{example}(*row) for row in rows])" if example else ""


def selection(names: ColumnNames, what: str) -> Selection:
    """Selects the columns of a run or of qrels in a table of Arrow; others stay unread."""
    wanted = QUERY_NAMES, DOC_NAMES, names

    def columns(heads: list[str]) -> tuple[str, ...]:
        for of in wanted:
            pick(of, heads, what)
        looked_at = BESIDE if names is SCORE_NAMES else ()
        read = [head for of in wanted for head in names_in(of, heads)]
        return (*read, *(head for head in looked_at if heads.count(head) == 1))

    return columns


def _of_rows(source: Any, names: ColumnNames, what: str) -> list[Block]:
    """Namedtuples, or dicts."""
    _refuse_no_rows(source, names, what)
    rows = list(source)
    kinds = {*map(type, rows)}
    fields = getattr(rows[0], "_fields", None) if rows else None
    if fields and len(kinds) == 1:
        return [
            block_in_memory(what, {field: list(map(attrgetter(field), rows)) for field in fields})
        ]
    records = rows
    if not all(issubclass(kind, Mapping) for kind in kinds):
        records = [_record(row, names, what) for row in rows]
    where = partial("{}, row {} (from 0)".format, what)
    return [block_of_records(records, what, where, number_of_object)] if rows else []


def _record(row: Any, names: ColumnNames, what: str) -> Mapping[str, Any]:
    """A row as a dict; TypeError if it is neither a dict nor a namedtuple."""
    if isinstance(row, Mapping):
        return row
    if hasattr(row, "_fields"):
        return row._asdict()
    example = "ir_measures.Qrel"
    if names is SCORE_NAMES:
        example = "ir_measures.ScoredDoc"
    raise TypeError(
        f"{what}: an iterable must give dicts or namedtuples such as {example}; got "
        f"{type(row).__name__}{_row_hint(row, example)}"
    )


def _refuse_no_rows(source: Any, names: ColumnNames, what: str) -> None:
    """TypeError if the source is no iterable of rows."""
    if _is_lazy(source):
        raise TypeError(f"{what} must hold data; got a LazyFrame (use .collect())")
    if hasattr(source, "read"):
        path = getattr(source, "name", None)
        raise TypeError(f"{what}: pass the path; got the open file {path!r}")
    has_rows = isinstance(source, Iterable) and not isinstance(source, (str, bytes))
    if not has_rows or is_transformer(source):  # a pipeline gives its stages
        hint = run_hint(source) if names is SCORE_NAMES else ""
        raise TypeError(
            f"{what} must be a DataFrame, a dict of dicts, an iterable of namedtuples, a path or "
            f"an 'irds:' id; got {type(source).__name__}{hint}"
        )
