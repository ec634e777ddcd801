"""The section of ties: which pairs of systems differ."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import ceil

import numpy as np

from ...comparison.leaderboard import Leaderboard
from ...comparison.words import finding, leading, may_be_best, pairs_differ
from .content import Content
from .svg import NO_CELL, cell_paths
from .words import listed, number, sentence

MOST_NAMED = 24  # the design's: 24 names, "and N more"


class Ties:
    """Which pairs of systems differ in one measure."""

    def __init__(self, content: Content, key: str, board: Leaderboard) -> None:
        systems = board.systems
        self.key, self.label = key, board.head
        self.cell = cell_size(len(systems))
        self.side = len(systems) * self.cell
        lower = np.tril(np.ones((len(systems),) * 2, bool), -1)
        self.paths = cell_paths(np.where(lower, board.steps, NO_CELL), self.cell)
        places = named_places(systems, self.cell, None)
        self.names = [(systems[place], place * self.cell) for place in places]
        self.width = ceil(max(corner + 10 + content.width(name) for name, corner in self.names))
        self.text = sentence(f"{pairs_differ(board.tested)} in {board.head}")
        every = content.result.board(board.measure)
        best = [content.short[name] for name in compress(every.systems, every.best.tolist())]
        self.of_best = ""
        if board.ranks is not None:
            self.of_best = f"{may_be_best(every)}. They are {listed(best, MOST_NAMED)}."
        thresholds = [number(step).rstrip("0") for step in board.tested.thresholds]
        self.steps = [
            f"above {thresholds[0]}, cannot be told apart",
            *(f"at most {threshold}" for threshold in thresholds),
        ]


def cell_size(systems: int) -> int:
    """The width of a cell in pixels."""
    if systems <= 45:
        return 16
    return 10 if systems <= 70 else 6


def named_places(systems: Sequence[str], cell: int, baseline: str | None) -> list[int]:
    """Positions of the names for which there is room; the baseline is among them."""
    step = ceil(10 / cell)
    always = [place for place, name in enumerate(systems) if name == baseline]
    free = range(0, len(systems), step)
    return sorted({*always, *(n for n in free if all(abs(n - one) >= step for one in always))})


def ties(content: Content) -> list[Ties]:
    """The ties of all measures; none with baselines, since then not all pairs were tested."""
    if content.baseline is not None:
        return []
    return [
        Ties(content, key, board) for key, board in zip(content.keys, content.boards, strict=True)
    ]


def leads(content: Content) -> list[str]:
    """For each measure, the sentences that answer the reader's first question."""
    return [_lead(content, board) for board in content.result.boards]


def _lead(content: Content, board: Leaderboard) -> str:
    opening = leading(board, content.writing)
    if len(board.leaders) == 1:
        low, high = number(float(board.lower[0])), number(float(board.upper[0]))
        opening += f" ({content.level} interval {low} to {high})"
    return f"{opening}. {finding(board, content.writing)}."
