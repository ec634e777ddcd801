"""Scores of all systems in many worlds, and what a document's gain can change in them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...common.arrays import FloatArray, IntArray
from ...common.division import safe_divide
from ...kernels import world_scores as kernel
from ...kernels.ndcg_bounds import ideal_dcg
from ...kernels.residual_gain import survival_without_block
from ...kernels.user_models import discount_sums, truncate_ranks
from ...kernels.worlds import world_counts
from .pool import JudgingPool

# As in the study: else queries with almost no expected gain would get all the judgments.
LEAST_IDEAL = 0.5


@dataclass(frozen=True, eq=False)
class Scorer(ABC):
    """A measure of the systems of a pool.

    Attributes
    ----------
    cutoff : int
        k.
    gain : (levels,) floats
        The gain of each level.
    """

    cutoff: int
    gain: FloatArray

    @abstractmethod
    def weight(self, pool: JudgingPool) -> FloatArray:
        """What a gain of 1 adds to a system's score before normalisation: (systems, documents)."""

    @abstractmethod
    def of_queries(self, pool: JudgingPool, level: IntArray) -> Iterator[FloatArray]:
        """Scores on each query: (systems, worlds)."""

    def means(self, pool: JudgingPool, level: IntArray) -> FloatArray:
        """Mean scores over the queries of the pool: (systems, worlds).

        Parameters
        ----------
        pool
        level : (documents, worlds) ints
            The level of each document in each world.
        """
        total = np.zeros((len(pool.names), level.shape[1]))
        for scores in self.of_queries(pool, level):
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
        return np.array(
            [
                max(self.ideal_of(pool, query, gain[pool.of_query(query)]), LEAST_IDEAL)
                for query in range(len(pool.query_ids))
            ]
        )

    def ideal_of(self, pool: JudgingPool, query: int, gain: FloatArray) -> float:
        """The normalisation of one query, given the gains of its documents."""
        return 1.0

    def other_gain(self, pool: JudgingPool, query: int) -> FloatArray:
        """The gains of a query's judged documents outside the pool."""
        return self.gain[pool.other_levels[query]]


@dataclass(frozen=True, eq=False)
class GainSum(Scorer):
    """Sum of gain x weight of its rank: P and RBP.

    Attributes
    ----------
    seen_at : (cutoff + 1,) floats
        The weight of each rank; 0 for rank 0.
    """

    seen_at: FloatArray

    def weight(self, pool: JudgingPool) -> FloatArray:
        return self.seen_at[truncate_ranks(pool.rank, self.cutoff)]

    def of_queries(self, pool: JudgingPool, level: IntArray) -> Iterator[FloatArray]:
        for query in range(len(pool.query_ids)):
            of_query = pool.of_query(query)
            top = kernel.top_documents(pool.rank[:, of_query], self.cutoff)
            yield kernel.weighted_gains(top, self.seen_at[1:], self.gain[level[of_query]])


class NDCG(GainSum):
    """Discounted gain over that of the ideal ranking of the query's documents."""

    def of_queries(self, pool: JudgingPool, level: IntArray) -> Iterator[FloatArray]:
        discounts, levels = discount_sums(self.cutoff), len(self.gain)
        for query, dcg in enumerate(super().of_queries(pool, level)):
            counts = world_counts(level[pool.of_query(query)], levels)
            counts += np.bincount(pool.other_levels[query], minlength=levels)
            yield safe_divide(dcg, ideal_dcg(counts, self.gain, discounts))

    def ideal_of(self, pool: JudgingPool, query: int, gain: FloatArray) -> float:
        every = np.concatenate((gain, self.other_gain(pool, query)))
        best = np.sort(every)[::-1][: self.cutoff]
        return float(best @ self.seen_at[1 : len(best) + 1])


class ReciprocalRank(GainSum):
    """1 / rank of the first relevant document.

    It is not a sum over documents. The weight 1 / rank is what a document adds if no other document
    in the top k is relevant. Ties rank as in trec_eval; ir_measures' RR@k ranks them by ascending
    id.
    """

    def of_queries(self, pool: JudgingPool, level: IntArray) -> Iterator[FloatArray]:
        for query in range(len(pool.query_ids)):
            of_query = pool.of_query(query)
            top = kernel.top_documents(pool.rank[:, of_query], self.cutoff)
            yield kernel.reciprocal_rank(top, self.gain[level[of_query]] > 0)


class AveragePrecision(GainSum):
    """Mean of the precisions at relevant documents.

    It is not a sum over documents. The weight of rank r is the sum of 1 / i over the ranks i from r
    to k. So the weighted sum of the relevant documents is the sum of the precisions at all ranks.
    """

    def of_queries(self, pool: JudgingPool, level: IntArray) -> Iterator[FloatArray]:
        for query in range(len(pool.query_ids)):
            of_query = pool.of_query(query)
            top = kernel.top_documents(pool.rank[:, of_query], self.cutoff)
            outside = int(np.count_nonzero(self.other_gain(pool, query)))
            yield kernel.average_precision(top, self.gain[level[of_query]] > 0, outside)

    def ideal_of(self, pool: JudgingPool, query: int, gain: FloatArray) -> float:
        """The expected number of relevant documents."""
        return float(gain.sum() + self.other_gain(pool, query).sum())


class ResidualGain(GainSum):
    """NRG of nDCG, each system against all others: which system adds most.

    The weight of a document is the probability that a user of the system sees it, and that no user
    of another system does.
    """

    def weight(self, pool: JudgingPool) -> FloatArray:
        return super().weight(pool) * self._unseen(pool)[:-1]

    def of_queries(self, pool: JudgingPool, level: IntArray) -> Iterator[FloatArray]:
        unseen = self._unseen(pool)
        weight = super().weight(pool) * unseen[:-1]
        for query in range(len(pool.query_ids)):
            of_query = pool.of_query(query)
            gain = self.gain[level[of_query]]
            ideal = self._ideals(pool, query, unseen[:, of_query], gain)
            yield safe_divide(weight[:, of_query] @ gain, ideal)

    def expected_ideal(self, pool: JudgingPool, gain: FloatArray) -> FloatArray:
        """The mean over systems of their normalisations, at least .5."""
        unseen = self._unseen(pool)
        every = (pool.of_query(query) for query in range(len(pool.query_ids)))
        means = [
            self._ideals(pool, query, unseen[:, rows], gain[rows, np.newaxis]).mean()
            for query, rows in enumerate(every)
        ]
        return np.maximum(means, LEAST_IDEAL)

    def _unseen(self, pool: JudgingPool) -> FloatArray:
        """By no other system, and in the last row by no system: (systems + 1, documents)."""
        rank = truncate_ranks(pool.rank, self.cutoff)[:, np.newaxis]
        systems = len(rank)
        return survival_without_block(rank, self.seen_at, np.arange(systems), systems)[:, 0]

    def _ideals(
        self, pool: JudgingPool, query: int, unseen: FloatArray, gain: FloatArray
    ) -> FloatArray:
        """The ideal of each system in each world: (systems, worlds)."""
        top = kernel.top_documents(pool.rank[:, pool.of_query(query)], self.cutoff)
        best = np.sort(self.other_gain(pool, query))[::-1][: self.cutoff]
        return kernel.residual_ideals(unseen[:-1], unseen[-1], top, gain, best)
