"""The section of unjudged documents: how many there are at which ranks."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import numpy as np

from ...common.writing import percent
from ...meta.unjudged import LIMITS
from .content import Content
from .documents import PooledDocuments
from .svg import NO_CELL, cell_paths, classes_of
from .ties import cell_size, named_places

CELL = 20  # pixels: 20 bins take 400


class Unjudged:
    """Shares of unjudged documents over ranks, and at the report's depth."""

    cell = CELL

    def __init__(self, content: Content, documents: PooledDocuments) -> None:
        systems = content.boards[0].systems
        self.found = found = documents.unjudged
        order = [found.systems.index(name) for name in systems]
        self.depth, self.row_height = documents.depth, cell_size(len(systems))
        classes = classes_of(found.shares(found.bins)[order], LIMITS)
        self.paths = cell_paths(classes, CELL, self.row_height)
        empty = np.where(classes == NO_CELL, 0, NO_CELL)
        self.nothing = cell_paths(empty, CELL, self.row_height).get(0, "")
        self.width, self.height = CELL * found.bins, self.row_height * len(systems)
        places = named_places(systems, self.row_height, content.baseline)
        counts = [found.counts_at(top) for top in dict.fromkeys([self.depth, found.depth])]
        self.rows = [
            (
                systems[place],
                place * self.row_height + self.row_height // 2 + 4,
                [
                    percent(returned[order[place]] - unjudged[order[place]], returned[order[place]])
                    for unjudged, returned in counts
                ],
            )
            for place in places
        ]
        self.space = ceil(12 + max(content.width(systems[place]) for place in places))
        self.keys = [
            *(f"{100 * limit:g}–" for limit in LIMITS[:-1]),
            f"{100 * LIMITS[-1]:g}% and more",
        ]
        self.text = found.sentence(self.depth)
        self.filled = list(_filled(content))


def _filled(content: Content) -> Iterator[tuple[str, float, float, list[float], float | None]]:
    """Each system, its mean, its mean over worlds in which every document has a grade, P(best)."""
    worlds = content.result.worlds
    if worlds is None:
        return
    board = content.boards[0]
    alpha = board.tested.method.alpha
    for place, name in enumerate(board.systems):
        best = None if content.baseline or board.p_best is None else float(board.p_best[place])
        means = worlds.means[board.measure][worlds.systems.index(name)]
        ends = np.quantile(means, (alpha / 2, 1 - alpha / 2)).tolist()
        yield name, float(board.mean[place]), float(means.mean()), ends, best
