"""Paths and positions of the report's charts; every number has at most one decimal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...common.numeric import FloatArray, IntArray
from .axis import Axis

NO_CELL = -1  # classes of cells count from 0


def classes_of(values: FloatArray, limits: Sequence[float] | FloatArray) -> IntArray:
    """The class of each value by ascending limits, from 0; `NO_CELL` if it is undefined."""
    return np.where(np.isnan(values), NO_CELL, np.searchsorted(limits, values, side="right"))


def short(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def axis_percent(axis: Axis, score: float) -> str:
    """The position of a score on an axis, in percent."""
    return short(100 * (score - axis.low) / (axis.high - axis.low)) + "%"


def cell_paths(classes: IntArray, cell: int, height: int | None = None) -> dict[int, str]:
    """A heat map as one path per class.

    A row of equal neighbours is one sub-path, whose dashes are the cells: the template sets
    ``stroke-dasharray`` to ``cell-1 1``. Dashes start anew in each sub-path.

    Parameters
    ----------
    classes : (rows, columns) ints
        `NO_CELL` where there is no cell.
    cell
        The width of a cell.
    height
        The height of a row; None: the width.
    """
    paths: dict[int, list[str]] = {}
    for place, row in enumerate(classes):
        middle = short((place + 0.5) * (height or cell))
        starts = np.flatnonzero(np.diff(row, prepend=NO_CELL - 1))
        lengths = np.diff(np.append(starts, len(row)))
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            if row[start] != NO_CELL:
                line = f"M{start * cell} {middle}h{length * cell - 1}"
                paths.setdefault(int(row[start]), []).append(line)
    return {number: "".join(paths[number]) for number in sorted(paths)}


def silhouette(differences: FloatArray, width: float, up: float, down: float) -> tuple[str, str]:
    """Sorted differences as two areas, above and below zero.

    Parameters
    ----------
    differences
        Descending.
    width
        The width of a difference.
    up, down
        The lengths above and below zero for a difference of 1.
    """
    step = short(width)
    positive = differences[differences > 0]
    negative = differences[differences < 0]
    start = short(width * (len(differences) - len(negative)))
    return (
        _area("0", [-value * up for value in positive.tolist()], step),
        _area(start, [-value * down for value in negative.tolist()], step),
    )


def _area(start: str, heights: Sequence[float], step: str) -> str:
    if not heights:
        return ""
    return f"M{start} 0" + "".join(f"V{short(height)}h{step}" for height in heights) + "V0z"
