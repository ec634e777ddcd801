"""The section of what each system adds: NRG given each other system."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...common.arrays import FloatArray
from ...stats.clustering import order_by_similarity
from .content import Content
from .documents import Documents
from .svg import NO_CELL, cell_paths, short
from .ties import CHARACTER, cell_size, named_places
from .words import named, number

CLASSES = 7

BAR = 110.0  # the longest bar, in pixels

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)


class Name(NamedTuple):
    """The name of a row and a column, and the bar of the row."""

    text: str
    middle: str
    is_baseline: bool


class Bar(NamedTuple):
    """NRG given all others."""

    y: str
    width: str
    text: str


class Adds:
    """NRG@k of each system given each other one."""

    def __init__(self, content: Content, documents: Documents) -> None:
        systems = content.result.matrix.systems
        self.depth = documents.depth
        order = order_by_similarity(documents.pairwise, documents.alone).tolist()
        ordered = [systems[place] for place in order]
        pairwise = documents.pairwise[np.ix_(order, order)]
        added = documents.added[order]
        self.cell = cell_size(len(systems))
        self.side = self.cell * len(systems)
        limits = class_limits(pairwise[~np.eye(len(systems), dtype=bool)])
        classes = np.searchsorted(limits, pairwise, side="right")
        np.fill_diagonal(classes, NO_CELL)
        self.paths = cell_paths(classes, self.cell)
        self.keys = _keys(limits)
        always = ordered.index(content.baseline) if content.baseline else None
        self.names = [
            Name(ordered[place], short((place + 0.5) * self.cell), place == always)
            for place in named_places(len(ordered), self.cell, always)
        ]
        self.space = min(160, 12 + CHARACTER * max(map(len, ordered)))
        highest = float(added.max()) or 1.0
        self.bars = [
            Bar(
                str(place * self.cell + 1),
                short(BAR * float(value) / highest),
                number(float(value)) if self.cell >= 10 else "",
            )
            for place, value in enumerate(added)
        ]
        self.text = _text(systems, documents)

    @property
    def width(self) -> int:
        return int(self.space + self.side + 12 + BAR + 36)

    @property
    def height(self) -> int:
        return self.space + self.side


def class_limits(values: FloatArray) -> FloatArray:
    """Round limits between the classes; most values lie between the first and the last."""
    low, high = (float(value) for value in np.quantile(values, (0.04, 0.96)))
    step = next((size for size in STEPS if size * (CLASSES - 1) >= high - low), STEPS[-1])
    first = max(step, round((low + high - step * (CLASSES - 2)) / 2 / step) * step)
    return (first + step * np.arange(CLASSES - 1)).round(6)


def _keys(limits: FloatArray) -> list[str]:
    texts = [number(float(limit), 2) for limit in limits]
    return [f"under {texts[0]}", *(f"{text}–" for text in texts[:-1]), f"{texts[-1]} and more"]


def _text(systems: tuple[str, ...], documents: Documents) -> str:
    added = documents.added
    best = np.argsort(-added.round(12), kind="stable")[:3].tolist()
    first, *rest = (f"{named(systems[place])} ({number(float(added[place]))})" for place in best)
    opening = f"Given all others, {first} adds most"
    if rest:
        opening += f", then {' and '.join(rest)}"
    one, other = most_alike(documents)
    return (
        "NRG counts only the gain that other systems leave: a document at rank 1 of another "
        f"system adds nothing. {opening}. The two most alike are {named(systems[one])} and "
        f"{named(systems[other])}: given the second, the first keeps "
        f"{number(float(documents.pairwise[one, other]))} of its "
        f"{number(float(documents.alone[one]))}."
    )


def most_alike(documents: Documents) -> tuple[int, int]:
    """The two systems each of which keeps the least of its nDCG given the other."""
    alone = np.where(documents.alone > 0, documents.alone, np.inf)
    kept = documents.pairwise / alone[:, np.newaxis]
    either = np.maximum(kept, kept.T).round(12)
    without = (documents.alone <= 0)[:, np.newaxis] | (documents.alone <= 0)
    either[without | np.eye(len(either), dtype=bool)] = np.inf
    one, other = np.unravel_index(int(np.argmin(either)), either.shape)
    return int(one), int(other)
