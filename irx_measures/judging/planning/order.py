"""The order of documents: first those whose grade can change the answer most."""

from __future__ import annotations

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from .pool import JudgingPool
from .scorers import Scorer


def priorities(
    pool: JudgingPool, level: Int64Array, probability: FloatArray, scorer: Scorer
) -> FloatArray:
    """The variance of each document's gain x what the gain can change, 0 for judged ones.

    What it can change is the variance of its weight over the systems, over the square of the
    query's expected ideal. Of two systems, this is in proportion to the squared difference.

    Returns
    -------
    (documents,) floats
    """
    expected = probability @ scorer.gain
    variance = probability @ scorer.gain**2 - expected**2
    judged = level >= 0
    gain = np.where(judged, scorer.gain[level.clip(0)], expected)
    ideal = scorer.expected_ideal(pool, gain)[pool.doc_query]
    change = scorer.weight(pool).var(axis=0) / ideal**2
    priority: FloatArray = np.where(judged, 0.0, variance * change)
    return priority
