"""Decisions about pairs of systems: corrected p-values, rejections, and the ranks they leave."""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array

CORRECTIONS: dict[str, str] = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "none": "no correction",
}
"""What the corrections are called."""

MULTIPLYING = ("holm", "bonferroni")

# Below the steps of p-values, above the error of floats: 1 - 0.95 is not exactly 0.05.
DECIMALS = 12


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


def alpha_of(level: float) -> float:
    """The largest p-value that is significant at a confidence level: 1 - level."""
    return round(1.0 - level, DECIMALS)


def rejects(p_value: FloatArray | float, level: float) -> BoolArray:
    """Which adjusted p-values, of any shape, are at most 1 - level, with level in (0, 1)."""
    return np.asarray(np.round(p_value, DECIMALS) <= alpha_of(level))


def rank_intervals(better: BoolArray) -> tuple[Int64Array, Int64Array]:
    """The best and the worst rank that each system may have: low and high, (systems,) each.

    System i is significantly better than system j where ``better[i, j]``, (systems, systems). If
    the decisions are all right with a probability of at least `level`, then all intervals hold at
    once with at least this probability (Mohamad, van Zwet, Solari and Goeman 2021).
    """
    low = 1 + np.count_nonzero(better, axis=0)
    high = len(better) - np.count_nonzero(better, axis=1)
    return np.asarray(low, np.int64), np.asarray(high, np.int64)
