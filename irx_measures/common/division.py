"""Division where the denominator may be 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray


def safe_divide(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole``, 0 where the whole is not above 0; the arrays are broadcast."""
    quotient = np.zeros(np.broadcast(part, whole).shape)
    return np.divide(part, whole, out=quotient, where=np.greater(whole, 0))


def share(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole``, NaN where the whole is not above 0: a share of nothing is undefined."""
    return np.where(np.greater(whole, 0), safe_divide(part, whole), np.nan)
