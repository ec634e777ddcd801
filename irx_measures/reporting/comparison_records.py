"""Comparisons of systems in the formats that programs read."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from typing import Any

import numpy as np

from ..common.table import TextTable, Value, format_table
from ..comparison.leaderboard import board_columns
from ..comparison.result import Comparison
from ..comparison.topics import planned_topics
from ..stats.results import Columns
from .tables import rows_of_groups, score_columns, score_table


def comparison_records(result: Comparison, shown: str, form: str, places: int) -> str:
    """A table with one row per system or hypothesis.

    Parameters
    ----------
    shown
        ``leaderboard``, ``differences``, ``scores`` or ``topics``.
    form
        A key of `common.table.FORMATS`.
    places
        Decimal places, -1 for all.

    Notes
    -----
    - ``differences`` has the columns of `Comparison.to_frame`, ``leaderboard`` those of
      `Comparison.leaderboard` after the measure, and ``topics`` those of
      `Comparison.topics_needed` after the systems. ``scores`` is what ``irx evaluate`` prints.
    - Infinite numbers, such as topics that are not foreseeable, are written as undefined values.
    """
    if shown == "scores":
        return _scores(result, form, places)
    columns = COLUMNS[shown](result)
    lists = (c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values())
    rows = zip(*(map(_finite, each) for each in lists), strict=True)
    return format_table(TextTable(list(columns), [list(row) for row in rows], places), form)


def _scores(result: Comparison, form: str, places: int) -> str:
    groups = [] if result.grouped is None else rows_of_groups(result.grouped)
    columns = score_columns(result.matrix)
    return score_table(columns, result.matrix.systems, (), form, places, False, True, groups)


def _finite(value: Any) -> Value:
    return float("nan") if isinstance(value, float) and isinf(value) else value


def _leaderboards(result: Comparison) -> Columns:
    boards = [(board, board_columns(board)) for board in result.boards]
    groups = [board.group or "" for board, _ in boards for _ in board.systems]
    names = dict.fromkeys(name for _, columns in boards for name in columns)
    return {
        **({"group": groups} if result.groups else {}),
        "measure": [str(board.measure) for board, _ in boards for _ in board.systems],
        **{name: np.concatenate([columns[name] for _, columns in boards]) for name in names},
    }


COLUMNS: dict[str, Callable[[Comparison], Columns]] = {
    "leaderboard": _leaderboards,
    "differences": lambda result: result.to_columns(),
    "topics": lambda result: planned_topics(result.tested),
}
