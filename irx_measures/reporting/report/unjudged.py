"""The section of unjudged documents: how many there are at which ranks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...common.arrays import IntArray
from ...common.division import safe_divide
from .content import Content
from .documents import DEEPEST, Documents
from .svg import NO_CELL, cell_paths
from .ties import CHARACTER, named_places
from .words import counted, named, number, percent

BINS, BIN = 20, 5  # ranks in a bin

LIMITS = (0.1, 0.3, 0.5, 0.7)  # shares of unjudged documents

CELL = 20


class Row(NamedTuple):
    """A system beside its strip."""

    name: str
    middle: str
    at_depth: str
    at_deepest: str
    is_baseline: bool
    named: bool


class FilledRow(NamedTuple):
    """A system's mean where unjudged documents have grades."""

    name: str
    judged: str
    filled: str
    interval: str


class Unjudged:
    """Shares of unjudged documents over ranks, and at the report's depth."""

    def __init__(self, content: Content, documents: Documents) -> None:
        systems = content.boards[0].board.systems
        names = content.result.matrix.systems
        order = [names.index(name) for name in systems]
        unjudged, returned = documents.unjudged[order], documents.returned[order]
        self.depth, self.deepest = documents.depth, DEEPEST
        self.row_height = 16 if len(systems) <= 45 else 10 if len(systems) <= 70 else 6
        self.cell = CELL
        self.paths = cell_paths(_classes(unjudged, returned), CELL, self.row_height)
        self.width, self.height = CELL * BINS, self.row_height * len(systems)
        always = systems.index(content.baseline) if content.baseline in systems else None
        named = set(named_places(len(systems), self.row_height, always))
        self.rows = [
            Row(
                name,
                str(place * self.row_height + self.row_height // 2 + 4),
                _judged(unjudged[place], returned[place], self.depth),
                _judged(unjudged[place], returned[place], DEEPEST),
                name == content.baseline,
                place in named,
            )
            for place, name in enumerate(systems)
        ]
        self.space = min(160, 12 + CHARACTER * max(map(len, systems)))
        self.keys = [
            *(f"{100 * limit:g}–" for limit in LIMITS[:-1]),
            f"{100 * LIMITS[-1]:g}% and more",
        ]
        self.text = _text(systems, unjudged, returned, self.depth)
        self.filled = _filled(content)
        self.filled_label = _filled_label(content)


def _classes(unjudged: IntArray, returned: IntArray) -> IntArray:
    shape = (len(unjudged), BINS, BIN)
    missing = unjudged.reshape(shape).sum(axis=2)
    found = returned.reshape(shape).sum(axis=2)
    classes = np.searchsorted(LIMITS, safe_divide(missing, found), side="right")
    return np.where(found > 0, classes, NO_CELL)


def _judged(unjudged: IntArray, returned: IntArray, depth: int) -> str:
    found = int(returned[:depth].sum())
    return percent(found - int(unjudged[:depth].sum()), found)


def _text(systems: tuple[str, ...], unjudged: IntArray, returned: IntArray, depth: int) -> str:
    found, missing = returned[:, :depth].sum(axis=1), unjudged[:, :depth].sum(axis=1)
    total, lacking = int(found.sum()), int(missing.sum())
    deep = percent(int(unjudged.sum()), int(returned.sum()))
    beyond = f"Over ranks 1 to {DEEPEST}, {deep} are unjudged and count as not relevant."
    if not lacking:
        return f"Every document in every top {depth} is judged. {beyond}"
    worst = int(np.argmax(safe_divide(missing, found)))
    are = "is" if lacking == 1 else "are"
    share = percent(int(missing[worst]), int(found[worst]))
    return (
        f"{lacking:,} of the {counted(total, 'document')} in the top {depth}s {are} unjudged; "
        f"the most are in {named(systems[worst])} ({share} of its top {depth}s). {beyond}"
    )


def _filled(content: Content) -> list[FilledRow]:
    """Means over worlds in which every document has a grade, where they were asked for."""
    filled = content.result.filled
    if filled is None:
        return []
    board = content.boards[0]
    alpha = board.tested.method.alpha
    rows = []
    for name, mean in zip(board.board.systems, board.board.mean.tolist(), strict=True):
        means = filled.means[board.tested.hypotheses.measure][filled.systems.index(name)]
        low, high = np.quantile(means, (alpha / 2, 1 - alpha / 2))
        rows.append(
            FilledRow(
                name,
                number(mean),
                number(float(means.mean())),
                f"{number(float(low))} to {number(float(high))}",
            )
        )
    return rows


def _filled_label(content: Content) -> str:
    return content.boards[0].label if content.result.filled is not None else ""
