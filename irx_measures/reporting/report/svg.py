"""Axes, paths and widths of the report's charts; coordinates have at most one decimal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from math import ceil, floor, log10

import numpy as np

from ...common.numeric import FloatArray, IntArray

NO_CELL = -1  # classes of cells count from 0

MOST_TICKS = 6  # the design's 3 to 6

NAME_SIZE = 11  # pixels, as style.css has for names in charts

# The largest widths of characters in DejaVu Sans, in em. Of the fonts that style.css allows, it is
# the widest: Linux without Arial and Liberation Sans takes it for sans-serif.
NARROW, USUAL, CAPITAL, WIDEST = 0.42, 0.64, 0.84, 1.0

NARROW_CHARACTERS = " !'(),-./:;IJ[\\]fijlrt|"
WIDEST_CHARACTERS = "%@MWm"
CAPITAL_CHARACTERS = "#&+<=>w~"

BOLD = 1.21  # the most that a character of DejaVu Sans Bold is wider


class Axis:
    """An axis that leaves some space beyond the lowest and the highest score."""

    def __init__(self, low: float, high: float) -> None:
        margin = 0.02 * (high - low) or 0.5
        self.low, self.high = low - margin, high + margin

    @property
    def ticks(self) -> list[float]:
        """At most 6 round numbers."""
        power = 10.0 ** floor(log10((self.high - self.low) / MOST_TICKS))
        steps = (step * power for step in (1, 2, 5, 10, 20))
        step = next(s for s in steps if (self.high - self.low) / s <= MOST_TICKS)
        first, last = ceil(self.low / step), floor(self.high / step)
        return [round(number * step, 12) for number in range(first, last + 1)]

    def share(self, score: float) -> float:
        """How far from the low end to the high one a score is: 0 to 1."""
        return (score - self.low) / (self.high - self.low)

    def percent(self, score: float) -> str:
        """The position of a score, from the low end."""
        return f"{short(100 * self.share(score))}%"


def short(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def name_width(name: str, bold: bool = False) -> float:
    """The width of a name in pixels, rather too large than too small: an SVG does not wrap text."""
    return sum(map(_em, name)) * NAME_SIZE * (BOLD if bold else 1)


def _em(character: str) -> float:
    if not character.isascii():
        return 0 if unicodedata.combining(character) else WIDEST
    if character in NARROW_CHARACTERS:
        return NARROW
    if character in WIDEST_CHARACTERS:
        return WIDEST
    return CAPITAL if character.isupper() or character in CAPITAL_CHARACTERS else USUAL


def cell_size(systems: int) -> int:
    """The width of a cell in pixels."""
    if systems <= 45:
        return 16
    return 10 if systems <= 70 else 6


def named_places(systems: Sequence[str], cell: int, baseline: str | None) -> list[int]:
    """Positions of the names for which there is room; the baseline is among them."""
    step = ceil(10 / cell)
    always = [place for place, name in enumerate(systems) if name == baseline]
    free = range(0, len(systems), step)
    return sorted({*always, *(n for n in free if all(abs(n - one) >= step for one in always))})


def classes_of(values: FloatArray, limits: Sequence[float] | FloatArray) -> IntArray:
    """The class of each value by ascending limits, from 0; `NO_CELL` if it is undefined."""
    return np.where(np.isnan(values), NO_CELL, np.searchsorted(limits, values, side="right"))


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


def silhouette(differences: FloatArray, width: float, scale: float) -> tuple[str, str]:
    """Sorted differences as two areas, above and below zero.

    Parameters
    ----------
    differences
        Descending.
    width
        The width of a difference.
    scale
        The height of a difference of 1.
    """
    negative = int(np.count_nonzero(differences < 0))
    heights = [short(-value * scale) for value in differences.tolist()]
    above = heights[: int(np.count_nonzero(differences > 0))]
    start = len(differences) - negative
    return _area(0.0, above, width), _area(start * width, heights[start:], width)


def _area(start: float, heights: Sequence[str], width: float) -> str:
    if not heights:
        return ""
    step = short(width)
    return f"M{short(start)} 0" + "".join(f"V{height}h{step}" for height in heights) + "V0z"
