"""Comparisons of systems in the formats that programs read."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from typing import Any

import numpy as np

from ..common.table import TextTable, Value, format_table
from ..comparison.hypotheses import joined_columns
from ..comparison.planning import planned_topics
from ..comparison.result import Comparison
from ..stats.results import Columns
from .tables import score_columns, score_table


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
        matrix = result.matrix
        return score_table(score_columns(matrix), matrix.systems, (), form, places, False, True)
    columns = COLUMNS[shown](result)
    lists = (c.tolist() if isinstance(c, np.ndarray) else c for c in columns.values())
    rows = zip(*(map(_finite, each) for each in lists), strict=True)
    return format_table(TextTable(list(columns), [list(row) for row in rows], places), form)


def _finite(value: Any) -> Value:
    return float("nan") if isinstance(value, float) and isinf(value) else value


def _leaderboards(result: Comparison) -> Columns:
    boards = [result.board(part.hypotheses.measure) for part in result.tested]
    return {
        "measure": [str(board.measure) for board in boards for _ in board.systems],
        "system": [system for board in boards for system in board.systems],
        **joined_columns(
            boards, mean="mean", lower="lower", upper="upper", rank_low="rank_low",
            rank_high="rank_high", best="best",
        ),
        "letters": [letters for board in boards for letters in board.letters or [""] * len(board)],
    }  # fmt: skip


COLUMNS: dict[str, Callable[[Comparison], Columns]] = {
    "leaderboard": _leaderboards,
    "differences": Comparison.to_columns,
    "topics": lambda result: planned_topics(result.tested),
}
