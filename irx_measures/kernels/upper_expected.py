"""Upper and expected value normalisation (Eq. 4 to 7 of the upper-expected paper).

A raw measure is a function of the ranks of documents. The same function computes the score of a run
and, from the ranks of the ideal order, the upper bound. Expected values are means over all orders
of a query's candidate documents; all orders are equally likely. Arguments beside
those of the package:

    gain          (queries, documents) floats   gains of the candidates with a positive gain, else 0
    relevant      (queries,) ints               number of relevant candidates (N_p)
    size          (queries,) ints               number of candidates (n)
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, FloatArray, IntArray, safe_divide
from .user_models import inverse, reaches, truncate_ranks

# Differences below this fraction of the upper bound are rounding errors.
ROUNDING = 1e-12


def ideal_rank(candidate: BoolArray, cutoff: int | None) -> IntArray:
    """Ranks of the candidates in the ideal order, 0 beyond the cutoff: (queries, documents).

    `candidate` is true for the candidates with a positive gain: (queries, documents) bools. Columns
    are sorted by descending gain.
    """
    return truncate_ranks(np.where(candidate, np.cumsum(candidate, axis=1), 0), cutoff)


def sum_of_precision(rank: IntArray, relevant: BoolArray) -> FloatArray:
    """Sum of the precision at the ranks of relevant documents (Eq. 4): (queries,)."""
    hit_rank = np.sort(np.where(relevant & (rank > 0), rank, np.inf), axis=1)
    return (np.arange(1, hit_rank.shape[1] + 1) / hit_rank).sum(axis=1)


def cascade_parts(rank: IntArray, stop: FloatArray) -> FloatArray:
    """The probability that a user, reading from the top, stops at a document, divided by its rank.

    The sum over documents, in rank order, is the expected reciprocal of the rank of the stop. Ranks
    are (..., documents), in any order. For RR, `stop` is 0 or 1.
    """
    order = np.argsort(np.where(rank > 0, rank, np.inf), axis=-1, kind="stable")
    rank, stop = np.take_along_axis(rank, order, -1), np.take_along_axis(stop, order, -1)
    return stop * reaches(rank, stop) * inverse(rank)


def expected_weighted_gain(
    gain: FloatArray, size: IntArray, browsing_weights: FloatArray
) -> FloatArray:
    """Mean gain of a candidate times the summed weights of all ranks (Eq. 7): (queries,).

    `browsing_weights`, (depth + 1,), are those of `user_models`. Ranks beyond `size` do not count.
    """
    weight = np.cumsum(browsing_weights)[np.minimum(size, len(browsing_weights) - 1)]
    return gain.sum(axis=1) / np.maximum(size, 1) * weight


def expected_sum_of_precision(
    relevant: IntArray, size: IntArray, cutoff: int | None, exact: bool
) -> FloatArray:
    """Expected sum of precision: (queries,).

    With ``p = N_p / n``, the paper's value is ``min(k, n) p^2``: it assumes that precision and
    relevance are independent. The exact value, computed if `exact`, is
    ``sum_{i <= min(k, n)} (1/i) (p + (i - 1) p (N_p - 1) / (n - 1))``.
    """
    depth = size if cutoff is None else np.minimum(size, cutoff)
    share = relevant / np.maximum(size, 1)
    if not exact:
        return depth * share**2
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, depth.max(initial=0) + 1))))
    both = share * (relevant - 1) / np.maximum(size - 1, 1)
    return (share - both) * harmonic[depth] + both * depth


def expected_cascade(stop: FloatArray, size: IntArray, cutoff: int | None) -> FloatArray:
    """Exact mean of the sum of `cascade_parts` over all orders: (queries,).

    S_m is the probability that a user reads on past m candidates, averaged over all choices of m
    candidates. The result is ``sum_i (S_(i-1) - S_i) / i``. S_m is computed by adding one candidate
    at a time. Candidate t is among m of t candidates with probability m/t, so
    ``S_m <- (1 - m/t) S_m + (m/t) (1 - stop_t) S_(m-1)``.

    `stop` is (queries, documents), and 0 for candidates without gain.
    """
    most = int(size.max(initial=0))
    depth = most if cutoff is None else min(cutoff, most)
    chosen = np.arange(depth + 1)
    joined = (size - np.count_nonzero(stop, axis=1))[:, np.newaxis]
    read_on = (chosen <= joined).astype(np.float64)
    for column in stop.T[:, :, np.newaxis]:
        stops = column > 0
        joined = joined + stops
        share = chosen[1:] / np.maximum(joined, 1)
        with_it = (1.0 - share) * read_on[:, 1:] + share * (1.0 - column) * read_on[:, :-1]
        read_on[:, 1:] = np.where(stops, with_it, read_on[:, 1:])
    ends = (read_on[:, :-1] - read_on[:, 1:]) * (chosen[1:] <= size[:, np.newaxis])
    return (ends / chosen[1:]).sum(axis=1)


def version_1(actual: FloatArray, upper: FloatArray, expected: FloatArray) -> FloatArray:
    """``(A / IUB) (A / (A + REB))`` (Eq. 5); 0 if a denominator is 0: (queries,), in [0, 1]."""
    return safe_divide(actual, upper) * safe_divide(actual, actual + expected)


def version_2(actual: FloatArray, upper: FloatArray, expected: FloatArray) -> FloatArray:
    """``(A - REB) / (IUB - REB)``, or ``(A - REB) / REB`` if A < REB (Eq. 6): in [-1, 1].

    0 if a denominator is 0.
    """
    beyond = difference(actual, expected, upper)
    room = np.where(beyond >= 0, difference(upper, expected, upper), expected)
    return safe_divide(beyond, room)


def difference(value: FloatArray, other: FloatArray, scale: FloatArray) -> FloatArray:
    """``value - other``; 0 if it is a rounding error, as when all orders score the same."""
    difference = value - other
    return np.where(np.abs(difference) <= ROUNDING * scale, 0.0, difference)
