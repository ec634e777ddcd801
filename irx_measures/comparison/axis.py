"""The axis of intervals of scores."""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray

SMALLEST_GAIN = 0.3  # share of the axis that leaving out a system must free

SHARE_LEFT_OUT = 20  # at most one of so many systems is off the axis


def ends(lower: FloatArray, upper: FloatArray) -> tuple[float, float]:
    """The ends of an axis for intervals.

    Up to 5% of the intervals, and at least one of five, are left out, if the axis becomes shorter
    by 30% for each.
    """
    kept = np.ones(len(lower), bool)
    most = max(1, len(lower) // SHARE_LEFT_OUT) if len(lower) >= 5 else 0
    for _ in range(most):
        length = upper[kept].max() - lower[kept].min()
        outer = [np.where(kept, lower, np.inf).argmin(), np.where(kept, upper, -np.inf).argmax()]
        lengths = []
        for position in outer:
            rest = kept.copy()
            rest[position] = False
            lengths.append(upper[rest].max() - lower[rest].min())
        if not min(lengths) <= (1.0 - SMALLEST_GAIN) * length:
            break
        kept[outer[int(np.argmin(lengths))]] = False
    return float(lower[kept].min()), float(upper[kept].max())
