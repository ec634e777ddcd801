"""The section of what each system adds: NRG given each other system."""

from __future__ import annotations

from math import ceil

import numpy as np

from .content import Content
from .documents import PooledDocuments
from .svg import cell_paths, classes_of
from .ties import cell_size, named_places

BAR = 110.0  # the longest bar, in pixels: a choice beside the matrix


class Adds:
    """NRG@k of each system given each other one."""

    def __init__(self, content: Content, documents: PooledDocuments) -> None:
        found = documents.adds
        self.depth = documents.depth
        shown = set(content.shown.systems)
        order = [place for place in found.order.tolist() if found.systems[place] in shown]
        ordered = [found.systems[place] for place in order]
        self.cell = cell_size(len(ordered))
        self.side = self.cell * len(ordered)
        given = found.given[np.ix_(order, order)]
        self.paths = cell_paths(classes_of(given, found.limits), self.cell)
        self.limits = found.limits.tolist()
        places = named_places(ordered, self.cell, content.baseline)
        self.space = ceil(12 + max(content.width(ordered[place]) for place in places))
        self.names = [(ordered[place], self.space + (place + 0.5) * self.cell) for place in places]
        highest = float(found.given_all.max()) or 1.0
        self.bars = [(value, BAR * value / highest) for value in found.given_all[order].tolist()]
        self.text = found.sentence(content.writing)

    @property
    def width(self) -> int:
        return int(self.space + self.side + 12 + BAR + 36)

    @property
    def height(self) -> int:
        return self.space + self.side
