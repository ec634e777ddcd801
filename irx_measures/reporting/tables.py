"""Scores and catalogues as text, in the output formats of the command line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np

from ..common.escapes import in_row
from ..common.numeric import FloatArray, highest
from ..common.tables import FOR_READERS, Column, TextTable, Value, cell_text, is_undefined, write
from ..exceptions import InputError
from ..measures.labels import measure_heads, short_labels
from ..scoring.score_matrix import GroupedScores, ScoreMatrix

ALL = "all"  # the query or the group of the aggregate

ALL_GROUPS = ""  # in place of a group, whose name is never empty


@dataclass(frozen=True)
class Scores:
    """A column of a table of scores.

    Attributes
    ----------
    measure
        The string of the measure.
    by_query : (systems, queries) floats, optional
        None if the column only has one value per system.
    overall : (systems,) floats
    end, short_end
        Which end of an interval the column has, as it follows the name of the measure.
    meaning
        What the end in short means.
    """

    measure: str
    by_query: FloatArray | None
    overall: FloatArray
    end: str = ""
    short_end: str = ""
    meaning: str = ""

    @property
    def name(self) -> str:
        return self.measure + self.end

    def rows(self, queries: int, summary: bool) -> list[Value]:
        """System by system, the value of each query, None without any, and the aggregate."""
        systems = len(self.overall)
        by_query = [[None] * queries] * systems if self.by_query is None else self.by_query.tolist()
        return [
            value
            for values, overall in zip(by_query, self.overall.tolist(), strict=True)
            for value in (*values[:queries], *([overall] if summary else ()))
        ]


Part: TypeAlias = tuple[str | None, list[Scores], Sequence[str]]
"""The group as in `RowKey`, its columns, and its queries that have rows."""


class RowKey(NamedTuple):
    """What a row is about.

    The group is None if queries are not grouped, and `ALL_GROUPS` for all queries. The query is
    None in the row of an aggregate.
    """

    group: str | None
    system: str
    query_id: str | None


def score_columns(matrix: ScoreMatrix) -> list[Scores]:
    """One column per measure."""
    return [
        Scores(str(measure), scores, overall)
        for measure, scores, overall in zip(
            matrix.measures, matrix.scores, matrix.aggregates, strict=True
        )
    ]


def score_text(
    matrix: ScoreMatrix,
    form: str,
    places: int,
    grouped: GroupedScores | None = None,
    columns_of: Callable[[ScoreMatrix], list[Scores]] = score_columns,
    by_query: bool = False,
    summary: bool = True,
) -> str:
    """Scores as text.

    Parameters
    ----------
    matrix
    form
        A key of `common.tables.FORMATS`.
    places
        Decimal places, -1 for all; ``json`` and ``jsonl`` always write all.
    grouped
        The scores of each group of queries. They come first, group by group, and the column
        ``group`` names them; the aggregates over all queries follow.
    columns_of
        The columns of the scores of a group, or of all.
    by_query
        Whether every query has its own row.
    summary
        Whether the aggregate over queries has a row.

    Notes
    -----
    - ``table``, ``csv``, ``csv-safe``, ``markdown``, ``latex`` and ``html`` have a column per
      measure. If a system has no score, the cell is ``-``; in ``csv`` and ``csv-safe`` it is empty.
      ``table``, ``markdown``, ``latex`` and ``html`` omit the path and digest of a set of runs if
      its name stays unambiguous.
    - ``table`` has short names of measures, with a legend, and the highest means in bold.
    - ``tsv`` and ``jsonl`` have one line per score, as in ir_measures. Undefined scores have no
      line. Lines omit the system if there is only one system, and the query if `by_query` is
      false. ``tsv`` has no header and no quotation marks.
    - ``json`` has one record per score, too. Each record has a system, a query, a measure and a
      value. The query is null for the aggregate, and the value is null if it is undefined. The
      group is null for the aggregate over all groups.
    """
    columns = columns_of(matrix)
    parts: list[Part] = [(None, columns, matrix.query_ids if by_query else ())]
    if grouped is not None:
        parts = [*_of_groups(grouped, columns_of, by_query), (ALL_GROUPS, columns, ())]
    keys = [
        RowKey(group, system, query)
        for group, _, queries in parts
        for system in matrix.systems
        for query in (*queries, *([None] if summary else ()))
    ]
    values: list[list[Value]] = [[] for _ in columns]
    for _, of_part, queries in parts:
        for column, scores in zip(values, of_part, strict=True):
            column += scores.rows(len(queries), summary)
    if form in ("json", "tsv", "jsonl"):
        records = _records(keys, values, [column.name for column in columns])
        if form == "json":
            return write(TextTable.of_records(records, places), form)
        one = len(matrix.systems) < 2
        left_out = {*(() if by_query else ["query_id"]), *(["system"] if one else ())}
        return _lines(records, left_out, form, places)
    named = [Column("system", [key.system for key in keys], key=True, left=True)]
    if grouped is not None:
        named.insert(0, Column("group", [key.group or ALL for key in keys], key=True, left=True))
    if by_query:
        of_rows = [ALL if key.query_id is None else key.query_id for key in keys]
        named.append(Column("query_id", of_rows, key=True, left=False))
    shown = _columns_of_scores(columns, values, form in FOR_READERS)
    if form == "table" and not by_query:
        shown = (_with_highest(column, keys) for column in shown)
    return write(TextTable([*named, *shown], places), form)


def _of_groups(
    grouped: GroupedScores, columns_of: Callable[[ScoreMatrix], list[Scores]], by_query: bool
) -> Iterator[Part]:
    for group, part in zip(grouped.groups, grouped.parts, strict=True):
        try:
            yield group, columns_of(part), part.query_ids if by_query else ()
        except InputError as error:
            raise InputError(f"group {group!r}: {error}") from None


def _columns_of_scores(
    columns: Sequence[Scores], values: Sequence[Sequence[Value]], for_readers: bool
) -> Iterator[Column]:
    """The scores; readers have names of runs in place of paths, and a terminal short heads."""
    measures = list(dict.fromkeys(column.measure for column in columns))
    labels = short_labels(measures) if for_readers else measures
    label_of, heads = dict(zip(measures, labels, strict=True)), measure_heads(labels)
    for column, found in zip(columns, values, strict=True):
        label = label_of[column.measure]
        yield Column(
            label + column.end,
            found,
            left=False,
            meaning=column.meaning,
            head=heads[label] + column.short_end,
        )


def _with_highest(column: Column, keys: Sequence[RowKey]) -> Column:
    """The column with the highest of at least two scores of each group in bold."""
    if column.meaning:  # an end of an interval
        return column
    best: set[int] = set()
    values = np.array(column.values, float)
    for group in {key.group for key in keys}:
        members = np.flatnonzero([key.group == group for key in keys])
        if len(members) > 1:
            best |= {*members[highest(values[members])].tolist()}
    return replace(column, bold=best)


def _records(
    keys: Sequence[RowKey], values: Sequence[Sequence[Value]], names: Sequence[str]
) -> list[dict[str, Value]]:
    """A record with the same names for every score."""
    records: list[dict[str, Value]] = []
    for key, row in zip(keys, zip(*values, strict=True), strict=True):
        group = {} if key.group is None else {"group": key.group or None}
        about = {**group, "system": key.system, "query_id": key.query_id}
        of_row = zip(names, row, strict=True)
        records += [
            {**about, "measure": name, "value": value}
            for name, value in of_row
            if value is not None
        ]
    return records


def _lines(
    records: Sequence[dict[str, Value]], left_out: Collection[str], form: str, places: int
) -> str:
    """The defined scores: JSON lines, or lines in the output format of ``ir_measures``."""
    lines = [
        {
            name: ALL if value is None else value
            for name, value in record.items()
            if name not in left_out
        }
        for record in records
        if not is_undefined(record["value"])
    ]
    if form == "jsonl":
        return write(TextTable.of_records(lines, places), form)
    return "".join(
        "\t".join(in_row(cell_text(value, places)) for value in line.values()) + "\n"
        for line in lines
    )


def measures_table() -> str:
    """The catalogue: every measure of this package with its description, range and paper."""
    from ..measures.base import measure_info

    infos = measure_info()
    columns = {
        "measure": [str(measure.NAME) for measure in infos],
        "what it is": [measure.summary for measure in infos],
        "range": ["[{:g}, {:g}]".format(*measure.RANGE) for measure in infos],
        "paper": [measure.PAPERS[0].published for measure in infos],
    }
    return write(TextTable.of(columns, keys=("measure",)), "table")
