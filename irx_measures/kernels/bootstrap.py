"""Scores where documents are unjudged: judgments sampled, or enumerated (the paper's Algorithm 1).

Grades are levels here: positions in the sorted list of all grades, level 0 being grade 0. A level
is drawn from a prior, and then *moved* from the documents of the pool that the ranking did not
return, so that the ideal ranking never changes.
"""

from __future__ import annotations

import numpy as np

from ..common.arrays import BoolArray, Float32Array, FloatArray, IntArray
from ..common.division import safe_divide

MODE_BINS = 20

MODE_SPREAD = 1e-4

SAME_WEIGHT = 1e-9


def unjudged_ranks(rank: IntArray, returned: IntArray, cutoff: int) -> IntArray:
    """Ranks of the unjudged documents within the cutoff, ascending, padded with 0.

    Parameters
    ----------
    rank : (queries, documents)
        Ranks of the judged documents within the cutoff, else 0.
    returned : (queries,)
        Number of documents returned.

    Returns
    -------
    (queries, most unjudged documents of a query)
    """
    depth = min(cutoff, int(returned.max(initial=0)))
    unjudged = np.arange(depth + 1) <= returned[:, np.newaxis]
    np.put_along_axis(unjudged, rank, False, axis=1)
    unjudged[:, 0] = False
    most = int(np.count_nonzero(unjudged, axis=1).max(initial=0))
    first = np.argsort(~unjudged, axis=1, kind="stable")[:, :most]
    return np.where(np.take_along_axis(unjudged, first, axis=1), first, 0)


def counts_by_level(level: IntArray, counted: BoolArray, levels: int) -> IntArray:
    """How many of the counted documents have each level: (queries, levels)."""
    query, document = np.nonzero(counted)
    cell = query * levels + level[query, document]
    return np.bincount(cell, minlength=len(level) * levels).reshape(len(level), levels)


def shares(counts: IntArray) -> FloatArray:
    """Counts over their sum; all on level 0 where there are none: (queries, levels)."""
    total = counts.sum(axis=1, keepdims=True)
    share = safe_divide(counts, total)
    share[total[:, 0] == 0, 0] = 1.0
    return share


def sample_levels(prior: FloatArray, left: IntArray, draws: Float32Array) -> IntArray:
    """Algorithm 1's judgments of unjudged documents in rank order, for all samples at once.

    A document takes the level drawn from the prior where the pool has one left, else the highest
    lower level that is left, else 0.

    Parameters
    ----------
    prior, left : (queries, levels)
        Probability of each level; number of judged documents outside the ranking.
    draws : (queries, unjudged, samples)
        Uniform on [0, 1).

    Returns
    -------
    (queries, unjudged, samples)
    """
    queries, unjudged, samples = draws.shape
    small = np.min_scalar_type(-max(prior.shape[1], unjudged))
    levels = np.zeros(draws.shape, small)
    edge = np.cumsum(prior, axis=1)[:, :, np.newaxis]
    stock = np.minimum(left, unjudged).astype(small)[:, :, np.newaxis]
    stock = np.repeat(stock.transpose(1, 0, 2), samples, axis=2)
    for document in range(unjudged):
        draw = draws[:, document]
        waiting = np.ones((queries, samples), bool)
        for level in range(prior.shape[1] - 1, 0, -1):
            taken = waiting & (draw >= edge[:, level - 1]) & (stock[level] > 0)
            stock[level] -= taken
            levels[:, document] += taken * small.type(level)
            waiting &= ~taken
    return levels


def all_assignments(levels: int, unjudged: int) -> IntArray:
    """Every assignment of levels to documents: (unjudged, levels ** unjudged)."""
    return np.indices((levels,) * unjudged, np.int16).reshape(unjudged, levels**unjudged)


def assignment_probability(prior: FloatArray, left: IntArray, unjudged: int) -> FloatArray:
    """Probability with which Algorithm 1 makes each of `all_assignments`.

    Level g goes to a document if the level drawn is g or higher, but below the next higher level
    that the pool has left.

    Parameters
    ----------
    prior, left : (queries, levels)

    Returns
    -------
    (queries, levels ** unjudged)
    """
    queries, levels = prior.shape
    below = np.concatenate((np.zeros((queries, 1)), np.cumsum(prior, axis=1)), axis=1)
    below[:, -1] = 1.0
    probability = np.ones((queries, 1))
    stock = left[:, np.newaxis, :]
    for _ in range(unjudged):
        of_level = np.zeros((*probability.shape, levels))
        limit = np.ones(probability.shape)
        for level in range(levels - 1, 0, -1):
            has = stock[:, :, level] > 0
            start = below[:, level, np.newaxis]
            of_level[:, :, level] = np.where(has, limit - start, 0.0)
            limit = np.where(has, start, limit)
        of_level[:, :, 0] = limit
        probability = (probability[:, :, np.newaxis] * of_level).reshape(queries, -1)
        stock = (stock[:, :, np.newaxis] - np.eye(levels, dtype=stock.dtype)).reshape(
            queries, -1, levels
        )
    return probability


def score_of_judged(rank: IntArray, gain: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted gains of the judged documents, summed by rank: (queries,).

    Summed so, the score of a query is the same to the last bit whatever queries stand beside it,
    which `mode` needs, since rounding can move a sample over the edge of a bin.

    Parameters
    ----------
    rank, gain : (queries, documents)
        Rank 0 where the document is not in the top k.
    weights : (k + 1,)
    """
    at_rank = np.zeros((len(rank), len(weights)))
    np.put_along_axis(at_rank, rank, gain, axis=1)
    return (at_rank[:, 1:] * weights[1:]).sum(axis=1)


def additive_scores(
    levels: IntArray, weight: FloatArray, gain: FloatArray, judged: FloatArray
) -> FloatArray:
    """Scores that are sums over ranks: (queries, samples).

    Parameters
    ----------
    levels : (queries, unjudged, samples), or (1, unjudged, samples) for all queries
    weight : (queries, unjudged)
        Of the ranks of the unjudged documents, 0 where there is none.
    gain : (levels,)
    judged : (queries,)
        What the judged documents of the ranking score.
    """
    scores = np.repeat(judged[:, np.newaxis], levels.shape[2], axis=1)
    for document in range(levels.shape[1]):
        scores += weight[:, document, np.newaxis] * gain[levels[:, document]]
    return scores


def precision_sums(
    levels: IntArray,
    unjudged_rank: IntArray,
    relevant: BoolArray,
    relevant_at: BoolArray,
) -> FloatArray:
    """Sums of the precision at relevant ranks: (queries, samples).

    Parameters
    ----------
    levels : (queries, unjudged, samples), or (1, unjudged, samples) for all queries
    unjudged_rank : (queries, unjudged)
        0 where there is none.
    relevant : (levels,)
        Whether a level is relevant.
    relevant_at : (queries, depth + 1)
        Whether a relevant judged document stands at ranks 0 (never), 1, ...
    """
    queries, ranks = relevant_at.shape
    at_rank = np.repeat(relevant_at[:, :, np.newaxis], levels.shape[2], axis=2)
    for document in range(levels.shape[1]):
        at_rank[np.arange(queries), unjudged_rank[:, document]] |= relevant[levels[:, document]]
    at_rank[:, 0] = False
    precision = np.cumsum(at_rank, axis=1) / np.maximum(np.arange(ranks), 1)[:, np.newaxis]
    return np.einsum("qrs,qrs->qs", at_rank, precision)


def mode(values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """The largest of the values that are left after keeping the fullest bins, twice: (queries,).

    Bins are 20 of equal width between the least and the greatest value; a spread of at most 1e-4
    is one bin.

    Parameters
    ----------
    values : (queries, samples)
    weights : (queries, samples)
        Probabilities; all the same where None.
    """
    queries, samples = values.shape
    mass = np.ones(values.size) if weights is None else weights.ravel()
    possible = mass > 0
    value, mass = values.ravel()[possible], mass[possible]
    query = np.repeat(np.arange(queries), samples)[possible]
    for _ in range(2):
        start = np.searchsorted(query, np.arange(queries))
        low = np.minimum.reduceat(value, start)
        spread = np.maximum.reduceat(value, start) - low
        scale = safe_divide(MODE_BINS, np.where(spread > MODE_SPREAD, spread, 0.0))
        place = ((value - low[query]) * scale[query]).astype(np.int64)
        cell = np.minimum(place, MODE_BINS - 1) + query * MODE_BINS
        filled = np.bincount(cell, mass, queries * MODE_BINS).reshape(queries, MODE_BINS)
        fullest = filled >= filled.max(axis=1, keepdims=True) * (1.0 - SAME_WEIGHT)
        kept = fullest.ravel()[cell]
        value, mass, query = value[kept], mass[kept], query[kept]
    return np.maximum.reduceat(value, np.searchsorted(query, np.arange(queries)))


def mean(values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Mean: (queries,)."""
    return values.mean(axis=1) if weights is None else np.einsum("qs,qs->q", values, weights)


def deviation(values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Standard deviation of the distribution: (queries,)."""
    beyond = values - mean(values, weights)[:, np.newaxis]
    return np.sqrt(mean(beyond * beyond, weights))


def quantile(values: FloatArray, weights: FloatArray | None, share: float) -> FloatArray:
    """Quantile: (queries,).

    Of samples by linear interpolation; of a distribution the least value of at least so much
    probability.
    """
    if weights is None:
        return np.quantile(values, share, axis=1)
    order = np.argsort(values, axis=1)
    reached = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    place = np.argmax(reached >= share * reached[:, -1:] * (1.0 - SAME_WEIGHT), axis=1)
    at = np.take_along_axis(order, place[:, np.newaxis], axis=1)
    return np.take_along_axis(values, at, axis=1)[:, 0]
