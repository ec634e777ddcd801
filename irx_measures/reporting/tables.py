"""Scores and catalogues as text, in the output formats of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from typing import NamedTuple

from ..common.escapes import in_row
from ..common.numeric import FloatArray
from ..common.screen import Screen
from ..common.table import (
    FOR_READERS,
    HEAD_SPACE,
    TextTable,
    Value,
    cell_text,
    format_records,
    format_table,
    is_undefined,
    markdown_lines,
)
from ..common.text_columns import GAP, TextColumn, wrapped, written
from ..exceptions import InputError
from ..measures.labels import short_labels
from ..scoring.grouped_scores import GroupedScores
from ..scoring.score_matrix import ScoreMatrix
from .score_screen import ALL, ALL_GROUPS, ScoreRow, scores_on_screen

LEAST_TEXT = 20  # width of the descriptions of measures, a choice: three words to a line


class GroupRows(NamedTuple):
    """A group of queries, with the columns of its queries and of their aggregate."""

    group: str | None
    columns: Sequence[Column]
    query_ids: Sequence[str]


@dataclass(frozen=True)
class Column:
    """A column of a table of scores.

    Attributes
    ----------
    name
    by_query : (systems, queries) floats, optional
        None if the column only has one value per system.
    overall : (systems,) floats
    """

    name: str
    by_query: FloatArray | None
    overall: FloatArray


def score_columns(matrix: ScoreMatrix) -> list[Column]:
    """One column per measure."""
    return [
        Column(str(measure), scores, overall)
        for measure, scores, overall in zip(
            matrix.measures, matrix.scores, matrix.aggregates, strict=True
        )
    ]


def rows_of_groups(
    scores: GroupedScores, columns_of: Callable[[ScoreMatrix], list[Column]] = score_columns
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
    columns: Sequence[Column],
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
        A key of `common.table.FORMATS`.
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
        return format_records([*_full_records(rows, names)], form, places)
    if form in ("tsv", "jsonl"):
        scores = list(_single_scores(rows, names, len(systems) > 1, by_query))
        return _lines(scores, places) if form == "tsv" else format_records(scores, form, places)
    if form in FOR_READERS:
        names = short_labels(names)
    if form == "table":
        return scores_on_screen(names, [*rows], by_query, places, Screen.of_stdout())
    shown = {"group": bool(groups), "system": True, "query_id": by_query}
    keys = [key for key, is_shown in shown.items() if is_shown]
    cells = [
        [*compress((row.group_name, row.system, row.query), shown.values()), *row.values]
        for row in rows
    ]
    align = ["right" if key == "query_id" else "left" for key in keys] + ["right"] * len(names)
    return format_table(TextTable([*keys, *names], cells, places, align), form)


def _rows(
    columns: Sequence[Column],
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


def measures_table(form: str = "table", width: int | None = None) -> str:
    """The catalogue: every measure of this package with its description and range.

    Parameters
    ----------
    form
        ``table`` or ``markdown``.
    width
        The width that descriptions are wrapped for; None: they are not wrapped.
    """
    from ..measures.catalogue import measure_info

    heads = ["measure", "what it is", "range", "paper"]
    rows = [
        [info.name, info.summary, f"[{info.range[0]:g}, {info.range[1]:g}]", info.paper.published]
        for info in measure_info()
    ]
    if form == "markdown":
        shown = [[f"`{name}`", *others] for name, *others in rows]
        return "\n".join(markdown_lines([heads, *shown], ["left"] * len(heads)))
    if width is not None:
        others = sum(max(len(row[place]) for row in [heads, *rows]) for place in (0, 2, 3))
        space = max(width - others - 3 * len(GAP), LEAST_TEXT)
        rows = [[name, "\n".join(wrapped(text, space)), *rest] for name, text, *rest in rows]
    columns = [
        TextColumn(head.ljust(len(head) + HEAD_SPACE), cells, right=False)
        for head, *cells in zip(heads, *rows, strict=True)
    ]
    return "\n".join(written(columns, rule=True))
