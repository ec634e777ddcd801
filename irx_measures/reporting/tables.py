"""Scores and catalogues as text, in the output formats of the command line."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..common.escapes import in_row
from ..common.numeric import FloatArray, highest
from ..common.tables import (
    FOR_READERS,
    Column,
    TextTable,
    Value,
    cell_text,
    is_undefined,
    markdown_lines,
    write,
)
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
    """A group of queries, with the columns of its queries and of their aggregate."""

    group: str | None
    columns: Sequence[Scores]
    query_ids: Sequence[str]


class ScoreRow(NamedTuple):
    """A system, a query, and the value of every column; None if the column has no value.

    `query_id` is None in the row of the aggregate. `group` is None if queries are not grouped, and
    `ALL_GROUPS` in the row of the aggregate over all groups.
    """

    system: str
    query_id: str | None
    values: Sequence[float | None]
    group: str | None = None


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
    - ``table`` has short names of measures, with a legend.
    - ``tsv`` and ``jsonl`` have one line per score, as in ir_measures. Undefined scores have no
      line. Lines omit the system if there is only one system, and the query if `by_query` is
      false. ``tsv`` has no header and no quotation marks.
    - ``json`` has one record per score, too. Each record has a system, a query, a measure and a
      value. The query is null for the aggregate, and the value is null if it is undefined. The
      group is null for the aggregate over all groups.
    """
    parts = groups and [*groups, GroupRows(ALL_GROUPS, columns, ())]
    rows = chain.from_iterable(
        _rows(part.columns, systems, part.query_ids if by_query else (), summary, part.group)
        for part in parts or [GroupRows(None, columns, query_ids)]
    )
    names = [column.name for column in columns]
    if form == "json":
        return write(TextTable.of_records([*_full_records(rows, names)], places), form)
    if form in ("tsv", "jsonl"):
        scores = list(_single_scores(rows, names, len(systems) > 1, by_query))
        if form == "jsonl":
            return write(TextTable.of_records(scores, places), form)
        return _lines(scores, places)
    every = [*rows]
    keys = [Column("system", [row.system for row in every], key=True, left=True)]
    if groups:
        keys.insert(0, Column("group", [row.group or ALL for row in every], key=True, left=True))
    if by_query:
        queries = [ALL if row.query_id is None else row.query_id for row in every]
        keys.append(Column("query_id", queries, key=True, left=False))
    shown = _columns_of_scores(columns, every, not by_query, form in FOR_READERS)
    return write(TextTable([*keys, *shown], places), form)


def _columns_of_scores(
    columns: Sequence[Scores], rows: Sequence[ScoreRow], bold: bool, for_readers: bool
) -> Iterator[Column]:
    """The scores; readers have names of runs in place of paths, and a terminal short heads."""
    measures = list(dict.fromkeys(column.measure for column in columns))
    labels = short_labels(measures) if for_readers else measures
    label_of, heads = dict(zip(measures, labels, strict=True)), measure_heads(labels)
    for place, column in enumerate(columns):
        label = label_of[column.measure]
        yield Column(
            label + column.end,
            [row.values[place] for row in rows],
            left=False,
            meaning=column.meaning,
            head=heads[label] + column.short_end,
            stands_for="" if column.end else label,
            bold=_highest_of_groups(rows, place) if bold and not column.end else (),
        )


def _highest_of_groups(rows: Sequence[ScoreRow], place: int) -> Collection[int]:
    """The positions of the highest of at least two scores of a column, in each group of queries."""
    best: set[int] = set()
    for group in {row.group for row in rows}:
        members = [number for number, row in enumerate(rows) if row.group == group]
        if len(members) > 1:
            values = np.array([rows[number].values[place] for number in members], float)
            best |= {members[number] for number in np.flatnonzero(highest(values)).tolist()}
    return best


def _rows(
    columns: Sequence[Scores],
    systems: Sequence[str],
    query_ids: Sequence[str],
    summary: bool,
    group: str | None,
) -> Iterator[ScoreRow]:
    for position, system in enumerate(systems):
        of_system = [
            None if column.by_query is None else column.by_query[position].tolist()
            for column in columns
        ]
        for place, query_id in enumerate(query_ids):
            values = [None if scores is None else scores[place] for scores in of_system]
            yield ScoreRow(system, query_id, values, group)
        if summary:
            overall = [float(column.overall[position]) for column in columns]
            yield ScoreRow(system, None, overall, group)


def _full_records(rows: Iterator[ScoreRow], names: Sequence[str]) -> Iterator[dict[str, Value]]:
    """A record with the same names for every score."""
    for row in rows:
        for name, value in zip(names, row.values, strict=True):
            if value is not None:
                group = {} if row.group is None else {"group": row.group or None}
                query = {**group, "system": row.system, "query_id": row.query_id}
                yield {**query, "measure": name, "value": value}


def _single_scores(
    rows: Iterator[ScoreRow], names: Sequence[str], several_systems: bool, by_query: bool
) -> Iterator[dict[str, Value]]:
    """A record for every score that is defined, with what its line names."""
    left_out = {*([] if several_systems else ["system"]), *([] if by_query else ["query_id"])}
    for record in _full_records(rows, names):
        if not is_undefined(record["value"]):
            keys = {name: ALL for name in ("group", "query_id") if record.get(name, ALL) is None}
            record.update(keys)
            yield {name: value for name, value in record.items() if name not in left_out}


def _lines(scores: Sequence[dict[str, Value]], places: int) -> str:
    """Lines in the output format of the ``ir_measures`` command."""
    return "".join(
        "\t".join(in_row(cell_text(value, places)) for value in score.values()) + "\n"
        for score in scores
    )


def measures_table(form: str = "table") -> str:
    """The catalogue: every measure of this package with its description, range and paper.

    Parameters
    ----------
    form
        ``table`` or ``markdown``, in which the names are code.
    """
    from ..measures.catalogue import measure_info

    infos = measure_info()
    columns = {
        "measure": [str(measure.NAME) for measure in infos],
        "what it is": [measure.summary for measure in infos],
        "range": ["[{:g}, {:g}]".format(*measure.RANGE) for measure in infos],
        "paper": [measure.PAPERS[0].published for measure in infos],
    }
    if form != "markdown":
        return write(TextTable.of(columns, keys=("measure",)), form)
    names, *others = columns.values()
    rows = zip([f"`{name}`" for name in names], *others, strict=True)
    return "\n".join(markdown_lines([[*columns], *map(list, rows)], [True] * len(columns)))
