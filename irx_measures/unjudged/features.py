"""Features of returned documents: which runs return them, and how other documents were judged.

All features are computed from the judgments at hand, so they can be computed again as if a group of
runs had not been pooled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, Int64Array, safe_divide, slices
from .pooled_runs import OwnJudgments, PooledRuns
from .transferred import level_probabilities, pool_counts

# The numbers of this file were chosen among about twenty variants on seven TREC collections. They
# are round, because variants that differ by 3% could not be distinguished.
FUSION_OFFSET = 10  # reciprocal-rank fusion adds 1 / (10 + rank)

BANDWIDTH = 0.25  # of the kernel mean, in log1p of the fusion score

NEIGHBOURS = 3.0  # pseudo-documents at the query's mean, in the kernel mean

PSEUDO_DOCUMENTS = 5.0  # at the mean of all runs, in a run's mean grade

FEATURES = (
    "log rank",
    "log other systems",
    "fusion score of other systems",
    "mean grade of the query",
    "share of high grades of the query",
    "mean grade of the top of the run",
    "judged share of the top of the run",
    "mean grade of the run",
    "judged share of the run",
    "mean grade at the same fusion score",
)

JUDGED_SHARE = FEATURES.index("judged share of the run")


class Fusion(NamedTuple):
    """How many runs return each document, and their reciprocal-rank fusion: (documents,)."""

    finders: FloatArray
    score: FloatArray

    @classmethod
    def of(cls, pooled: PooledRuns, entries: slice) -> Fusion:
        """Count some of the entries."""
        doc, rank = pooled.doc[entries], pooled.rank[entries]
        documents = len(pooled.grade)
        finders = np.bincount(doc, minlength=documents).astype(np.float64)
        score = np.bincount(doc, 1.0 / (FUSION_OFFSET + rank), documents)
        return cls(finders, score.astype(np.float64))

    def minus(self, part: Fusion) -> Fusion:
        """The fusion of the other runs; rounding errors never leave a score behind."""
        finders = self.finders - part.finders
        return Fusion(finders, np.where(finders > 0, self.score - part.score, 0.0))


@dataclass(frozen=True)
class Evidence:
    """The runs with the judgments from which features may be computed."""

    pooled: PooledRuns
    depth: int  # of the top of a run

    def features(self, entries: Int64Array, labels: FloatArray) -> FloatArray:
        """The features of entries, in ascending order: (entries, 10 + columns).

        A machine's labels are given for all documents: (documents, columns).
        """
        run = self.pooled.run[entries]
        features = np.zeros((len(entries), len(FEATURES)))
        for number in np.unique(run).tolist():
            of_run = run == number
            features[of_run] = self._features_of(number, entries[of_run])
        return np.hstack([features, labels[self.pooled.doc[entries]]])

    def _features_of(self, run: int, entries: Int64Array) -> FloatArray:
        """The features of some entries of one run: (entries, 10)."""
        query, doc = self.pooled.query[entries], self.pooled.doc[entries]
        others = self._fusion.minus(Fusion.of(self.pooled, self.pooled.entries_of(run)))
        of_query, of_run = self._of_queries[:, query], self.of_runs[:, run]
        return np.column_stack(
            [
                np.log(self.pooled.rank[entries]),
                np.log1p(others.finders[doc]),
                others.score[doc],
                *of_query,
                *self._of_tops[:, run, query],
                *(np.full(len(entries), value) for value in of_run),
                kernel_means(self.pooled, np.log1p(others.score), self._of_queries[0], doc),
            ]
        )

    def transferred(self, entries: Int64Array) -> FloatArray:
        """The probability of each level by the transferred prior: (entries, levels)."""
        return level_probabilities(self.pooled, self.own, entries)

    @cached_property
    def _fusion(self) -> Fusion:
        """The fusion of all runs."""
        return Fusion.of(self.pooled, slice(None))

    @cached_property
    def own(self) -> OwnJudgments:
        """What is judged in the top of every run."""
        return OwnJudgments.of(self.pooled, self.depth)

    @cached_property
    def _of_queries(self) -> FloatArray:
        """Mean level and share of high levels of the judged documents: (2, queries)."""
        counts = pool_counts(self.pooled)
        levels = np.arange(counts.shape[1])
        total = counts.sum(axis=1)
        high = counts[:, 2 * levels > levels[-1]].sum(axis=1)
        return np.array([safe_divide(counts @ levels, total), safe_divide(high, total)])

    @cached_property
    def _of_tops(self) -> FloatArray:
        """Mean level and judged share of the top of every run: (2, runs, queries)."""
        own = self.own
        # As if one more document of half a level were judged: a top without judgments has .5.
        mean = (own.level_sum + 0.5) / (own.judged + 1)
        return np.array([mean, safe_divide(own.judged, own.returned)])

    @cached_property
    def of_runs(self) -> FloatArray:
        """Mean level and judged share of the tops of every run over all queries: (2, runs)."""
        level_sum = self.own.level_sum.sum(axis=1)
        judged, returned = self.own.judged.sum(axis=1), self.own.returned.sum(axis=1)
        mean_of_all = safe_divide(level_sum.sum(), judged.sum())
        mean = (level_sum + PSEUDO_DOCUMENTS * mean_of_all) / (judged + PSEUDO_DOCUMENTS)
        return np.array([mean, safe_divide(judged, returned)])


def kernel_means(
    pooled: PooledRuns, place: FloatArray, query_mean: FloatArray, docs: Int64Array
) -> FloatArray:
    """The mean level of the query's judged documents near the place of `docs`: (docs,).

    A judged document has a Gaussian weight of the distance of its place, (documents,), with
    bandwidth .25. The mean level of the query, (queries,), counts as three documents. The `docs`
    are in the order of their queries.
    """
    query = pooled.doc_query[docs]
    mean = query_mean[query]
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    for start, end in zip(starts, np.append(starts[1:], len(docs)), strict=True):
        near = pooled.judged_docs(int(query[start]))
        level, near_place = pooled.level[near].astype(np.float64), place[near] / BANDWIDTH
        for part in slices(end - start, len(near)):
            rows = slice(start + part.start, start + part.stop)
            distance = place[docs[rows], np.newaxis] / BANDWIDTH - near_place
            weight = np.exp(-0.5 * distance * distance)
            total = weight @ level + NEIGHBOURS * mean[rows]
            mean[rows] = total / (weight.sum(axis=1) + NEIGHBOURS)
    return mean
