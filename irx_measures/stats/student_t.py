"""Student's t distribution, without `scipy.stats`, which takes half a second to import."""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray


def t_sf(statistic: FloatArray, freedom: float) -> FloatArray:
    """The probability of a larger t."""
    from scipy.special import stdtr

    return np.asarray(stdtr(freedom, -statistic), dtype=np.float64)


def t_isf(probability: float, freedom: float | FloatArray) -> FloatArray:
    """The t that is exceeded with this probability."""
    from scipy.special import stdtrit

    return np.asarray(-stdtrit(freedom, probability), dtype=np.float64)
