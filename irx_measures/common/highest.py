"""Which values are the best: the one rule for what tables show bold."""

from __future__ import annotations

import numpy as np

from .numeric import BoolArray, FloatArray

DECIMALS = 12  # sums of the same scores in another order differ beyond them


def highest(values: FloatArray) -> BoolArray:
    """Where the highest value of each column is; undefined values are never the highest."""
    rounded = values.round(DECIMALS)
    return np.asarray(rounded == np.fmax.reduce(rounded, axis=0))
