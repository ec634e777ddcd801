"""The section of groups of queries: the means of each group, and what holds within it."""

from __future__ import annotations

from typing import Any

from ...common.writing import UNDEFINED, counted, marked
from ...comparison.board import Leaderboard
from ...comparison.result import Comparison
from ...comparison.words import (
    BEST,
    NOT_SIGNIFICANT,
    ONE_GROUP_ONLY,
    finding,
    in_brackets,
    method_text,
)
from .content import REPORT, Content, named, number


def groups(content: Content) -> dict[str, Any] | None:
    """The tables of all measures that were compared within groups; None without groups."""
    result = content.by
    if result is None:
        return None
    compared = {board.measure for board in result.boards}
    scores = result.grouped
    sizes = zip(scores.groups, scores.sizes, strict=True) if scores else ()
    small = [f"{named(group)} ({counted(n, 'topic')})" for group, n in sizes
             if group not in result.groups]  # fmt: skip
    shown = [board.reference for board in result.boards]
    return {
        "best": BEST,
        "ranked": result.boards[0].rank_low is not None,
        "not_significant": " ".join(in_brackets(*shown, legend=NOT_SIGNIFICANT)),
        "caution": ONE_GROUP_ONLY,
        "tests": method_text(result.tested),
        "small": ", ".join(small),
        "tables": [
            _table(content, result, key, board)
            for key, board in content.boards.items()
            if board.measure in compared
        ],
    }


def _table(content: Content, result: Comparison, key: str, board: Leaderboard) -> dict[str, Any]:
    """The means of one measure: systems x groups, with the differences to the baseline."""
    boards = {one.group or "": one for one in result.boards_of(board.measure).values()}
    shown = set(content.shown.systems)
    systems = [name for name in result.ordered_systems(board.measure) if name in shown]
    return {
        "key": key,
        "head": board.head,
        "heads": [(group, counted(one.topics, "topic")) for group, one in boards.items()],
        "found": [
            f"{named(content.short[group])}: {finding(one, content.writing)}."
            for group, one in boards.items()
        ],
        "rows": [(name, [_cell(one, name) for one in boards.values()]) for name in systems],
    }


def _cell(board: Leaderboard, system: str) -> dict[str, Any]:
    """The mean, whether the system may be the best, and its difference to the baseline."""
    place, reference = board.place.get(system), board.reference
    if place is None:
        return {"mean": UNDEFINED, "best": None, "minus": UNDEFINED}
    minus = "baseline" if board.is_tested else UNDEFINED
    if reference.compared[place]:
        text = REPORT.difference(float(reference["difference"][place]))
        minus = marked(text, bool(reference.significant[place])).rstrip()
    best = None if board.rank_low is None else bool(board.best[place])
    return {"mean": number(float(board.mean[place])), "best": best, "minus": minus}
