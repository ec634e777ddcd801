"""The section of two measures: do they rank the systems alike?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...comparison.two_measures import FRONT, TwoMeasures, two_measures
from ...measures.named_score import is_rising
from .content import Content, number
from .svg import Axis, short

WIDTH, HEIGHT = 640, 440  # the design's, in pixels

# Pixels around the dots: the numbers and names of both axes.
LEFT, RIGHT, TOP, BOTTOM = 48, 16, 28, 32

MOST_PAIRS = 4  # the design's: one scatter per pair with the first measure, at most 4

MOST_CHANGES, MOST_LABELLED = 12, 6  # systems: rows of the table beside, and labels that find room

LINE = 12.0  # the height of a label, in pixels: the design's axis text

REACH = 9.0  # from a dot to its label: the dot's radius and a small gap


def scatters(content: Content) -> list[dict[str, Any]]:
    """The first measure with each of the next ones."""
    first, *others = content.result.boards
    charts = []
    for second in others[:MOST_PAIRS]:
        matrix = content.result.matrix.select([first.measure, second.measure])
        rising = is_rising(first.measure), is_rising(second.measure)
        heads = first.head, second.head
        found = two_measures(matrix.systems, heads, matrix.aggregates, rising)
        if len(found.systems) > 1:
            charts.append(_scatter(content, found))
    return charts


def _scatter(content: Content, found: TwoMeasures) -> dict[str, Any]:
    changed = sorted(found.most_changed(MOST_CHANGES), key=lambda place: -found.changes[place])
    shown = set(content.shown.systems)
    drawn = np.array([name in shown for name in found.systems])
    across, up = (Axis(means.min(), means.max()) for means in found.means[:, drawn])
    points = {
        found.systems[place]: (
            _across(across, float(found.means[0, place])),
            _up(up, float(found.means[1, place])),
        )
        for place in np.flatnonzero(drawn).tolist()
    }
    labels = _labels(content, _to_label(found, content.baseline), points)
    return {
        "filled": FRONT,
        "labels": found.labels,
        "text": found.sentence(content.writing),
        "changes": [
            (found.systems[place], found.ranks[:, place].tolist(), int(found.changes[place]))
            for place in changed
        ],
        "dots": [
            (name, short(x), short(y), bool(front))
            for (name, (x, y)), front in zip(points.items(), found.front[drawn], strict=True)
        ],
        "names": [(name, short(x), short(y)) for name, x, y in labels],
        "x_ticks": [(short(_across(across, tick)), number(tick, 2)) for tick in across.ticks],
        "y_ticks": [(short(_up(up, tick)), number(tick, 2)) for tick in up.ticks],
    }


def _across(axis: Axis, value: float) -> float:
    return LEFT + axis.share(value) * (WIDTH - LEFT - RIGHT)


def _up(axis: Axis, value: float) -> float:
    return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - TOP - BOTTOM)


def _to_label(found: TwoMeasures, baseline: str | None) -> list[str]:
    """The systems to name, the most important first."""
    places = [*np.flatnonzero(found.front).tolist(), *found.most_changed(MOST_LABELLED)]
    names = [found.systems[place] for place in places]
    return list(dict.fromkeys([baseline, *names] if baseline in found.systems else names))


def _labels(
    content: Content, wanted: Sequence[str], points: Mapping[str, tuple[float, float]]
) -> Iterator[tuple[str, float, float]]:
    """Labels near their dots; one that would cover a dot or a label is left out."""
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in points.values()]
    for name in wanted:
        if name not in points:
            continue
        x, y = points[name]
        for box in _boxes(x, y, content.width(name)):
            if not any(_overlap(box, other) for other in taken):
                taken.append(box)
                yield name, box[0], box[3] - 3
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
            if box[0] >= LEFT and box[2] <= WIDTH and box[1] >= 14 and box[3] <= HEIGHT - BOTTOM:
                yield box


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
