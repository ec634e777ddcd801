"""Corrections of p-values for the number of hypotheses."""

from __future__ import annotations

from typing import get_args

import numpy as np

from ..common.numeric import FloatArray
from ..typing import PairCorrection

CORRECTIONS: tuple[str, ...] = get_args(PairCorrection)


def corrected(p_value: FloatArray, correction: str) -> FloatArray:
    """p-values adjusted by ``holm``, ``bonferroni``, ``bh`` or ``none``: (hypotheses,), in [0, 1].

    ``bh`` (Benjamini and Hochberg 1995) bounds the expected share of wrong rejections among all
    rejections; the others bound the probability of any wrong one.
    """
    if correction == "none":
        return p_value
    if correction == "bh":
        from scipy.stats import false_discovery_control  # slow to import

        return np.asarray(false_discovery_control(p_value))
    if correction == "bonferroni":
        return np.minimum(p_value * len(p_value), 1.0)
    order = np.argsort(p_value)
    adjusted = np.empty_like(p_value)
    tested = np.arange(len(p_value), 0, -1)
    adjusted[order] = np.maximum.accumulate(p_value[order] * tested)
    return np.minimum(adjusted, 1.0)
