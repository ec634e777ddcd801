"""A strip of characters per system: the mean and its interval on one axis."""

from __future__ import annotations

from math import ceil, floor, log10

from ..common.screen import Signs
from ..comparison.leaderboard import Leaderboard

MOST_TICKS = 6  # the design's 3 to 6


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

    def position(self, score: float) -> int:
        """The character of a score."""
        return round((score - self.low) / (self.high - self.low) * (self.width - 1))

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


def strips(board: Leaderboard, axis: Axis, signs: Signs) -> list[str]:
    """A strip per system; all of them mark the mean of the reference."""
    marked = axis.position(float(board.mean[board.reference.place]))
    rows = zip(
        board.mean.tolist(),
        board.lower.tolist(),
        board.upper.tolist(),
        board.best.tolist(),
        board.on_axis.tolist(),
        strict=True,
    )
    drawn = []
    for mean, lower, upper, best, on_axis in rows:
        cells = [" "] * axis.width
        cells[marked] = signs.baseline
        if on_axis:
            start, stop = axis.position(lower), axis.position(upper)
            cells[start : stop + 1] = signs.line * (stop + 1 - start)
            cells[axis.position(mean)] = signs.best if best else signs.beaten
        else:  # what is off the axis is at its low end
            cells[0] = signs.off_left
        drawn.append("".join(cells))
    return drawn


def _tick_text(tick: float) -> str:
    return f"{tick:g}".replace("0.", ".", 1) if abs(tick) < 1 else f"{tick:g}"
