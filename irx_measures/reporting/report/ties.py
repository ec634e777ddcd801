"""The section of ties: which pairs of systems differ."""

from __future__ import annotations

from itertools import compress
from math import ceil
from typing import Any

import numpy as np

from ...common.writing import some
from ...comparison.leaderboard import Leaderboard
from ...comparison.words import may_be_best, pairs_differ
from .content import Content, named, number
from .svg import NO_CELL, cell_paths, cell_size, named_places

MOST_NAMED = 24  # the design's: 24 names, "and N more"


def ties(content: Content) -> list[dict[str, Any]]:
    """The ties of all measures; none with baselines, since then not all pairs were tested."""
    if content.baseline is not None:
        return []
    return [_ties(content, key, board) for key, board in content.boards.items()]


def _ties(content: Content, key: str, board: Leaderboard) -> dict[str, Any]:
    systems = board.systems
    cell = cell_size(len(systems))
    lower = np.tril(np.ones((len(systems),) * 2, bool), -1)
    names = [(systems[place], place * cell) for place in named_places(systems, cell, None)]
    every = content.result.board(board.measure)
    best = [content.short[name] for name in compress(every.systems, every.best.tolist())]
    thresholds = [number(step).rstrip("0") for step in board.tested.thresholds]
    # The colours are those of the smallest steps: a level of .01 has no step at .05.
    colour = {0: 0} | {step: step + 3 - len(thresholds) for step in range(1, 1 + len(thresholds))}
    paths = cell_paths(np.where(lower, board.steps, NO_CELL), cell)
    return {
        "key": key,
        "head": board.head,
        "cell": cell,
        "side": len(systems) * cell,
        "width": ceil(max(corner + 10 + content.width(name) for name, corner in names)),
        "names": names,
        "paths": [(colour[step], path) for step, path in paths.items()],
        "steps": [
            (0, f"above {thresholds[0]}, cannot be told apart"),
            *((colour[step], f"at most {each}") for step, each in enumerate(thresholds, 1)),
        ],
        "text": f"{pairs_differ(board.tested)} in {board.head}.",
        "of_best": f"{may_be_best(every)}. They are {some(list(map(named, best)), MOST_NAMED)}."
        if board.ranks is not None
        else "",
    }
