"""The values at which the shades of cells change, in pictures and on the report's page."""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray

# Shares of unjudged documents at which each darker shade begins: the report's design.
UNJUDGED_STARTS = (0.1, 0.3, 0.5, 0.7)

# Seven shades of scores, as in the report's design, change between these quantiles of the scores:
# a system that returns hardly anything has extreme scores, and would take the shades of all others.
CHANGES = 6
CENTRAL = (0.04, 0.96)


def score_starts(scores: FloatArray) -> FloatArray:
    """Scores at which each darker shade begins, ascending, with at most 2 decimals: (6,).

    They are equally far from each other, around the central 92% of the scores. NaN scores do not
    count; if all are NaN, so is the result.
    """
    if np.isnan(scores).all():
        return np.full(CHANGES, np.nan)
    low, high = np.nanquantile(scores, CENTRAL)
    step = max(np.ceil(100 * (high - low) / CHANGES), 1.0)
    first = max(step, np.round(50 * (low + high) - step * (CHANGES - 1) / 2))
    return np.asarray((first + step * np.arange(CHANGES)) / 100)
