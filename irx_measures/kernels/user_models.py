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


def truncate_ranks(rank: IntArray, cutoff: int | None) -> IntArray:
    """Set ranks beyond the cutoff to 0, which means "not returned"."""
    return rank if cutoff is None else np.where(rank <= cutoff, rank, 0)


class RankEntries(NamedTuple):
    """Ranks of the documents that runs return, one entry per document and run, sorted by run."""

    run: IntArray  # (entries,)
    cell: IntArray  # (entries,), in the flattened (queries, documents) array
    rank: IntArray  # (entries,), from 1


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


def browsing_weights(base: str, depth: int, phi: float) -> FloatArray:
    """Probability that a base measure's user sees rank 0 (never), 1, ..., `depth`: (depth + 1,).

    From rank 1, it is ``1 / log2(rank + 1)`` for nDCG, 1 for P, ``phi ** (rank - 1)`` for RBP and
    ``1 / rank`` for RR. Only RBP uses `phi`.
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


def precision_at(rank: IntArray, value: FloatArray) -> FloatArray:
    """The summed values down to each document's rank, divided by the rank: (..., documents).

    With values of 0 and 1, it is the precision at the rank. Documents are in the order of their
    ranks; those of rank 0 (not returned) get 0.
    """
    return np.cumsum(np.where(rank > 0, value, 0.0), axis=-1) * inverse(rank)


def reaches(rank: IntArray, stop: FloatArray) -> FloatArray:
    """Probability that a user, reading from the top, reads each document: (..., documents).

    Documents are in the order of their ranks, as for `precision_at`.
    """
    reads_on = np.cumprod(np.where(rank > 0, 1.0 - stop, 1.0), axis=-1)
    first = np.ones((*rank.shape[:-1], 1))
    return np.concatenate((first, reads_on), axis=-1)[..., : rank.shape[-1]] * (rank > 0)


def inverse(rank: IntArray) -> FloatArray:
    """``1 / rank``; 0 for rank 0."""
    return (rank > 0) / np.maximum(rank, 1)
