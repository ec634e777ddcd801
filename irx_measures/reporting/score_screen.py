"""Scores as a table for terminals: short heads with a legend, the best in bold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..common.fitting import fitting_table, renamed
from ..common.highest import highest
from ..common.screen import Screen
from ..common.table import cell_text
from ..common.text_columns import TextColumn
from ..measures.labels import measure_heads

END = re.compile(r" \S+% ([\w ]+ over topics: )?(lower|upper)$")

ALL = "all"  # the query or the group of the aggregate

ALL_GROUPS = ""  # in place of a group, whose name is never empty


class ScoreRow(NamedTuple):
    """A system, a query, and the value of every column; None if the column has no value.

    `query_id` is None in the row of the aggregate. `group` is None if queries are not grouped, and
    `ALL_GROUPS` in the row of the aggregate over all groups.
    """

    system: str
    query_id: str | None
    values: Sequence[float | None]
    group: str | None = None

    @property
    def query(self) -> str:
        """The query as tables name it."""
        return ALL if self.query_id is None else self.query_id

    @property
    def group_name(self) -> str:
        """The group as tables name it."""
        return self.group or ALL


def scores_on_screen(
    names: Sequence[str],
    rows: Sequence[ScoreRow],
    by_query: bool,
    places: int,
    screen: Screen,
) -> str:
    """Scores as a table that fits the screen.

    Parameters
    ----------
    names
        The labels of the columns of scores.
    rows
    by_query
        Whether rows are queries of systems; otherwise a row is a system.
    places
        Decimal places, -1 for all.
    screen
    """
    cells = [[cell_text(value, places, "-") for value in row.values] for row in rows]
    groups = [row.group_name for row in rows if row.group is not None]
    keys = [TextColumn("group", groups, False, True)] if groups else []
    keys.append(TextColumn("system", [row.system for row in rows], False, True))
    if by_query:
        keys.append(TextColumn("query_id", [row.query for row in rows], names=True))
    heads = _heads(names)
    columns = [
        TextColumn(
            _head(name, heads),
            [row[place] for row in cells],
            bold=() if by_query else _highest_of_groups(rows, place),
        )
        for place, name in enumerate(names)
    ]
    return _with_notes(fitting_table([*keys, *columns], len(keys), screen), renamed(heads, screen))


def _heads(names: Sequence[str]) -> dict[str, str]:
    """The heads of the measures by their labels; ends of intervals belong to their measure."""
    return measure_heads(_parts(name)[0] for name in names)


def _head(name: str, heads: dict[str, str]) -> str:
    label, end = _parts(name)
    return heads[label] + end


def _parts(name: str) -> tuple[str, str]:
    """The label of a measure, and which end of an interval the column has."""
    found = END.search(name)
    return (name[: found.start()], found[0]) if found else (name, "")


def _highest_of_groups(rows: Sequence[ScoreRow], place: int) -> set[int]:
    """The positions of the highest scores of a column, in each group of queries."""
    best: set[int] = set()
    for group in {row.group for row in rows}:
        members = [number for number, row in enumerate(rows) if row.group == group]
        best |= {members[one] for one in _highest([rows[each].values[place] for each in members])}
    return best


def _highest(values: Sequence[float | None]) -> set[int]:
    """The positions of the highest of at least two scores."""
    if len(values) < 2:
        return set()
    return {*np.flatnonzero(highest(np.array(values, float))).tolist()}


def _with_notes(table: str, notes: Sequence[str]) -> str:
    return "\n".join([table, *notes]) + "\n" if notes else table
