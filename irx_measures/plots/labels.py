"""Labels of points. A label overlaps no other label and covers no point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..common.arrays import FloatArray
from .canvas import figure_of, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Lengths are in points.
REACH = 70.0

STEP = 3.0

DIRECTIONS = 24

LEADER = 9.0  # a label at least this far from its point is connected to it by a line

MARKER = 4.0  # half the size of a marker

MARGIN = 1.0

CROSSING = 60.0  # a line through a label costs as much as this distance

SWEEPS = 4

SAMPLES = 16


def label_points(
    ax: Axes, x: FloatArray, y: FloatArray, labels: Sequence[str], fontsize: float = 6.5
) -> list[str]:
    """Write each point's label as close to the point as possible.

    A label is placed where it overlaps no other label, no point and no edge of the axes. Of these
    places it gets the nearest. A place costs extra if the line to its point would cross a label, or
    if the label would cover another line. Labels are placed one by one, those of the most crowded
    points first. They are placed again a few times, because other labels may have moved away.

    Parameters
    ----------
    x, y : (points,) floats
    labels
        One per point. A point with an empty label is not labelled, but no label covers it.

    Returns
    -------
    list of str
        Labels for which there was no room. They are not written.
    """
    figure = figure_of(ax)
    texts = [
        ax.annotate(
            plain(label), (across, up), (0, 0), textcoords="offset points", fontsize=fontsize,
            ha="center", va="center", annotation_clip=False, in_layout=False,
        )
        for label, across, up in zip(labels, x, y, strict=True)
    ]  # fmt: skip
    figure.draw_without_rendering()  # fixes the position of the axes
    scale = 72.0 / figure.dpi
    points = ax.transData.transform(np.column_stack([x, y])) * scale
    half = np.array([text.get_window_extent().size for text in texts]) * scale / 2 + MARGIN
    places = _Places(points, half, np.asarray(ax.get_window_extent().extents) * scale)
    places.fill([place for place in _most_crowded_first(points) if labels[place]])
    for place, text in enumerate(texts):
        offset = places.offset.get(place)
        if offset is None:
            text.remove()
            continue
        text.set_position((float(offset[0]), float(offset[1])))
        if place in places.line:
            end = places.line[place][-1] - points[place]
            ax.annotate(
                "", (x[place], y[place]), (float(end[0]), float(end[1])),
                textcoords="offset points", in_layout=False, zorder=0.5,
                arrowprops={
                    "arrowstyle": "-", "color": "0.6", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 0
                },
            )  # fmt: skip
    return [label for place, label in enumerate(labels) if label and place not in places.offset]


def _most_crowded_first(points: FloatArray) -> list[int]:
    """Indices of the points, by ascending distance to the third nearest other point."""
    apart = np.hypot(*(points[:, np.newaxis] - points[np.newaxis]).transpose(2, 0, 1))
    nearest = np.sort(apart, axis=1)[:, min(3, len(points) - 1)]
    return np.argsort(nearest, kind="stable").tolist()


class _Places:
    """Where labels are placed: their offsets from their points, their boxes and their lines."""

    def __init__(self, points: FloatArray, half: FloatArray, inside: FloatArray) -> None:
        self.points, self.half, self.inside = points, half, inside
        self.markers = np.column_stack([points - MARKER, points + MARKER])
        self.offset: dict[int, FloatArray] = {}
        self.box: dict[int, FloatArray] = {}
        self.line: dict[int, FloatArray] = {}

    def fill(self, order: Sequence[int]) -> None:
        for _ in range(SWEEPS):
            for place in order:
                for known in (self.offset, self.box, self.line):
                    known.pop(place, None)
                self._put(place)

    def _put(self, place: int) -> None:
        """Give a label the best place that is free."""
        point, half = self.points[place], self.half[place]
        offsets, distance = _candidates(half)
        low, high = point + offsets - half, point + offsets + half
        boxes = np.vstack([self.markers, *self.box.values()])
        free = ((low >= self.inside[:2]) & (high <= self.inside[2:])).all(axis=1)
        free &= ~_overlap(low, high, boxes).any(axis=1)
        if not free.any():
            return
        offsets, distance, low, high = offsets[free], distance[free], low[free], high[free]
        lines = _lines(point, offsets, half)
        has_line = distance > LEADER
        cost = distance.copy()
        if self.box:
            crosses = _holds(np.vstack(list(self.box.values())), lines).any(axis=(1, 2))
            cost += CROSSING * (crosses & has_line)
        if self.line:
            others = np.concatenate(list(self.line.values()))
            covered = _holds(np.column_stack([low, high]), others[np.newaxis]).any(axis=(0, 1))
            cost += CROSSING * covered
        best = int(np.argmin(cost))
        self.offset[place] = offsets[best]
        self.box[place] = np.concatenate([low[best], high[best]])
        if has_line[best]:
            self.line[place] = lines[best]


def _candidates(half: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Possible offsets of a label's centre, and their distances from the point.

    The offsets lie on ellipses around the point, so that the label does not cover the point.

    Parameters
    ----------
    half : (2,)
        Half the width and half the height of the label.

    Returns
    -------
    (candidates, 2), (candidates,)
    """
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    distance = np.repeat(np.arange(MARKER, REACH, STEP), DIRECTIONS)
    around = np.tile(directions, (len(distance) // DIRECTIONS, 1))
    return around * (half + distance[:, np.newaxis]), distance


def _overlap(low: FloatArray, high: FloatArray, boxes: FloatArray) -> NDArray[np.bool_]:
    """Whether each candidate box, `low` to `high`, overlaps each box: (candidates, boxes)."""
    apart = (high[:, np.newaxis] <= boxes[:, :2]) | (low[:, np.newaxis] >= boxes[:, 2:])
    return np.asarray(~apart.any(axis=2))


def _lines(point: FloatArray, offsets: FloatArray, half: FloatArray) -> FloatArray:
    """Sampled positions on the lines from a point to label boxes: (candidates, SAMPLES, 2)."""
    inside = np.min(half / np.maximum(np.abs(offsets), 1e-9), axis=1)
    length = np.clip(1.0 - inside, 0.0, 1.0)[:, np.newaxis, np.newaxis]
    along = np.linspace(0.0, 1.0, SAMPLES)[:, np.newaxis]
    return point + length * along * offsets[:, np.newaxis]


def _holds(boxes: FloatArray, places: FloatArray) -> NDArray[np.bool_]:
    """Whether each box contains each of the (lines, samples, 2) places: (lines, samples, boxes)."""
    at = places[:, :, np.newaxis]
    return np.asarray(((at > boxes[:, :2]) & (at < boxes[:, 2:])).all(axis=3))
