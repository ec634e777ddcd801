"""Orders of systems: ranks, similar ones side by side, and those that no other one beats."""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from .pairs import Pairs, join_ties


def mean_ranks(scores: FloatArray) -> FloatArray:
    """Ranks along the last axis, 1 for the highest score; tied systems share their mean rank."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-scores, axis=-1), dtype=np.float64)


def pareto_optimal(cost: FloatArray, score: FloatArray) -> BoolArray:
    """The points on the Pareto front: (points,).

    No other point is at most as costly and at least as good, and also better in cost or score.
    Points with equal cost and equal score are either all optimal or none of them is.
    """
    # Of points with equal cost, the best comes first and hides the others.
    points, which = np.unique(np.column_stack((cost, -score)), axis=0, return_inverse=True)
    distinct_score = -points[:, 1]
    best_before = np.maximum.accumulate(np.concatenate(([-np.inf], distinct_score[:-1])))
    return np.asarray((distinct_score > best_before)[which.ravel()])


def order_by_similarity(distance: FloatArray, value: FloatArray) -> Int64Array:
    """Positions of the systems such that systems at small distances are neighbours: (systems,).

    The distance of two systems is the mean of both directions in `distance`, (systems, systems),
    whose diagonal does not count. The order is that of the leaves of average linkage, with optimal
    leaf ordering. It starts at the end whose half of the systems has the higher mean `value`,
    (systems,). Fewer than three systems are ordered by falling value.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage

    if len(value) < 3:  # nothing to cluster
        return np.argsort(-value, kind="stable")
    pairs = Pairs.of(len(value))
    apart = join_ties(((distance + distance.T) / 2)[pairs.first, pairs.second])
    leaves = np.asarray(leaves_list(linkage(apart, "average", optimal_ordering=True)), np.int64)
    half = len(leaves) // 2
    forwards = value[leaves[:half]].mean() >= value[leaves[-half:]].mean()
    return leaves if forwards else leaves[::-1]
