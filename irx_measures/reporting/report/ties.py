"""The section of ties: which pairs of systems differ."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from .content import Board, Content
from .svg import NO_CELL, cell_paths
from .words import counted, listed, named, number

MOST_NAMED = 24

NAME_SPACE = 150  # pixels at the right of the matrix

CHARACTER = 6  # pixels


class Name(NamedTuple):
    """The name of a system on the diagonal."""

    text: str
    x: str
    y: str
    is_baseline: bool


class Ties:
    """Which pairs of systems differ in one measure."""

    def __init__(self, content: Content, board: Board) -> None:
        systems = board.board.systems
        self.key, self.label = board.key, board.label
        self.cell = cell_size(len(systems))
        self.side = len(systems) * self.cell
        lower = np.tril(np.ones((len(systems),) * 2, bool), -1)
        self.paths = cell_paths(np.where(lower, board.steps, NO_CELL), self.cell)
        self.names = diagonal_names(systems, self.cell, content.baseline)
        longest = max((len(name) for name in systems), default=0)
        self.width = self.side + min(NAME_SPACE, 10 + CHARACTER * longest)
        pairs = len(board.tested.hypotheses)
        different = int(np.count_nonzero(board.tested.rejected))
        differ = "pair differs" if pairs == 1 else "pairs differ"
        self.text = (
            f"{different:,} of the {pairs:,} {differ} significantly in {board.label}; "
            f"{pairs - different:,} cannot be told apart."
        )
        tied = board.tied_with(systems[0])
        self.of_best = (
            f"Cannot be told apart from the best, {named(systems[0])}: {listed(tied, MOST_NAMED)}."
            if tied
            else f"Every other system is significantly worse than {named(systems[0])}."
        )
        thresholds = [number(step).rstrip("0") for step in board.thresholds]
        self.steps = [
            f"{thresholds[0]} or more, cannot be told apart",
            *(f"below {threshold}" for threshold in thresholds),
        ]


def cell_size(systems: int) -> int:
    """The width of a cell in pixels."""
    if systems <= 45:
        return 16
    return 10 if systems <= 70 else 6


def named_places(count: int, cell: int, always: int | None) -> list[int]:
    """Positions of the names for which there is room; the name of `always` is among them."""
    step = ceil(10 / cell)
    places = [
        place
        for place in range(0, count, step)
        if always is None or place == always or abs(place - always) >= step
    ]
    return sorted({*places, *([] if always is None else [always])})


def diagonal_names(systems: tuple[str, ...], cell: int, baseline: str | None) -> list[Name]:
    """The names that fit on the diagonal."""
    always = systems.index(baseline) if baseline in systems else None
    return [
        Name(
            systems[place],
            str(place * cell + 4),
            str(round((place + 0.5) * cell + 4)),
            systems[place] == baseline,
        )
        for place in named_places(len(systems), cell, always)
    ]


def ties(content: Content) -> list[Ties]:
    """The ties of all measures."""
    return [Ties(content, board) for board in content.boards]


def lead(content: Content) -> str:
    """The sentence that answers the reader's first question."""
    board = content.boards[0]
    found, tied = board.board, board.tied_with(board.board.systems[0])
    opening = (
        f"{named(found.systems[0])} has the highest {board.label}, {number(float(found.mean[0]))} "
        f"({content.level} interval {number(float(found.lower[0]))} to "
        f"{number(float(found.upper[0]))})."
    )
    if not tied:
        return f"{opening} Every other system is significantly worse."
    systems = counted(len(tied), "other system", "other systems")
    topics = counted(len(content.topics), "topic")
    return f"{opening} {systems} cannot be told apart from it on these {topics}."
