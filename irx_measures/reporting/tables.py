"""Scores and catalogues as text, in the output formats of the command line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..common.escapes import in_row
from ..common.numeric import FloatArray, highest
from ..common.tables import FOR_READERS, Column, TextTable, Value, cell_text, is_undefined, write
from ..exceptions import InputError
from ..measures.labels import measure_heads, short_labels
from ..scoring.grouped_scores import GroupedScores
from ..scoring.score_matrix import ScoreMatrix

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


class GroupRows(NamedTuple):
    """A group of queries, with the columns of its queries and of their aggregate.

    `group` is None if queries are not grouped, and `ALL_GROUPS` for all queries.
    """

    group: str | None
    columns: Sequence[Scores]
    query_ids: Sequence[str]


class RowKey(NamedTuple):
    """What a row is about; the query is None in the row of an aggregate."""

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


def rows_of_groups(
    scores: GroupedScores, columns_of: Callable[[ScoreMatrix], list[Scores]] = score_columns
) -> list[GroupRows]:
    """The rows of every group, with a column per measure or those of `columns_of`."""
    rows = []
    for group, part in zip(scores.groups, scores.parts, strict=True):
        try:
            rows.append(GroupRows(group, columns_of(part), part.query_ids))
        except InputError as error:
            raise InputError(f"group {group!r}: {error}") from None
    return rows


def score_table(
    columns: Sequence[Scores],
    systems: Sequence[str],
    query_ids: Sequence[str],
    form: str,
    places: int,
    by_query: bool,
    summary: bool,
    groups: Sequence[GroupRows] = (),
) -> str:
    """Scores as text.

    Parameters
    ----------
    columns
        The columns of the table.
    systems, query_ids
        The rows.
    form
        A key of `common.tables.FORMATS`.
    places
        Decimal places, -1 for all; ``json`` and ``jsonl`` always write all.
    by_query
        Whether every query has its own row.
    summary
        Whether the aggregate over queries has a row.
    groups
        The rows of each group of queries. They come first, group by group, and the column ``group``
        names them; the aggregates over all queries follow.

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
    parts = [*groups, GroupRows(ALL_GROUPS, columns, ())]
    rows = [
        row
        for part in (parts if groups else [GroupRows(None, columns, query_ids)])
        for row in _rows(part, systems, part.query_ids if by_query else (), summary)
    ]
    if form in ("json", "tsv", "jsonl"):
        records = list(_records(rows, [column.name for column in columns]))
        if form == "json":
            return write(TextTable.of_records(records, places), form)
        left_out = {*(() if by_query else ["query_id"]), *(["system"] if len(systems) < 2 else ())}
        return _lines(records, left_out, form, places)
    keys = [key for key, _ in rows]
    named = [Column("system", [key.system for key in keys], key=True, left=True)]
    if groups:
        named.insert(0, Column("group", [key.group or ALL for key in keys], key=True, left=True))
    if by_query:
        queries = [ALL if key.query_id is None else key.query_id for key in keys]
        named.append(Column("query_id", queries, key=True, left=False))
    values = list(zip(*(found for _, found in rows), strict=True))
    shown = _columns_of_scores(columns, values, form in FOR_READERS)
    if form == "table" and not by_query:
        shown = (_with_highest(column, keys) for column in shown)
    return write(TextTable([*named, *shown], places), form)


def _rows(
    part: GroupRows, systems: Sequence[str], query_ids: Sequence[str], summary: bool
) -> Iterator[tuple[RowKey, list[float | None]]]:
    """The rows of a group, with the value of every column; None if the column has no value."""
    for position, system in enumerate(systems):
        of_system = [
            None if column.by_query is None else column.by_query[position].tolist()
            for column in part.columns
        ]
        for place, query_id in enumerate(query_ids):
            yield (
                RowKey(part.group, system, query_id),
                [None if scores is None else scores[place] for scores in of_system],
            )
        if summary:
            overall: list[float | None] = [float(each.overall[position]) for each in part.columns]
            yield RowKey(part.group, system, None), overall


def _columns_of_scores(
    columns: Sequence[Scores], values: Sequence[Sequence[Value]], for_readers: bool
) -> Iterator[Column]:
    """The scores; readers have names of runs in place of paths, and a terminal short heads."""
    measures = list(dict.fromkeys(column.measure for column in columns))
    labels = short_labels(measures) if for_readers else measures
    label_of, heads = dict(zip(measures, labels, strict=True)), measure_heads(labels)
    for column, found in zip(columns, values or [()] * len(columns), strict=True):
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
    rows: Sequence[tuple[RowKey, Sequence[Value]]], names: Sequence[str]
) -> Iterator[dict[str, Value]]:
    """A record with the same names for every score."""
    for key, values in rows:
        group = {} if key.group is None else {"group": key.group or None}
        for name, value in zip(names, values, strict=True):
            if value is not None:
                query = {**group, "system": key.system, "query_id": key.query_id}
                yield {**query, "measure": name, "value": value}


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
    from ..measures.catalogue import measure_info

    infos = measure_info()
    columns = {
        "measure": [str(measure.NAME) for measure in infos],
        "what it is": [measure.summary for measure in infos],
        "range": ["[{:g}, {:g}]".format(*measure.RANGE) for measure in infos],
        "paper": [measure.PAPERS[0].published for measure in infos],
    }
    return write(TextTable.of(columns, keys=("measure",)), "table")
