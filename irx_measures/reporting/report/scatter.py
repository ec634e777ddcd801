"""The section of two measures: do they rank the systems alike?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...common.placing import place_names
from ...measures.naming.named_score import is_rising
from ...meta.two_measures import FRONT, TwoMeasures, two_measures
from .content import Content, number
from .svg import Axis, short

WIDTH, HEIGHT = 640, 440  # the design's, in pixels

# Pixels around the dots: the numbers and names of both axes.
LEFT, RIGHT = 48, 16
TOP, BOTTOM = 28, 32

MOST_PAIRS = 4  # the design's: one scatter per pair with the first measure, at most 4

MOST_CHANGES, MOST_LABELLED = 12, 6  # systems: rows of the table beside, and labels that find room

LINE = 12.0  # the height of a label, in pixels: the design's axis text

RADIUS, REACH = 5.0, 9.0  # pixels: of a dot with its line, and from its middle to its label

FRAME = LEFT, BOTTOM - HEIGHT, WIDTH, -14  # of labels: below the name of the upward axis


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
    lowest, highest = found.means[:, drawn].min(axis=1), found.means[:, drawn].max(axis=1)
    across = Axis(float(lowest[0]), float(highest[0]))
    up = Axis(float(lowest[1]), float(highest[1]))
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
    if baseline is not None and baseline in found.systems:
        names.insert(0, baseline)
    return list(dict.fromkeys(names))


def _labels(
    content: Content, wanted: Sequence[str], points: Mapping[str, tuple[float, float]]
) -> Iterator[tuple[str, float, float]]:
    """Labels near their dots, with the left ends of their base lines; see `place_names`."""
    names = list(points)
    middles = np.array([points[name] for name in names]) * (1, -1)  # upwards
    sizes = {names.index(name): (content.width(name), LINE) for name in wanted if name in points}
    for place, box in place_names(middles, sizes, RADIUS, REACH, FRAME).items():
        yield names[place], float(box[0]), float(-box[1] - 3)
