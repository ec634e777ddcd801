"""When a hypothesis is rejected: the one rule for p-values and confidence levels."""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, FloatArray

# Below the steps of p-values, above the error of floats: 1 - 0.95 is not exactly 0.05.
DECIMALS = 12


def alpha_of(level: float) -> float:
    """The largest p-value that is significant at a confidence level: 1 - level."""
    return round(1.0 - level, DECIMALS)


def rejects(p_value: FloatArray | float, level: float) -> BoolArray:
    """Which hypotheses are rejected at a confidence level: those with p <= 1 - level.

    Parameters
    ----------
    p_value
        Adjusted p-values, of any shape.
    level
        Confidence level, in (0, 1).
    """
    return np.asarray(np.round(p_value, DECIMALS) <= alpha_of(level))
