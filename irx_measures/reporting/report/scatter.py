"""The section of two measures: do they rank the systems alike?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...common.arrays import BoolArray, FloatArray
from ...comparison.axis import ends
from ...stats.correlation import tau_b
from ..strip import Axis
from .content import Board, Content
from .svg import cut, inside, short
from .words import named, number

WIDTH, HEIGHT = 640, 440

LEFT, RIGHT, TOP, BOTTOM = 48, 16, 28, 32

MOST_PAIRS = 4

MOST_CHANGES = 12

LINE = 12.0  # the height of a label, in pixels

REACH = 9.0  # from a dot to its label


class Dot(NamedTuple):
    """A system on the chart."""

    name: str
    x: str
    y: str
    front: bool


class Label(NamedTuple):
    """The name of a system on the chart."""

    text: str
    x: str
    y: str
    is_baseline: bool


class Change(NamedTuple):
    """Ranks of a system on two measures."""

    name: str
    first: int
    second: int
    change: int


class Scatter:
    """Two measures."""

    def __init__(self, content: Content, first: Board, second: Board) -> None:
        self.x, self.y = first.label, second.label
        systems = [name for name in first.board.systems if name in second.place]
        x, y = _means(first, systems), _means(second, systems)
        self.tau = number(float(tau_b(x.round(12)[np.newaxis], y.round(12)[np.newaxis])[0]))
        ranks = _ranks(x), _ranks(y)
        self.changes = _changes(systems, *ranks)
        across, up = _axis(x), _axis(y)
        means = zip(x.tolist(), y.tolist(), strict=True)
        shown = np.array([inside(across, a) and inside(up, b) for a, b in means])
        self.off = [
            f"{named(systems[place])} ({number(float(x[place]))}, {number(float(y[place]))})"
            for place in np.flatnonzero(~shown).tolist()
        ]
        front = _front(x, y)
        places = np.flatnonzero(shown).tolist()
        points = [(_across(across, float(x[i])), _up(up, float(y[i]))) for i in places]
        self.dots = [
            Dot(systems[place], short(a), short(b), bool(front[place]))
            for place, (a, b) in zip(places, points, strict=True)
        ]
        wanted = _to_label(content, systems, front, self.changes)
        self.labels = list(_labels(wanted, systems, places, points, content.baseline))
        self.x_ticks = [(short(_across(across, tick)), number(tick, 2)) for tick in across.ticks]
        self.y_ticks = [(short(_up(up, tick)), number(tick, 2)) for tick in up.ticks]


def scatters(content: Content) -> list[Scatter]:
    """The first measure with each of the next ones."""
    first, *others = content.boards
    return [
        Scatter(content, first, second)
        for second in others[:MOST_PAIRS]
        if sum(name in second.place for name in first.board.systems) > 1
    ]


def _means(board: Board, systems: Sequence[str]) -> FloatArray:
    return np.array([board.board.mean[board.board.systems.index(name)] for name in systems])


def _ranks(means: FloatArray) -> list[int]:
    """The rank of each system; tied systems share the best of their ranks."""
    rounded = means.round(12)
    return [1 + int(np.count_nonzero(rounded > mean)) for mean in rounded.tolist()]


def _changes(systems: Sequence[str], first: list[int], second: list[int]) -> list[Change]:
    """The systems whose rank changes most, those that fall first."""
    changes = [
        Change(name, one, two, two - one)
        for name, one, two in zip(systems, first, second, strict=True)
        if one != two
    ]
    largest = sorted(changes, key=lambda change: -abs(change.change))[:MOST_CHANGES]
    return sorted(largest, key=lambda change: -change.change)


def _axis(values: FloatArray) -> Axis:
    return Axis(*ends(values, values), 1)


def _across(axis: Axis, value: float) -> float:
    return LEFT + (value - axis.low) / (axis.high - axis.low) * (WIDTH - LEFT - RIGHT)


def _up(axis: Axis, value: float) -> float:
    return HEIGHT - BOTTOM - (value - axis.low) / (axis.high - axis.low) * (HEIGHT - TOP - BOTTOM)


def _front(x: FloatArray, y: FloatArray) -> BoolArray:
    """Systems that no other system beats in both measures."""
    beaten = (x > x[:, np.newaxis]) & (y > y[:, np.newaxis])
    return np.asarray(~beaten.any(axis=1))


def _to_label(
    content: Content, systems: Sequence[str], front: BoolArray, changes: Sequence[Change]
) -> list[str]:
    """The systems to name, the most important first."""
    named = [content.baseline] if content.baseline in systems else []
    best = [name for name, is_front in zip(systems, front.tolist(), strict=True) if is_front]
    by_change = sorted(changes, key=lambda change: -abs(change.change))[:6]
    wanted = [*named, *best, *(change.name for change in by_change)]
    return [name for name in dict.fromkeys(wanted) if name is not None]


def _labels(
    wanted: Sequence[str],
    systems: Sequence[str],
    places: Sequence[int],
    points: Sequence[tuple[float, float]],
    baseline: str | None,
) -> Iterator[Label]:
    """Labels near their dots; one that would cover a dot or a label is left out."""
    point_of = {systems[place]: point for place, point in zip(places, points, strict=True)}
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in points]
    for name in wanted:
        if name not in point_of:
            continue
        x, y = point_of[name]
        for box in _boxes(x, y, _width(cut(name))):
            if not any(_overlap(box, other) for other in taken):
                taken.append(box)
                yield Label(name, short(box[0]), short(box[3] - 3), name == baseline)
                break


def _boxes(x: float, y: float, width: float) -> Iterator[tuple[float, float, float, float]]:
    """Sixteen places around a dot, the best first, without those outside the chart."""
    for distance in (REACH, 2 * REACH):
        for left, middle in (
            (x + distance, y),
            (x - distance - width, y),
            (x - width / 2, y - distance - LINE / 2),
            (x - width / 2, y + distance + LINE / 2),
            (x + distance, y - distance),
            (x + distance, y + distance),
            (x - distance - width, y - distance),
            (x - distance - width, y + distance),
        ):
            box = (left, middle - LINE / 2, left + width, middle + LINE / 2)
            if box[0] >= 0 and box[2] <= WIDTH and box[1] >= 14 and box[3] <= HEIGHT - BOTTOM:
                yield box


def _width(text: str) -> float:
    """The width of a label in pixels, rather too large than too small."""
    return sum(8.0 if character.isupper() or character in "mwMW@…" else 6.0 for character in text)


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
