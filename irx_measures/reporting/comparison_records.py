"""Comparisons of systems in the formats that programs read."""

from __future__ import annotations

from collections.abc import Callable
from math import isinf
from typing import Any

import numpy as np

from ..common.table import TextTable, Value, format_table
from ..comparison.grouped import AnyComparison, GroupedComparison
from ..comparison.hypotheses import is_grouped, joined_columns
from ..comparison.planning import planned_topics
from ..stats.results import Columns
from .tables import rows_of_groups, score_columns, score_table


def comparison_records(result: AnyComparison, shown: str, form: str, places: int) -> str:
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


def _scores(result: AnyComparison, form: str, places: int) -> str:
    if isinstance(result, GroupedComparison):
        matrix, groups = result.scores.matrix, rows_of_groups(result.scores)
    else:
        matrix, groups = result.matrix, []
    columns = score_columns(matrix)
    return score_table(columns, matrix.systems, (), form, places, False, True, groups)


def _finite(value: Any) -> Value:
    return float("nan") if isinstance(value, float) and isinf(value) else value


def _leaderboards(result: AnyComparison) -> Columns:
    boards = [result.board_of(part) for part in result.tested]
    groups = [board.asked.hypotheses.group or "" for board in boards for _ in board.systems]
    return {
        **({"group": groups} if is_grouped(result.tested) else {}),
        "measure": [str(board.measure) for board in boards for _ in board.systems],
        "system": [system for board in boards for system in board.systems],
        **joined_columns(
            boards, mean="mean", lower="lower", upper="upper", rank_low="rank_low",
            rank_high="rank_high", best="best",
        ),
        "letters": [letters for board in boards for letters in board.letters or [""] * len(board)],
    }  # fmt: skip


COLUMNS: dict[str, Callable[[AnyComparison], Columns]] = {
    "leaderboard": _leaderboards,
    "differences": lambda result: result.to_columns(),
    "topics": lambda result: planned_topics(result.tested),
}
