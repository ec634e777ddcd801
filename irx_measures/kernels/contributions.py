"""What each document adds to a score: sums over documents in place of scores.

Documents are in the order of their ranks, and documents of rank 0 (not returned) follow; they add
nothing.
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, IntArray
from .rank_overlap import SHARED, Overlap, logarithmic_tails
from .tie_orders import Groups, extreme_ranks


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


def overlap_parts(compared: Overlap, phi: float) -> FloatArray:
    """What each document of the reference adds to the lower bound of RBO: (columns,).

    Parameters
    ----------
    compared
        Both rankings of one query.
    phi
        Persistence, in (0, 1).
    """
    rank, length = compared.rank[0], int(compared.lengths[1][0])
    column = np.flatnonzero(rank)
    depths = np.arange(1, length + 1)
    in_prefixes = np.ones((len(column), length))
    for groups, at in zip(_placed(compared), (rank[column] - 1, column), strict=True):
        first, last = (bound[0, at, np.newaxis] for bound in groups)
        in_prefixes *= np.clip((depths - first + 1) / (last - first + 1), 0.0, 1.0)
    denominator = np.broadcast_to(compared.denominator, (1, compared.depth))[0, :length]
    weight = (1.0 - phi) * np.power(phi, depths - 1.0) / denominator
    parts = np.zeros(len(rank))
    parts[column] = in_prefixes @ weight + (1.0 - phi) * logarithmic_tails(phi, length + 1)[-1]
    return parts


def _placed(compared: Overlap) -> tuple[Groups, Groups]:
    """The ranks over which a document spreads in B and in R, as the treatment of ties has it."""
    both = compared.observed, compared.reference
    if compared.ties in SHARED:
        return both
    if compared.ties == "w":  # a group is in a prefix as soon as it starts
        ranks = both[0].first, both[1].first
    else:
        ranks = extreme_ranks(compared.rank, *both, compared.ties == "greatest")
    return Groups(ranks[0], ranks[0]), Groups(ranks[1], ranks[1])
