"""Rareness-based precision and average precision (Eq. 1 to 4 of the rareness paper)."""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray, IntArray
from ..common.division import safe_divide


def worth(finders: IntArray, systems: int, alpha: FloatArray, form: str) -> FloatArray:
    """What a relevant document is worth, given how many systems found it.

    Parameters
    ----------
    finders : (queries, documents)
        Number of systems with the document in their top ranks (S_d).
    systems
        Number of systems (S).
    alpha : broadcastable to finders
        Weight of rareness.
    form
        ``additive``: ``1 + alpha (1 - S_d / S)``;
        ``mixture``: ``1 - alpha + alpha (1 - (S_d - 1) / (S - 1))``.

    Returns
    -------
    (queries, documents)
    """
    if form == "additive":
        return 1.0 + alpha * (1.0 - finders / systems)
    if systems == 1:
        return np.broadcast_to(1.0 - alpha, finders.shape)
    # The evaluated run found the document, if perhaps deeper than the systems are searched.
    rarity = 1.0 - (np.maximum(finders, 1) - 1.0) / (systems - 1.0)
    return 1.0 - alpha + alpha * rarity


def precision(rank: IntArray, value: FloatArray, cutoff: int) -> FloatArray:
    """Value of the returned documents over the cutoff: (..., queries).

    Parameters
    ----------
    rank : (..., queries, documents)
        None deeper than the cutoff; 0 where not returned.
    value : (queries, documents)
    """
    return np.einsum("...j,...j->...", rank > 0, value) / cutoff


def average_precision(
    rank: IntArray, relevance: FloatArray, value: FloatArray, relevant: IntArray
) -> FloatArray:
    """Mean over the relevant documents of the precision at their ranks (Eq. 3).

    Parameters
    ----------
    rank : (..., queries, documents)
        0 where not returned within the cutoff.
    relevance : (queries, documents)
        Rel(d), in [0, 1].
    value : (queries, documents)
        Rel(d) times the worth of d.
    relevant : (queries,)
        Number of relevant documents.

    Returns
    -------
    (..., queries); 0 where no document is relevant.
    """
    depth = int(rank.max(initial=0))
    relevance_at = _by_rank(rank, relevance, depth)
    precision_at = np.cumsum(_by_rank(rank, value, depth), axis=-1) / np.arange(1, depth + 1)
    total = np.einsum("...i,...i->...", relevance_at, precision_at)
    return safe_divide(total, relevant)


def _by_rank(rank: IntArray, value: FloatArray, depth: int) -> FloatArray:
    """Values moved from their documents' columns to their ranks: (..., queries, depth)."""
    at_rank = np.zeros((*rank.shape[:-1], depth + 1))
    np.put_along_axis(at_rank, rank, np.broadcast_to(value, rank.shape), axis=-1)
    return at_rank[..., 1:]
