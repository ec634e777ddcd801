"""Axes, areas and widths of the report's charts; coordinates have at most one decimal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from math import ceil, floor, log10

import numpy as np

from ...common.numeric import FloatArray

MOST_TICKS = 6  # the design's 3 to 6

NAME_SIZE = 11  # pixels, as style.css has for names in charts

# The largest widths of characters in DejaVu Sans, in em. Of the fonts that style.css allows, it is
# the widest: Linux without Arial and Liberation Sans takes it for sans-serif.
NARROW, USUAL = 0.42, 0.64
CAPITAL, WIDEST = 0.84, 1.0

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
    width = sum(map(_em, name)) * NAME_SIZE
    return width * BOLD if bold else width


def _em(character: str) -> float:
    if not character.isascii():
        return 0 if unicodedata.combining(character) else WIDEST
    if character in NARROW_CHARACTERS:
        return NARROW
    if character in WIDEST_CHARACTERS:
        return WIDEST
    return CAPITAL if character.isupper() or character in CAPITAL_CHARACTERS else USUAL


def silhouette(differences: FloatArray, width: float, scale: float) -> tuple[str, str]:
    """Descending differences as two areas, above and below zero.

    `width` is the width of a difference, and `scale` the height of a difference of 1.
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
