"""An order of systems in which similar systems are neighbours."""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from .pairs import Pairs
from .ranks import rounded


def order_by_similarity(distance: FloatArray, value: FloatArray) -> Int64Array:
    """Positions of the systems such that systems at small distances are neighbours: (systems,).

    The order is that of the leaves of average linkage, with optimal leaf ordering. It starts at the
    end whose half of the systems has the higher mean value. Fewer than three systems are ordered by
    falling value.

    Parameters
    ----------
    distance : (systems, systems) floats
        The distance of two systems is the mean of both directions. The diagonal does not count.
    value : (systems,) floats
    """
    from scipy.cluster.hierarchy import leaves_list, linkage

    if len(value) < 3:  # nothing to cluster
        return np.argsort(-value, kind="stable")
    pairs = Pairs.of(len(value))
    # Rounded, so that float noise does not decide between equal distances.
    apart = rounded(((distance + distance.T) / 2)[pairs.first, pairs.second])
    leaves = np.asarray(leaves_list(linkage(apart, "average", optimal_ordering=True)), np.int64)
    half = len(leaves) // 2
    forwards = value[leaves[:half]].mean() >= value[leaves[-half:]].mean()
    return leaves if forwards else leaves[::-1]
