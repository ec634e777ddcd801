"""Labels of points. A label overlaps no other label and covers no point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import FloatArray
from .canvas import figure_of
from .style import size_in_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

# Lengths are in points.
REACH = 70.0  # a choice, about an inch: a line from further away is hard to follow

STEP = 3.0  # a choice: about half the height of a name; finer steps take longer

DIRECTIONS = 24  # every 15 degrees

LEADER = 9.0  # a label at least this far from its point is connected to it by a line

MARKER = 4.0  # half the size of a marker

MARGIN = 1.0  # space around a label, so that two do not touch

CROSSING = 60.0  # a line through a label costs as much as this distance

SAME = 1e-6  # points in one place have the same distance but for rounding

SWEEPS = 4  # a choice: each sweep places all labels again, given the others

SAMPLES = 16  # positions on a line of at most 70 points: closer than the height of a name

COLUMN_STEP = 4.0  # a choice: about half the height of a line

LINE_HEIGHT = 1.35  # of a column, in font sizes: a little more than a paragraph's

EDGE = 6.5 * LINE_HEIGHT + 2 * MARKER  # a label between a point and the edge of the axes

FAR = 1000.0  # the cost of a column over something: more than any distance in a picture


def leave_room(ax: Axes, x: float, y: float) -> None:
    """Leave these shares of the data around it, above and below at least for a label.

    The axes must have their names, which take height.
    """
    figure_of(ax).draw_without_rendering()
    height = max(size_in_points(ax)[1], 3 * EDGE)  # in lower axes, no label has room
    ax.margins(x=x, y=max(y, EDGE / (height - 2 * EDGE)))


def label_points(
    ax: Axes,
    x: FloatArray,
    y: FloatArray,
    labels: Sequence[str],
    fontsize: float = 6.5,
    lines: FloatArray | None = None,
) -> list[str]:
    """Write each point's label as close to the point as possible.

    A label is placed where it overlaps no other label, no point and no edge of the axes, and where
    no other point is nearer to it. Of these places it gets the nearest. A place costs extra if the
    line to its point would cross a label, or if the label would cover another line. Labels are
    placed one by one, those of the most crowded points first. They are placed again a few times,
    because other labels may have moved away.

    Parameters
    ----------
    x, y : (points,) floats
    labels
        One per point, as `Names` writes them. A point with an empty label is not labelled, but no
        label covers it.
    lines : (positions, 2) floats
        Positions on lines that no label covers.

    Returns
    -------
    list of str
        Labels for which there was no room. They are not written.
    """
    figure = figure_of(ax)
    texts = [
        ax.annotate(
            label, (across, up), (0, 0), textcoords="offset points", fontsize=fontsize,
            ha="center", va="center", annotation_clip=False, in_layout=False,
        )
        for label, across, up in zip(labels, x, y, strict=True)
    ]  # fmt: skip
    figure.draw_without_rendering()  # fixes the position of the axes
    scale = 72.0 / figure.dpi
    points = ax.transData.transform(np.column_stack([x, y])) * scale
    half = np.array([text.get_window_extent().size for text in texts]) * scale / 2 + MARGIN
    uncovered = points
    if lines is not None:
        uncovered = np.vstack([points, ax.transData.transform(lines) * scale])
    inside = np.asarray(ax.get_window_extent().extents) * scale
    places = _Places(points, half, inside, uncovered)
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

    def __init__(
        self, points: FloatArray, half: FloatArray, inside: FloatArray, uncovered: FloatArray
    ) -> None:
        self.points, self.half, self.inside = points, half, inside
        self.markers = np.column_stack([uncovered - MARKER, uncovered + MARKER])
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
        apart = _distances(low[free], high[free], self.points)
        free[free] = apart[:, place] <= apart.min(axis=1, initial=np.inf) + SAME
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


def _distances(low: FloatArray, high: FloatArray, points: FloatArray) -> FloatArray:
    """Distance of each candidate box, `low` to `high`, from each point: (candidates, points)."""
    beyond = np.maximum(low[:, np.newaxis] - points, points - high[:, np.newaxis])
    return np.asarray(np.hypot(*np.maximum(beyond, 0.0).transpose(2, 0, 1)))


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


def label_column(
    ax: Axes,
    x: FloatArray,
    y: FloatArray,
    labels: Sequence[str],
    *,
    left: bool,
    fontsize: float = 6.5,
) -> None:
    """Write labels in a column beside a dense cloud, in the order of y, with lines to the points.

    The column stands where it covers no point, as near to the labelled points as possible.

    Parameters
    ----------
    x, y : (points,) floats
    labels
        One per point, as `Names` writes them. A point with an empty label is not labelled, but no
        label covers it.
    left
        Whether the column stands at the left of the points and above them, or at the right and
        below.
    """
    named = [place for place, label in enumerate(labels) if label]
    if not named:
        return
    named.sort(key=lambda place: -y[place])
    figure = figure_of(ax)
    texts = [
        ax.annotate(
            labels[place], (x[place], y[place]), (0, 0), textcoords="offset points",
            fontsize=fontsize, ha="right" if left else "left", va="center", in_layout=False,
            annotation_clip=False, zorder=4,
            arrowprops={
                "arrowstyle": "-", "color": "0.6", "linewidth": 0.5, "shrinkA": 1, "shrinkB": 2,
                "relpos": (1.0 if left else 0.0, 0.5),
            },
        )
        for place in named
    ]  # fmt: skip
    figure.draw_without_rendering()  # fixes the position of the axes
    scale = 72.0 / figure.dpi
    points = ax.transData.transform(np.column_stack([x, y])) * scale
    inside = np.asarray(ax.get_window_extent().extents) * scale
    width = max(box[2] - box[0] for box in map(_text_box, texts)) * scale
    size = width, len(texts) * LINE_HEIGHT * fontsize
    written = [text for text in ax.texts if text not in texts and text.get_text()]
    boxes = [np.asarray(_text_box(text)) * scale for text in written]
    markers = np.column_stack([points - MARKER, points + MARKER])
    corner = _column_corner(points[named], size, inside, np.vstack([markers, *boxes]), left)
    for line, (text, place) in enumerate(zip(texts, named, strict=True)):
        middle = corner - np.array([0.0, (line + 0.5) * LINE_HEIGHT * fontsize])
        text.set_position(tuple((middle - points[place]).tolist()))


def _text_box(text: Text) -> FloatArray:
    """Corners of a text, without its line, in dots."""
    from matplotlib.text import Text

    return np.asarray(Text.get_window_extent(text).extents)


def _column_corner(
    points: FloatArray,
    size: tuple[float, float],
    inside: FloatArray,
    taken: FloatArray,
    left: bool,
) -> FloatArray:
    """The upper corner of the column at the side of its points.

    It is the free one of a grid that is nearest to the points' centre; the one that covers least
    if there is no free one.
    """
    width, height = size
    centre = points.mean(axis=0)
    grid_x, grid_y = (np.arange(inside[axis], inside[axis + 2], COLUMN_STEP) for axis in (0, 1))
    corner = np.stack(np.meshgrid(grid_x, grid_y), axis=-1).reshape(-1, 2)
    low = corner - np.array([width if left else 0.0, height])
    high = corner + np.array([0.0 if left else width, 0.0])
    fits = ((low >= inside[:2]) & (high <= inside[2:])).all(axis=1)
    middle = (low + high) / 2
    beside = (middle < centre) == ([True, False] if left else [False, True])
    edge = points[:, 0].min() - LEADER if left else points[:, 0].max() + LEADER
    clear = corner[:, 0] <= edge if left else corner[:, 0] >= edge
    covered = _overlap(low, high, taken).sum(axis=1)
    cost = np.hypot(*(middle - centre).T) + FAR * (covered + ~fits * len(taken))
    cost += FAR * (~beside.all(axis=1) | ~clear)
    return corner[int(np.argmin(cost))]
