"""What each document adds to a score: sums over documents in place of scores.

Documents are in the order of their ranks, and documents of rank 0 (not returned) follow; they add
nothing.
"""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray, IntArray
from .rank_biased import Groups, share_above


def precision_at(rank: IntArray, value: FloatArray) -> FloatArray:
    """The summed values down to each document's rank, divided by the rank: (documents,).

    With values of 0 and 1, it is the precision at the rank.
    """
    return np.cumsum(np.where(rank > 0, value, 0.0)) / np.maximum(rank, 1) * (rank > 0)


def reaches(rank: IntArray, stop: FloatArray) -> FloatArray:
    """Probability that a user, reading from the top, reads each document: (documents,).

    Parameters
    ----------
    rank : (documents,) ints
    stop : (documents,) floats
        Probability that the user stops at a document.
    """
    reads_on = np.cumprod(np.where(rank > 0, 1.0 - stop, 1.0))
    return np.concatenate(([1.0], reads_on))[: len(rank)] * (rank > 0)


def inverse(rank: IntArray) -> FloatArray:
    """``1 / rank``; 0 for rank 0."""
    return (rank > 0) / np.maximum(rank, 1)


def appearances(rank: IntArray, observed: Groups, reference: Groups, depth: int) -> FloatArray:
    """Share of tie orders in which each common document appears at each depth: (columns, depth).

    Parameters
    ----------
    rank : (columns,) ints
        The observed rank of each document of the reference; 0 if it was not observed.
    observed, reference
        The tie groups of both rankings of one query.
    depth
        The depth of the deeper ranking.
    """
    column = np.flatnonzero(rank)
    at = rank[column] - 1
    depths = np.arange(1, depth + 1)
    above = share_above(
        depths, observed.first[0, at, np.newaxis], observed.last[0, at, np.newaxis]
    ) * share_above(
        depths, reference.first[0, column, np.newaxis], reference.last[0, column, np.newaxis]
    )
    appears = np.zeros((len(rank), depth))
    appears[column] = np.diff(above, axis=1, prepend=0.0)
    return appears
