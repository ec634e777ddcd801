"""A strip of characters per system: the mean and its interval on one axis."""

from __future__ import annotations

from math import ceil, floor, log10

from ..comparison.axis import ends
from ..comparison.leaderboard import Leaderboard
from .screen import Signs

MOST_TICKS = 6


class Axis:
    """Positions of scores on a strip.

    Parameters
    ----------
    low, high
        The ends of the axis.
    width
        Number of characters.
    """

    def __init__(self, low: float, high: float, width: int) -> None:
        margin = 0.02 * (high - low) or 0.5
        self.low, self.high, self.width = low - margin, high + margin, width

    @classmethod
    def of(cls, board: Leaderboard, width: int) -> Axis:
        """The axis of a leaderboard, without its outliers."""
        low, high = ends(board.lower, board.upper)
        return cls(low, high, width)

    def position(self, score: float) -> int:
        """The character of a score; below 0 or at least `width` if it is off the axis."""
        return round((score - self.low) / (self.high - self.low) * (self.width - 1))

    def holds(self, score: float) -> bool:
        return 0 <= self.position(score) < self.width

    @property
    def heads(self) -> str:
        """The labels of the ticks."""
        line, end = [" "] * self.width, -1
        for tick in self.ticks:
            label = _tick_text(tick)
            start = self.position(tick) - len(label) // 2
            if start > end and start + len(label) <= self.width:
                line[start : start + len(label)] = label
                end = start + len(label)
        return "".join(line)

    @property
    def ticks(self) -> list[float]:
        """At most 6 round numbers."""
        power = 10.0 ** floor(log10((self.high - self.low) / MOST_TICKS))
        steps = (step * power for step in (1, 2, 5, 10, 20))
        step = next(s for s in steps if (self.high - self.low) / s <= MOST_TICKS)
        first, last = ceil(self.low / step), floor(self.high / step)
        return [round(number * step, 12) for number in range(first, last + 1)]


def strips(board: Leaderboard, axis: Axis, marked: float | None, signs: Signs) -> list[str]:
    """A strip per system.

    Parameters
    ----------
    marked
        The score that all strips mark, such as the mean of a baseline.
    """
    rows = zip(
        board.mean.tolist(),
        board.lower.tolist(),
        board.upper.tolist(),
        board.best.tolist(),
        strict=True,
    )
    return [
        _strip(axis, mean, lower, upper, signs.best if best else signs.beaten, marked, signs)
        for mean, lower, upper, best in rows
    ]


def _strip(
    axis: Axis,
    mean: float,
    lower: float,
    upper: float,
    dot: str,
    marked: float | None,
    signs: Signs,
) -> str:
    cells = [" "] * axis.width
    if marked is not None and axis.holds(marked):
        cells[axis.position(marked)] = signs.baseline
    if not axis.holds(mean):
        left = mean < axis.low
        cells[0 if left else -1] = signs.off_left if left else signs.off_right
        return "".join(cells)
    start, stop = max(axis.position(lower), 0), min(axis.position(upper), axis.width - 1)
    cells[start : stop + 1] = signs.line * (stop + 1 - start)
    cells[axis.position(mean)] = dot
    return "".join(cells)


def _tick_text(tick: float) -> str:
    return f"{tick:g}".replace("0.", ".", 1) if abs(tick) < 1 else f"{tick:g}"
