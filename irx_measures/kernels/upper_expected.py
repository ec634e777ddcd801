"""Upper and expected value normalisation (Eq. 4 to 7 of the upper-expected paper).

A raw measure is one function of the ranks at which documents stand, so that the same function gives
the score of a run and, at the ranks of the ideal order, the upper bound. Expected values are over
all orders of a query's candidate documents, each as likely.
"""

from __future__ import annotations

import numpy as np

from ..common.arrays import BoolArray, FloatArray, IntArray
from ..common.division import safe_divide
from .user_models import truncate_ranks

# Differences below this share of the upper bound are rounding.
ROUNDING = 1e-12


def ideal_rank(candidate: BoolArray, cutoff: int | None) -> IntArray:
    """Ranks of the candidates, best first, 0 below the cutoff: (queries, documents).

    Parameters
    ----------
    candidate : (queries, documents)
        The candidates that gain, in columns by descending gain.
    """
    return truncate_ranks(np.where(candidate, np.cumsum(candidate, axis=1), 0), cutoff)


def weighted_gain(rank: IntArray, gain: FloatArray, seen: FloatArray) -> FloatArray:
    """Sum of the gains by the weights of their ranks: (queries,).

    Parameters
    ----------
    rank, gain : (queries, documents)
    seen : (depth + 1,)
        Weights of rank 0 (none), 1, 2, ...
    """
    return np.einsum("qj,qj->q", gain, seen[rank])


def expected_weighted_gain(gain: FloatArray, size: IntArray, seen: FloatArray) -> FloatArray:
    """Mean gain of a candidate times the weights of all ranks there are (Eq. 7): (queries,).

    Parameters
    ----------
    gain : (queries, documents)
        Of the candidates that gain.
    size : (queries,)
        Number of candidates.
    """
    weight = np.cumsum(seen)[np.minimum(size, len(seen) - 1)]
    return gain.sum(axis=1) / np.maximum(size, 1) * weight


def sum_of_precision(rank: IntArray, relevant: BoolArray) -> FloatArray:
    """Precision at the ranks of relevant documents, summed (Eq. 4): (queries,)."""
    found = np.sort(np.where(relevant & (rank > 0), rank, np.inf), axis=1)
    return (np.arange(1, found.shape[1] + 1) / found).sum(axis=1)


def expected_sum_of_precision(
    relevant: IntArray, size: IntArray, cutoff: int | None, exact: bool
) -> FloatArray:
    """Expected sum of precision: (queries,).

    ``min(k, n) p^2`` with ``p = N_p / n`` as if precision and relevance were independent (the
    paper), or exactly ``sum_i (1/i) (p + (i - 1) p (N_p - 1) / (n - 1))``.

    Parameters
    ----------
    relevant, size : (queries,)
        Number of relevant candidates, and of candidates.
    """
    depth = size if cutoff is None else np.minimum(size, cutoff)
    share = relevant / np.maximum(size, 1)
    if not exact:
        return depth * share**2
    harmonic = np.concatenate(([0.0], np.cumsum(1.0 / np.arange(1, depth.max(initial=0) + 1))))
    both = share * (relevant - 1) / np.maximum(size - 1, 1)
    return (share - both) * harmonic[depth] + both * depth


def cascade(rank: IntArray, stop: FloatArray) -> FloatArray:
    """Expected reciprocal rank at which a user stops who reads from the top: (queries,).

    Parameters
    ----------
    rank, stop : (queries, documents)
        The probability that a document ends the search: ERR's; RR's are 0 and 1.
    """
    place = np.where((rank > 0) & (stop > 0), rank, np.inf)
    order = np.argsort(place, axis=1)
    place = np.take_along_axis(place, order, axis=1)
    stops = np.where(np.isinf(place), 0.0, np.take_along_axis(stop, order, axis=1))
    reads_on = np.cumprod(1.0 - stops, axis=1)
    reaches = np.concatenate((np.ones((len(stops), 1)), reads_on[:, :-1]), axis=1)
    return (stops * reaches / place).sum(axis=1)


def expected_cascade(stop: FloatArray, size: IntArray, cutoff: int | None) -> FloatArray:
    """`cascade` over random orders, exactly: (queries,).

    With S_m the mean, over all choices of m candidates, of the probability to read on past all of
    them, it is ``sum_i (S_(i-1) - S_i) / i``. Candidate t joins t - 1 others by
    ``S_m <- (1 - m/t) S_m + (m/t) (1 - stop_t) S_(m-1)``: m of t candidates leave it out, or not.

    Parameters
    ----------
    stop : (queries, documents)
        Of the candidates; 0 for those that gain nothing.
    size : (queries,)
        Number of candidates.
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
    """``(A / IUB) (A / (A + REB))``, 0 where a denominator is 0 (Eq. 5)."""
    return safe_divide(actual, upper) * safe_divide(actual, actual + expected)


def version_2(actual: FloatArray, upper: FloatArray, expected: FloatArray) -> FloatArray:
    """Share of the way from REB to IUB, or below REB of the way from REB down to 0 (Eq. 6)."""
    beyond = _difference(actual, expected, upper)
    room = np.where(beyond >= 0, _difference(upper, expected, upper), expected)
    return safe_divide(beyond, room)


def _difference(value: FloatArray, other: FloatArray, scale: FloatArray) -> FloatArray:
    """Difference, 0 where it is no more than rounding: where all orders score the same."""
    difference = value - other
    return np.where(np.abs(difference) <= ROUNDING * scale, 0.0, difference)
