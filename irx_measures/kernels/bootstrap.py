"""Scores of rankings with unjudged documents, from sampled or enumerated judgments (Algorithm 1).

An unjudged document gets a level drawn from a prior. This level is *moved* to it from a judged
document that the ranking did not return, so the ideal ranking never changes. Arguments
beside those of the package:

    rank          (queries, documents) ints     ranks of the judged documents
    prior         (queries, levels) floats      probability of each level
    levels        (queries, unjudged, samples)  level of each unjudged document, ints; (1, unjudged,
                                                samples) for all queries; an int is their number
    unjudged_rank (queries, unjudged) ints      as of `unjudged_ranks`
    gain          (levels,) floats              gain of each level
    values        (queries, samples) floats     scores
    weights       (queries, samples) floats     probability of each value; None if all are equal
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, Float32Array, FloatArray, IntArray, safe_divide

MODE_BINS = 20  # as the authors' code

MODE_SPREAD = 1e-4  # as the authors' code: samples that differ by less count as one bin

# Relative. Exact probabilities are sums of products, so that equal ones differ by about 1e-16 per
# term; probabilities that really differ, differ by far more.
SAME_WEIGHT = 1e-9


def unjudged_ranks(rank: IntArray, returned: IntArray, cutoff: int) -> IntArray:
    """Ranks of unjudged documents within the cutoff, ascending, padded with 0: (queries, most)."""
    depth = min(cutoff, int(returned.max(initial=0)))
    unjudged = np.arange(depth + 1) <= returned[:, np.newaxis]
    np.put_along_axis(unjudged, rank, False, axis=1)
    unjudged[:, 0] = False
    most = int(np.count_nonzero(unjudged, axis=1).max(initial=0))
    # A stable sort keeps the unjudged ranks in their order.
    first = np.argsort(~unjudged, axis=1, kind="stable")[:, :most]
    return np.where(np.take_along_axis(unjudged, first, axis=1), first, 0)


def counts_by_level(level: IntArray, counted: BoolArray, levels: int) -> IntArray:
    """Number of documents of each level: (queries, levels) ints.

    Only the counted documents, (queries, documents) bools, are counted.
    """
    query, document = np.nonzero(counted)
    cell = query * levels + level[query, document]
    return np.bincount(cell, minlength=len(level) * levels).reshape(len(level), levels)


def shares(counts: IntArray) -> FloatArray:
    """Share of each level; if a query has no counts, level 0 has share 1: (queries, levels)."""
    total = counts.sum(axis=1, keepdims=True)
    share = safe_divide(counts, total)
    share[total[:, 0] == 0, 0] = 1.0
    return share


def sample_levels(prior: FloatArray, left: IntArray, draws: Float32Array) -> IntArray:
    """Levels that Algorithm 1 gives to unjudged documents: (queries, unjudged, samples).

    Documents are processed in rank order. A document gets the level drawn from the prior, if the
    pool has a document of this level left; else the highest lower level that is left; else 0. Draws
    are (queries, unjudged, samples).
    """
    queries, unjudged, samples = draws.shape
    # The arrays have a cell per document and sample: small integers save memory and time.
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
    """Every assignment of levels to the unjudged documents: (unjudged, levels ** unjudged) ints."""
    return np.indices((levels,) * unjudged, np.int16).reshape(unjudged, levels**unjudged)


def assignment_probability(prior: FloatArray, left: IntArray, unjudged: int) -> FloatArray:
    """Probability that Algorithm 1 makes each of `all_assignments`: (queries, assignments).

    A document gets level g if the level drawn is at least g and lower than the next higher level
    that the pool has left. Every query has the same number of unjudged documents.
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
    """Sum of the weighted gains of the judged documents: (queries,).

    Gains are summed in rank order. So the score of a query is the same to the last bit, whatever
    other queries are in the batch. `mode` needs this: rounding can move a sample into another bin.

    Here `gain` is that of each document, (queries, documents), and `weights` are those of ranks 0
    (not returned; its weight is 0) to the deepest rank, (depth + 1,).
    """
    at_rank = np.zeros((len(rank), len(weights)))
    np.put_along_axis(at_rank, rank, gain, axis=1)
    # Unlike sum(), cumsum() adds from left to right, so that ranks without gain change nothing.
    return np.cumsum(at_rank * weights, axis=1)[:, -1]


def additive_scores(
    levels: IntArray, weight: FloatArray, gain: FloatArray, judged: FloatArray
) -> FloatArray:
    """Scores that are sums over ranks: (queries, samples).

    `weight` is that of each unjudged document's rank, padded with 0: (queries, unjudged) floats.
    `judged` is the score of the judged documents alone: (queries,) floats.
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
    """Sum of the precision at the ranks of relevant documents: (queries, samples).

    `relevant` says whether a level is relevant, (levels,) bools; `relevant_at`, whether a relevant
    judged document is at rank 0 (always False), 1, ..., depth: (queries, depth + 1) bools.
    """
    queries, ranks = relevant_at.shape
    at_rank = np.repeat(relevant_at[:, :, np.newaxis], levels.shape[2], axis=2)
    for document in range(levels.shape[1]):
        at_rank[np.arange(queries), unjudged_rank[:, document]] |= relevant[levels[:, document]]
    # Rank 0 stands for padding.
    at_rank[:, 0] = False
    precision = np.cumsum(at_rank, axis=1) / np.maximum(np.arange(ranks), 1)[:, np.newaxis]
    return np.einsum("qrs,qrs->qs", at_rank, precision)


def mode(values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Mode of the samples, as the authors compute it: (queries,).

    Histogram the samples in 20 bins of equal width, split the fullest bin into 20, and take the
    largest sample of its fullest bin. Samples that differ by at most 1e-4 are one bin. If several
    bins are equally full, all of them are kept.
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
        value, mass = value[kept], mass[kept]
        query = query[kept]
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

    Samples are interpolated linearly. With weights, it is the smallest value whose cumulative
    probability is at least `share`, which lies in [0, 1].
    """
    if weights is None:
        return np.quantile(values, share, axis=1)
    order = np.argsort(values, axis=1)
    reached = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    place = np.argmax(reached >= share * reached[:, -1:] * (1.0 - SAME_WEIGHT), axis=1)
    at = np.take_along_axis(order, place[:, np.newaxis], axis=1)
    return np.take_along_axis(values, at, axis=1)[:, 0]
