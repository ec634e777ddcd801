"""Scores of all systems in many worlds, and what a document's gain can change in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...common.numeric import BoolArray, FloatArray, IntArray, safe_divide
from ...kernels import world_scores as kernel
from ...kernels.ndcg_bounds import ideal_dcg
from ...kernels.user_models import discount_sums, truncate_ranks
from ...kernels.worlds import world_counts
from .pool import JudgingPool

# As in the study: else queries with almost no expected gain would get all the judgments.
LEAST_IDEAL = 0.5


@dataclass(frozen=True, eq=False)
class Scorer:
    """A measure of the systems of a pool: the sum of gain x weight of its rank.

    Attributes
    ----------
    name : str
        The measure.
    cutoff : int
        k.
    gain : (levels,) floats
        The gain of each level.
    seen_at : (cutoff + 1,) floats
        The weight of each rank; 0 for rank 0.
    normalised : bool
        Whether a score is divided by that of the ideal ranking of the query's documents, as in
        nDCG. If not, the measure is linear in the gains.
    """

    name: str
    cutoff: int
    gain: FloatArray
    seen_at: FloatArray
    normalised: bool = False

    def weight(self, pool: JudgingPool) -> FloatArray:
        """What a gain of 1 adds to a system's score before normalisation: (systems, documents)."""
        return self.seen_at[truncate_ranks(pool.rank, self.cutoff)]

    def can_change(self, pool: JudgingPool) -> BoolArray:
        """Whether a document's gain can change how the systems compare: (documents,).

        It can if the systems have it at ranks of different weights. It also changes the ideal of
        its query, which matters if the systems differ there.
        """
        differs: BoolArray = np.ptp(self.weight(pool), axis=0) > 0
        if not self.normalised:
            return differs
        return np.isin(pool.doc_query, pool.doc_query[differs])

    def means(self, pool: JudgingPool, level: IntArray) -> FloatArray:
        """Mean scores over the queries of the pool: (systems, worlds).

        Parameters
        ----------
        pool
        level : (documents, worlds) ints
            The level of each document in each world.
        """
        total = np.zeros((len(pool.names), level.shape[1]))
        for scores in self._of_queries(pool, level):
            total += scores
        return total / max(len(pool.query_ids), 1)

    def expected_ideal(self, pool: JudgingPool, gain: FloatArray) -> FloatArray:
        """The normalisation of each query that is expected, at least .5: (queries,).

        Parameters
        ----------
        pool
        gain : (documents,) floats
            The expected gain of each document.
        """
        ideal = np.ones(len(pool.query_ids))
        for query in range(len(ideal)) if self.normalised else ():
            every = np.concatenate((gain[pool.of_query(query)], self._other_gain(pool, query)))
            best = np.sort(every)[::-1][: self.cutoff]
            ideal[query] = max(float(best @ self.seen_at[1 : len(best) + 1]), LEAST_IDEAL)
        return ideal

    def _of_queries(self, pool: JudgingPool, level: IntArray) -> Iterator[FloatArray]:
        """Scores on each query: (systems, worlds)."""
        discounts, levels = discount_sums(self.cutoff), len(self.gain)
        for query in range(len(pool.query_ids)):
            of_query = pool.of_query(query)
            top = kernel.top_documents(pool.rank[:, of_query], self.cutoff)
            score = kernel.weighted_gains(top, self.seen_at[1:], self.gain[level[of_query]])
            if self.normalised:
                counts = world_counts(level[of_query], levels)
                counts += np.bincount(pool.other_levels[query], minlength=levels)
                score = safe_divide(score, ideal_dcg(counts, self.gain, discounts))
            yield score

    def _other_gain(self, pool: JudgingPool, query: int) -> FloatArray:
        """The gains of a query's judged documents outside the pool."""
        return self.gain[pool.other_levels[query]]
