"""Intervals of the ranks of systems, from decisions about their pairs."""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, Int64Array


def rank_intervals(better: BoolArray) -> tuple[Int64Array, Int64Array]:
    """The best and the worst rank that each system may have: low and high, (systems,) each.

    If the decisions are all right with a probability of at least `level`, then all intervals hold
    at once with at least this probability (Mohamad, van Zwet, Solari and Goeman 2021).

    Parameters
    ----------
    better : (systems, systems)
        ``better[i, j]``: system i is significantly better than system j.
    """
    low = 1 + np.count_nonzero(better, axis=0)
    high = len(better) - np.count_nonzero(better, axis=1)
    return np.asarray(low, np.int64), np.asarray(high, np.int64)
