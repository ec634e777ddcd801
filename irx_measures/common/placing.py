"""Names beside the points of a chart: each is nearest to its own point, and covers nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .numeric import BoolArray, FloatArray

# The middles of the boxes around a point, the best first: multiples of the name's width and of the
# reach to the right, and of the name's height and of the reach upwards.
AROUND = np.array([
    (0.5, 1, 0, 0), (-0.5, -1, 0, 0), (0, 0, 0.5, 1), (0, 0, -0.5, -1),
    (0.5, 0.7, 0.5, 0.7), (0.5, 0.7, -0.5, -0.7), (-0.5, -0.7, 0.5, 0.7), (-0.5, -0.7, -0.5, -0.7),
    (0.25, 0, 0.5, 1), (-0.25, 0, 0.5, 1), (0.25, 0, -0.5, -1), (-0.25, 0, -0.5, -1),
])  # fmt: skip

CLEARLY = 1.05  # a choice: a name is nearer to its own point than to others by this factor

RINGS = 1, 2  # of reaches: first the boxes beside the point, then those a little further away


def place_names(
    points: FloatArray,
    sizes: Mapping[int, tuple[float, float]],
    radius: float,
    reach: float,
    frame: tuple[float, float, float, float],
    steps: FloatArray | None = None,
) -> dict[int, FloatArray]:
    """The boxes of names beside their points, by position: each (left, low, right, high).

    `points` are the middles of markers of this `radius`, (points, 2). `sizes` are width and height
    of the names, the most important first, by the positions of their points. A name stands a
    `reach` from the middle of its point, or two. Its box lies in the `frame`, covers no marker, no
    name and no line between the corners `steps`, (corners, 2), which goes only across and up; and
    its own point is clearly nearer than others, but for those at the same place. A name without
    such a box is left out.
    """
    covered = np.hstack([points - radius, points + radius])
    if steps is not None:
        ends = np.stack([steps[:-1], steps[1:]])
        covered = np.vstack([covered, np.hstack([ends.min(axis=0), ends.max(axis=0)])])
    places: dict[int, FloatArray] = {}
    for point, size in sizes.items():
        boxes = _boxes_around(points[point], np.array(size), reach)
        inside = (boxes[:, :2] >= frame[:2]) & (boxes[:, 2:] <= frame[2:])
        own = _distances(boxes, points[[point]])[:, 0]
        others = points[(points != points[point]).any(axis=1)]
        is_nearest = CLEARLY * own <= _distances(boxes, others).min(axis=1, initial=np.inf)
        free = inside.all(axis=1) & is_nearest & ~_overlap(boxes, covered).any(axis=1)
        if free.any():
            places[point] = boxes[free.argmax()]
            covered = np.vstack([covered, places[point]])
    return places


def _boxes_around(point: FloatArray, size: FloatArray, reach: float) -> FloatArray:
    """All boxes of a name of this size beside its point: (boxes, 4)."""
    of_size, of_reach = AROUND[:, ::2], AROUND[:, 1::2]
    middles = np.vstack([point + of_size * size + ring * reach * of_reach for ring in RINGS])
    return np.hstack([middles - size / 2, middles + size / 2])


def _distances(boxes: FloatArray, points: FloatArray) -> FloatArray:
    """How far each point is from each box, 0 inside it: (boxes, points)."""
    below, above = boxes[:, np.newaxis, :2] - points, points - boxes[:, np.newaxis, 2:]
    beside = np.maximum(np.maximum(below, above), 0.0)
    return np.asarray(np.hypot(beside[..., 0], beside[..., 1]))


def _overlap(boxes: FloatArray, others: FloatArray) -> BoolArray:
    """Which boxes cover a part of which others: (boxes, others)."""
    one = boxes[:, np.newaxis]
    covers = (one[..., :2] < others[:, 2:]) & (others[:, :2] < one[..., 2:])
    return np.asarray(covers.all(axis=-1))
