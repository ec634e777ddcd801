"""The section of collections, or groups, of which macro means are compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...common.numeric import FloatArray
from ...common.writing import UNDEFINED, counted
from ...comparison.board import Leaderboard
from ...comparison.forest import Forest, ForestRow, forest_of
from ...comparison.paper_table import MACRO_MEAN
from ...comparison.words import interval_name
from ...measures.naming.named_score import direction_of
from ...stats.pairs import highest
from .content import REPORT, Content, number
from .svg import Axis


def collections(content: Content) -> dict[str, Any] | None:
    """The means in every collection, and the forest of each measure's default pair.

    None if no macro means are compared.
    """
    grouped = content.result.grouped
    if grouped is None or content.result.macro is None:
        return None
    boards = content.boards.items()
    return {
        "unit": grouped.unit,
        "macro_mean": MACRO_MEAN,
        "tables": [_table(content, key, board) for key, board in boards],
        "forests": [_forest(content, key, board) for key, board in boards if board.is_tested],
    }


def _table(content: Content, key: str, board: Leaderboard) -> dict[str, Any]:
    """The means of one measure: the macro mean first, then collections x systems."""
    matrix, grouped = content.result.matrix, content.result.grouped
    places = [matrix.systems.index(name) for name in board.systems]
    means = matrix.scores[matrix.measures.index(board.measure)][places]
    direction = direction_of(board.measure)
    rows: list[tuple[str, str | None, list[tuple[str, bool]]]]
    rows = [(MACRO_MEAN, None, _cells(board.mean, direction))]
    if grouped is not None:
        sized = zip(grouped.groups, grouped.sizes, means.T, strict=True)
        rows += [(name, f"{size:,}", _cells(each, direction)) for name, size, each in sized]
    return {"key": key, "head": board.head, "systems": board.systems, "rows": rows}


def _cells(means: FloatArray, direction: float) -> list[tuple[str, bool]]:
    """Means of systems, and which of them is the best."""
    best = highest(direction * means).tolist()
    return [(number(mean), is_best) for mean, is_best in zip(means.tolist(), best, strict=True)]


def _forest(content: Content, key: str, board: Leaderboard) -> dict[str, Any]:
    """One system minus another in every collection, and what the tests say."""
    found = forest_of(content.result, *board.default_pair, board.measure)
    axis = _axis(found)
    return {
        "key": key,
        "head": board.head,
        "pair": board.default_pair,
        "text": found.sentence(content.writing),
        "about": found.about_intervals,
        "tests": interval_name(found.board),
        "ticks": [(axis.percent(tick), number(tick, 2)) for tick in axis.ticks],
        "zero": axis.percent(0.0),
        "groups": list(_rows(axis, found.groups)),
        "totals": list(_rows(axis, found.totals)),
    }


def _axis(found: Forest) -> Axis:
    """An axis with 0 and all that is drawn."""
    rows = (*found.groups, *found.totals)
    ends = [[row.difference, row.lower, row.upper] for row in rows]
    return Axis(min(0.0, float(np.nanmin(ends))), max(0.0, float(np.nanmax(ends))))


def _rows(axis: Axis, rows: tuple[ForestRow, ...]) -> Iterator[dict[str, Any]]:
    for row in rows:
        line, between = [], UNDEFINED
        if not np.isnan(row.lower):
            ends = (row.lower, row.upper)
            line = [axis.percent(end) for end in ends]
            between = " to ".join(map(REPORT.difference, ends))
        yield {
            "name": row.name,
            "queries": "" if row.queries is None else f"{row.queries:,}",
            "line": line,
            "dot": "" if row.is_new else axis.percent(row.difference),
            "significant": row.significant,
            "is_new": row.is_new,
            "difference": "" if row.is_new else REPORT.difference(row.difference),
            "between": between,
            "p": "" if row.p_adjusted is None else REPORT.p_value(row.p_adjusted),
        }


def data_text(content: Content) -> str:
    """How many collections were scored, and on how many queries in all."""
    result = content.result
    units = counted(result.topics, content.first.unit)
    if result.grouped is None or result.macro is None:
        return units
    return f"{units} of {counted(sum(result.grouped.sizes), 'query', 'queries')}"
