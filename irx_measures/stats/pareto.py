"""Which points no other point beats."""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, FloatArray


def pareto_optimal(cost: FloatArray, score: FloatArray) -> BoolArray:
    """The points on the Pareto front: (points,).

    No other point is at most as costly and at least as good, and also better in cost or score.
    Points with equal cost and equal score are either all optimal or none of them is.
    """
    # Of points with equal cost, the best comes first and hides the others.
    order = np.lexsort((-score, cost))
    best_before = np.maximum.accumulate(np.concatenate(([-np.inf], score[order][:-1])))
    optimal = np.zeros(len(cost), bool)
    optimal[order] = score[order] > best_before
    same = set(zip(cost[optimal], score[optimal], strict=True))
    twins = [point in same for point in zip(cost, score, strict=True)]
    return optimal | np.array(twins, bool)
