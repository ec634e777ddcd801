"""Gains and browsing models that several papers share.

A browsing model is a vector ``weight`` over ranks. ``weight[0]`` is 0 and stands for documents that
were not returned. So ``weight[rank]`` is the array of weights for an array of ranks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, IntArray

BASES = ("nDCG", "P", "RBP", "RR")

DCGS = ("log2", "exp-log2")

# 0.5 MB of float64: all usual depths are summed term by term, as in the measures themselves. The
# error of the formula for the ranks beyond falls with this number.
SUMMED_RANKS = 1 << 16

QUADRATURE_NODES = 128  # the integrand is smooth: 32 nodes agree to 13 digits; the rest is room


def truncate_ranks(rank: IntArray, cutoff: int | None) -> IntArray:
    """Set ranks beyond the cutoff to 0, which means "not returned"."""
    return rank if cutoff is None else np.where(rank <= cutoff, rank, 0)


class RankEntries(NamedTuple):
    """Ranks of the documents that runs return, one entry per document and run, sorted by run.

    Attributes
    ----------
    run, rank : (entries,) ints
        Index of the run, and rank of the document, from 1.
    cell : (entries,) ints
        Index of the document in the flattened (queries, documents) array.
    """

    run: IntArray
    cell: IntArray
    rank: IntArray


def nonzero_ranks(rank: IntArray) -> RankEntries:
    """The nonzero ranks of a (runs, queries, documents) array; most ranks are 0."""
    entry = np.flatnonzero(rank)
    run, cell = np.divmod(entry, rank.shape[1] * rank.shape[2])
    return RankEntries(run, cell, rank.ravel()[entry])


def graded_gain(grade: IntArray, dcg: str) -> FloatArray:
    """Gain of a grade: the grade itself (``log2``) or ``2**grade - 1`` (``exp-log2``).

    The gain of a negative grade is 0, as in trec_eval.
    """
    positive = np.maximum(grade, 0).astype(np.float64)
    return positive if dcg == "log2" else np.exp2(positive) - 1.0


def binary_gain(grade: IntArray, rel: int) -> FloatArray:
    """1 for documents of at least grade `rel`, else 0."""
    return (grade >= rel).astype(np.float64)


def discount(depth: int) -> FloatArray:
    """``1 / log2(rank + 1)`` for ranks 1 to `depth`: (depth,)."""
    return 1.0 / np.log2(np.arange(2, depth + 2))


def discount_sums(depth: int) -> FloatArray:
    """Sums of the discounts of no rank, rank 1, ranks 1 to 2, ..., 1 to `depth`: (depth + 1,)."""
    return np.concatenate(([0.0], np.cumsum(discount(depth))))


def discount_total(depth: int) -> float:
    """Sum of the discounts of ranks 1 to `depth`, in memory that does not grow with `depth`.

    The first ranks are summed. The sum of the others is computed by the Euler-Maclaurin formula; in
    its integral, of ``1 / log2(x)``, the variable is ``log(x)``.
    """
    summed = min(depth, SUMMED_RANKS)
    total = float(discount_sums(summed)[-1])
    if depth == summed:
        return total
    ends = np.log([summed + 1.0, depth + 1.0])
    node, weight = np.polynomial.legendre.leggauss(QUADRATURE_NODES)
    at = ends.mean() + np.diff(ends) / 2.0 * node
    integral = np.diff(ends) / 2.0 * (weight @ (np.exp(at) / at))
    rise = np.diff(1.0 / ends) / 2.0
    slope = np.diff(-1.0 / (np.exp(ends) * ends**2)) / 12.0
    return total + float(np.log(2.0) * (integral + rise + slope)[0])


def browsing_weights(base: str, depth: int, phi: float) -> FloatArray:
    """Probability that the user of a base measure sees rank 0 (never), 1, ..., `depth`.

    Parameters
    ----------
    base
        ``nDCG`` (1 / log2(rank + 1)), ``P`` (1), ``RBP`` (phi ** (rank - 1)), ``RR`` (1 / rank).
    depth
        The deepest rank, at least 0.
    phi
        Persistence of the ``RBP`` user, in (0, 1). Ignored by the other measures.

    Returns
    -------
    (depth + 1,) floats, in [0, 1]
    """
    ranks = np.arange(1, depth + 1, dtype=np.float64)
    if base == "nDCG":
        weights = discount(depth)
    elif base == "P":
        weights = np.ones(depth)
    elif base == "RBP":
        weights = phi ** (ranks - 1.0)
    else:
        weights = 1.0 / ranks
    return np.concatenate(([0.0], weights))
