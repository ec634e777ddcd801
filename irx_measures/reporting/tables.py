"""Scores as text, in the output formats of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray
from ..common.writing import leading_text
from ..exceptions import InputError
from ..results.column import Column, Value, cell_text, is_undefined
from ..results.output import Output
from ..results.tables import FOR_READERS, TextTable
from ..scoring.grouped_scores import GroupedScores
from ..scoring.renaming import labels_and_heads
from ..scoring.score_columns import COLLECTION, GROUP
from ..scoring.score_matrix import ScoreMatrix
from ..stats.pairs import highest

ALL = "all"  # the query or the group of the aggregate

ALL_GROUPS = ""  # in place of a group, whose name is never empty


@dataclass(frozen=True)
class Scores:
    """A column of a table of scores."""

    measure: str  # its string
    by_query: FloatArray | None  # (systems, queries); None: only one value per system
    overall: FloatArray  # (systems,)
    end: str = ""  # which end of an interval the column has, as it follows the name of the measure
    short_end: str = ""  # the same, in short
    meaning: str = ""  # what the end in short means

    @property
    def name(self) -> str:
        return self.measure + self.end


class ScoreRow(NamedTuple):
    """The scores of a system."""

    group: str | None  # None if queries are not grouped, and `ALL_GROUPS` for all queries
    system: str
    query_id: str | None  # None in the row of an aggregate
    values: Sequence[Value]  # one of each column; None if the column has none for single queries


def score_columns(matrix: ScoreMatrix) -> list[Scores]:
    """One column per measure."""
    return [
        Scores(str(measure), scores, overall)
        for measure, scores, overall in zip(
            matrix.measures, matrix.scores, matrix.aggregates, strict=True
        )
    ]


def score_output(
    matrix: ScoreMatrix,
    form: str,
    places: int,
    grouped: GroupedScores | None = None,
    columns_of: Callable[[ScoreMatrix], list[Scores]] = score_columns,
    by_query: bool = False,
    summary: bool = True,
    called: Mapping[str, str] | None = None,
) -> Output:
    """Scores in an output format.

    They have a row for every query (`by_query`), and for their aggregate (`summary`).

    The scores of each group of queries, or each collection, `grouped`, come first, one after the
    other, and the column ``group`` or ``collection`` names them; those of `matrix` follow, over all
    queries or macro means. `columns_of` gives the columns of the scores of a group, or of all.
    `called` has other names of measures, by their strings, for formats that people read.

    - ``table``, ``csv``, ``csv-safe``, ``markdown``, ``latex`` and ``html`` have a column per
      measure. If a system has no score, the cell is ``-``; in ``csv`` and ``csv-safe`` it is empty.
      ``table``, ``markdown``, ``latex`` and ``html`` omit the path and digest of a set of runs if
      its name stays unambiguous.
    - These four have short names of measures, and say what they stand for; ``latex`` does so in a
      comment.
    - ``table`` has the highest means in bold. If it is longer than the terminal, it ends with the
      systems that have them.
    - ``tsv`` and ``jsonl`` have one line per score, as in ir_measures. Undefined scores have no
      line. Lines omit the system if there is only one system, and the query if `by_query` is
      false. ``tsv`` has no header and no quotation marks.
    - ``json`` has one record per score, too. Each record has a system, a query, a measure and a
      value. The query is null for the aggregate, and the value is null if it is undefined. The
      group is null for the aggregate over all groups.
    """
    parts: list[tuple[str | None, ScoreMatrix]] = [(None, matrix)]
    unit = None
    if grouped is not None:
        parts = [*zip(grouped.groups, grouped.parts, strict=True), (ALL_GROUPS, matrix)]
        unit = grouped.unit
    rows: list[ScoreRow] = []
    for group, part in parts:
        columns = _columns_of_group(group, part, columns_of)  # the last ones: of all queries
        queries = part.query_ids if by_query and group != ALL_GROUPS else ()
        rows += _rows(group, part.systems, queries, columns, summary)
    if form in ("json", "tsv", "jsonl"):
        records = _records(rows, [column.name for column in columns], unit or GROUP)
        if form != "json":
            records = _as_ir_measures(records, by_query, one_system=len(matrix.systems) < 2)
        return Output(form, [_as_table(records, places)])
    named = _naming(rows, unit, by_query)
    label_of, heads = _labels_and_heads(columns, form, called)
    shown = list(_columns_of_scores(columns, rows, label_of, heads))
    found: list[str] = []
    if form == "table" and not by_query:
        shown = [_with_highest(column, rows) for column in shown]
        found = list(_leading(matrix.systems, columns, shown, places))
    return Output(form, [TextTable([*named, *shown], places)], found=found)


def _columns_of_group(
    group: str | None, part: ScoreMatrix, columns_of: Callable[[ScoreMatrix], list[Scores]]
) -> list[Scores]:
    """The columns of the scores of a group; its errors name it."""
    try:
        return columns_of(part)
    except InputError as error:
        raise InputError(f"group {group!r}: {error}" if group else str(error)) from None


def _naming(rows: Sequence[ScoreRow], unit: str | None, by_query: bool) -> list[Column]:
    """The columns that name the rows of a table with a column per measure."""
    named = []
    if unit is not None:
        named.append(Column(unit, [row.group or ALL for row in rows], key=True, left=True))
    named.append(Column("system", [row.system for row in rows], key=True, left=True))
    if by_query:
        queries = [ALL if row.query_id is None else row.query_id for row in rows]
        named.append(Column("query_id", queries, key=True, left=False))
    return named


def _rows(
    group: str | None,
    systems: Sequence[str],
    queries: Sequence[str],
    columns: Sequence[Scores],
    summary: bool,
) -> Iterator[ScoreRow]:
    for place, system in enumerate(systems):
        by_query: list[list[Value]] = [
            [None] * len(queries) if column.by_query is None else column.by_query[place].tolist()
            for column in columns
        ]
        for query, *values in zip(queries, *by_query, strict=False):
            yield ScoreRow(group, system, query, values)
        if summary:
            yield ScoreRow(
                group, system, None, [float(column.overall[place]) for column in columns]
            )


def _labels_and_heads(
    columns: Sequence[Scores], form: str, called: Mapping[str, str] | None
) -> tuple[dict[str, str], dict[str, str]]:
    """The labels of measures by their strings, and the heads of labels.

    Programs have the strings, people names of runs in place of paths, other names, and short heads.
    """
    measures = list(dict.fromkeys(column.measure for column in columns))
    if form not in FOR_READERS:
        same = dict(zip(measures, measures, strict=True))
        return same, same
    labels, heads = labels_and_heads(measures, called or {})
    return dict(zip(measures, labels, strict=True)), heads


def _columns_of_scores(
    columns: Sequence[Scores],
    rows: Sequence[ScoreRow],
    label_of: Mapping[str, str],
    heads: Mapping[str, str],
) -> Iterator[Column]:
    """The scores under the labels of their measures, with the heads of these labels."""
    for place, column in enumerate(columns):
        label = label_of[column.measure]
        yield Column(
            label + column.end,
            [row.values[place] for row in rows],
            left=False,
            note=column.meaning,
            head=heads[label] + column.short_end,
        )


def _with_highest(column: Column, rows: Sequence[ScoreRow]) -> Column:
    """The column with the highest of at least two scores of each group in bold."""
    if column.note:  # an end of an interval
        return column
    best: set[int] = set()
    values = np.array(column.values, float)
    for group in {row.group for row in rows}:
        members = np.flatnonzero([row.group == group for row in rows])
        if len(members) > 1:
            best |= {*members[highest(values[members])].tolist()}
    return replace(column, bold=best)


def _leading(
    systems: Sequence[str], columns: Sequence[Scores], shown: Sequence[Column], places: int
) -> Iterator[str]:
    """Which system has the highest score of each measure, over all queries."""
    for column, head in zip(columns, shown, strict=True):
        if column.meaning or len(systems) == 1 or np.isnan(column.overall).all():
            continue
        best = np.flatnonzero(highest(column.overall)).tolist()
        score = cell_text(float(column.overall[best[0]]), places)
        yield leading_text([systems[place] for place in best], f"highest {head.name}", score)


def _records(rows: Sequence[ScoreRow], names: Sequence[str], unit: str) -> list[dict[str, Value]]:
    """A record with the same names for every score."""
    return [
        {
            **({} if row.group is None else {unit: row.group or None}),
            "system": row.system,
            "query_id": row.query_id,
            "measure": name,
            "value": value,
        }
        for row in rows
        for name, value in zip(names, row.values, strict=True)
        if value is not None
    ]


def _as_ir_measures(
    records: Sequence[dict[str, Value]], by_query: bool, one_system: bool
) -> list[dict[str, Value]]:
    """The defined scores, as ``ir_measures`` lists them: no query or system if all are of one."""
    left_out = set()
    if not by_query:
        left_out.add("query_id")
    if one_system:
        left_out.add("system")
    return [
        {
            name: ALL if value is None else value
            for name, value in record.items()
            if name not in left_out
        }
        for record in records
        if not is_undefined(record["value"])
    ]


MEANINGS = {
    GROUP: "the group of queries; null for all queries",
    COLLECTION: "the collection; null for the macro mean, in which all have the same weight",
    "system": "the run",
    "query_id": "the query; null for the mean over queries",
    "measure": "the measure, and which end of an interval of it the value is",
    "value": "the score; null if it is undefined",
}


def _as_table(records: Sequence[dict[str, Value]], places: int) -> TextTable:
    """A row per score."""
    table = TextTable.of_records(records, places)
    columns = [replace(column, meaning=MEANINGS[column.name]) for column in table.columns]
    return replace(table, columns=columns, bare=True)
