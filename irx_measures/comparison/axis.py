"""The axis of intervals of scores."""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, FloatArray

# A run that hardly returns anything takes half of the axis of all others. One of TREC DL 2019 does;
# no system of TREC-8 does. The report's design chose both numbers on these two collections.
SMALLEST_GAIN = 0.3  # share of the axis that leaving out a system must free

SHARE_LEFT_OUT = 20  # at most one of so many systems is off the axis: 5%

FEWEST = 5  # of fewer systems, all are on the axis: each is a large part of the picture


def shown_on_axis(
    lower: FloatArray, upper: FloatArray, kept: BoolArray, rising: bool = True
) -> BoolArray:
    """Which intervals are on the axis: up to 5% of them, at the low end, are left out.

    At least one of five may be left out. Each must shorten the axis by 30%. Those in `kept` stay:
    the best system, baselines, Pareto points. If lower scores are better (`rising` is false), none
    is left out: the best systems are at the low end.
    """
    shown = np.ones(len(lower), bool)
    most = max(1, len(lower) // SHARE_LEFT_OUT) if len(lower) >= FEWEST and rising else 0
    for _ in range(most):
        low, high = ends(lower, upper, shown)
        lowest = int(np.where(shown, lower, np.inf).argmin())
        rest = shown.copy()
        rest[lowest] = False
        without, _ = ends(lower, upper, rest)
        if kept[lowest] or not high - without <= (1.0 - SMALLEST_GAIN) * (high - low):
            break
        shown = rest
    return shown


def ends(lower: FloatArray, upper: FloatArray, shown: BoolArray) -> tuple[float, float]:
    """The ends of an axis that holds the intervals that are shown."""
    return float(lower[shown].min()), float(upper[shown].max())
