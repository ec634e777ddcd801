"""The axis of a chart: its ends and its ticks."""

from __future__ import annotations

from math import ceil, floor, log10

MOST_TICKS = 6  # the design's 3 to 6


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
