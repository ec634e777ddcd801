"""Division by a denominator that may be 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray


def safe_divide(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole``, or 0 if the whole is not above 0. The arrays are broadcast."""
    quotient = np.zeros(np.broadcast(part, whole).shape)
    return np.divide(part, whole, out=quotient, where=np.greater(whole, 0))


def ratio_or_nan(part: ArrayLike, whole: ArrayLike) -> FloatArray:
    """``part / whole``, or NaN if the whole is not above 0, where the ratio is undefined."""
    return np.where(np.greater(whole, 0), safe_divide(part, whole), np.nan)
