"""How much of a run's top k is judged, and with which grades."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray
from .pooled_runs import UNJUDGED, PooledRuns


class OwnJudgments(NamedTuple):
    """Counts over the documents in each run's top k: (runs, queries).

    Attributes
    ----------
    returned, judged, relevant
        Number of documents; relevant ones have a positive grade.
    level_sum
        Sum of the levels of the judged documents.
    """

    returned: FloatArray
    judged: FloatArray
    relevant: FloatArray
    level_sum: FloatArray

    @classmethod
    def of(cls, pooled: PooledRuns, cutoff: int) -> OwnJudgments:
        top = pooled.rank <= cutoff
        shape = len(pooled.names), len(pooled.query_ids)
        cell = pooled.run[top] * shape[1] + pooled.query[top]
        level = pooled.level[pooled.doc[top]]
        counts = (
            np.bincount(cell, weights, shape[0] * shape[1]).reshape(shape)
            for weights in (None, level != UNJUDGED, level > 0, np.maximum(level, 0))
        )
        return cls(*(count.astype(np.float64) for count in counts))
