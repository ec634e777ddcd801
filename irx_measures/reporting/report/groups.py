"""The section of groups of queries: the means of each group, and what holds within it."""

from __future__ import annotations

from ...common.names import cut_names
from ...common.numbers import marked
from ...common.writing import counted
from ...comparison.leaderboard import Leaderboard
from ...comparison.result import Comparison
from ...comparison.words import NOT_SIGNIFICANT, ONE_GROUP_ONLY, finding, method_text
from .content import LONGEST_NAME, Content
from .words import difference, named


class GroupTable:
    """The means of one measure: systems x groups, with the differences to the baseline."""

    def __init__(self, content: Content, key: str, result: Comparison, board: Leaderboard) -> None:
        self.key, self.head = key, board.head
        self.boards = {one.group or "": one for one in result.boards_of(board.measure).values()}
        shown = set(content.shown.systems)
        self.systems = [name for name in result.ordered_systems(board.measure) if name in shown]
        short = cut_names(self.boards, LONGEST_NAME)
        self.heads = [
            (named(short[group]), group, counted(board.topics, "topic"))
            for group, board in self.boards.items()
        ]
        self.found = [
            (named(short[group]), f"{finding(board, content.writing)}.")
            for group, board in self.boards.items()
        ]

    def minus(self, board: Leaderboard, system: str) -> str:
        """The difference to the baseline, in brackets if it is not significant."""
        place, reference = board.place.get(system), board.reference
        if place is None:
            return "–"
        if not reference.compared[place]:
            return "baseline"
        text = difference(float(reference.difference[place]))
        return marked(text, bool(reference.significant[place])).rstrip()


class Groups:
    """The tables of all measures that were compared within groups."""

    def __init__(self, content: Content, result: Comparison) -> None:
        compared = {board.measure for board in result.boards}
        self.tables = [
            GroupTable(content, key, result, board)
            for key, board in zip(content.keys, content.boards, strict=True)
            if board.measure in compared
        ]
        scores = result.grouped
        self.small = [
            (named(group), counted(size, "topic"))
            for group, size in (zip(scores.groups, scores.sizes, strict=True) if scores else ())
            if group not in result.groups
        ]
        self.tests, self.caution = method_text(result.tested), ONE_GROUP_ONLY
        self.not_significant = NOT_SIGNIFICANT
