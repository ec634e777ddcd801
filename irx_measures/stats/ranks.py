"""Rankings of systems by their mean scores."""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray

# A difference of at most this much comes only from the order of summation.
ROUNDING = 1e-12


def rounded(means: FloatArray) -> FloatArray:
    """Means rounded to 12 decimals, so that float noise does not break ties."""
    return np.round(means, 12)


def mean_ranks(scores: FloatArray) -> FloatArray:
    """Ranks along the last axis, 1 for the highest score; tied systems share their mean rank."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-scores, axis=-1), dtype=np.float64)
