"""The transferred prior: the probability of relevance as six other collections teach it.

It needs no other run and no training.
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, Int64Array, safe_divide
from .pooled_runs import UNJUDGED, OwnJudgments, PooledRuns

CLIP = 0.005  # as in the fit of the regression below

# A logistic regression of relevance, fitted on six TREC collections. The coefficients are those of
# `transferred_features`, in their order.
INTERCEPT = -1.451

COEFFICIENTS = np.array([-0.203, 0.449, 0.560, 0.686, 0.363, 0.302])

DECAY = 0.5  # high grades are rarer among unjudged documents than in the pool: a choice


def transferred_features(pooled: PooledRuns, own: OwnJudgments, entries: Int64Array) -> FloatArray:
    """The features of the transferred prior: (entries, 6)."""
    run, query = pooled.run[entries], pooled.query[entries]
    of_query = pool_counts(pooled)
    query_share = safe_divide(of_query[:, 1:].sum(axis=1), of_query.sum(axis=1))
    judged, relevant = own.judged.sum(axis=1), own.relevant.sum(axis=1)
    run_share = safe_divide(relevant, judged)
    run_share[judged == 0] = safe_divide(relevant.sum(), judged.sum())
    return np.column_stack(
        [
            np.log(pooled.rank[entries]),
            clipped_logit(query_share)[query],
            clipped_logit((own.relevant + 0.5) / (own.judged + 1))[run, query],
            safe_divide(own.judged, own.returned)[run, query],
            clipped_logit(run_share)[run],
            safe_divide(judged, own.returned.sum(axis=1))[run],
        ]
    )


def clipped_logit(share: FloatArray, clip: float = CLIP) -> FloatArray:
    """The logit of a share, which is clipped to [clip, 1 - clip]."""
    clipped = np.clip(share, clip, 1 - clip)
    return np.log(clipped / (1 - clipped))


def logistic(logit: FloatArray) -> FloatArray:
    """The probability of which this is the logit."""
    return (1 + np.tanh(logit / 2)) / 2  # cannot overflow


def pool_counts(pooled: PooledRuns) -> FloatArray:
    """The number of judged documents of each level: (queries, levels).

    A query whose judgments were all taken away has the counts of all queries.
    """
    judged = pooled.level != UNJUDGED
    shape = len(pooled.query_ids), len(pooled.grades)
    cell = pooled.doc_query[judged] * shape[1] + pooled.level[judged]
    counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
    return np.where(counts.sum(axis=1, keepdims=True) > 0, counts, counts.sum(axis=0))


def shares_given_relevant(pooled: PooledRuns) -> FloatArray:
    """The probability of each positive level of a relevant document: (queries, levels - 1).

    A query without a relevant document has the shares of all queries.
    """
    positive = pool_counts(pooled)[:, 1:]
    positive = np.where(positive.sum(axis=1, keepdims=True) > 0, positive, positive.sum(axis=0))
    weighted = positive * DECAY ** np.arange(positive.shape[1])
    return safe_divide(weighted, weighted.sum(axis=1, keepdims=True))


def level_probabilities(pooled: PooledRuns, own: OwnJudgments, entries: Int64Array) -> FloatArray:
    """The probability of each level: (entries, levels)."""
    logit = INTERCEPT + transferred_features(pooled, own, entries) @ COEFFICIENTS
    given_relevant = shares_given_relevant(pooled)[pooled.query[entries]]
    positive = logistic(logit)[:, np.newaxis] * given_relevant
    return np.column_stack([1 - positive.sum(axis=1), positive])
