"""Rareness-based precision and average precision (Eq. 1 to 4 of the rareness paper).

Arguments beside those of the package:

    relevance     (queries, documents) floats   Rel(d), in [0, 1]
    value         (queries, documents) floats   Rel(d) times the worth of d
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, IntArray, safe_divide


def worth(finders: IntArray, systems: int, alpha: FloatArray, form: str) -> FloatArray:
    """How much a document counts, given how many systems found it: (queries, documents).

    Parameters
    ----------
    finders : (queries, documents) ints
        Number of systems with the document in their top ranks (S_d), at most `systems`.
    systems
        Number of systems (S), at least 1.
    alpha : broadcastable to finders
        Weight of rareness, in [0, 1].
    form
        ``additive``: ``1 + alpha (1 - S_d / S)``;
        ``mixture``: ``1 - alpha + alpha (1 - (S_d - 1) / (S - 1))``.
    """
    if form == "additive":
        return 1.0 + alpha * (1.0 - finders / systems)
    if systems == 1:
        return np.broadcast_to(1.0 - alpha, finders.shape)
    # The evaluated run found the document, so S_d is at least 1. But `finders` may be 0, if the run
    # found it below the depth at which finders are counted.
    rarity = 1.0 - (np.maximum(finders, 1) - 1.0) / (systems - 1.0)
    return 1.0 - alpha + alpha * rarity


def precision(rank: IntArray, value: FloatArray, cutoff: int) -> FloatArray:
    """Sum of the values of the returned documents, divided by the cutoff: (..., queries)."""
    return np.einsum("...j,...j->...", rank > 0, value) / cutoff


def average_precision(
    rank: IntArray, relevance: FloatArray, value: FloatArray, relevant: IntArray
) -> FloatArray:
    """Mean over the relevant documents of the precision at their ranks (Eq. 3): (..., queries).

    It is 0 if a query has no relevant document.
    """
    depth = int(rank.max(initial=0))
    returned = np.flatnonzero(rank)
    row, document = np.divmod(returned, rank.shape[-1])
    at = row * depth + rank.ravel()[returned] - 1
    query = row % len(relevance)
    relevance_at, value_at = np.zeros((2, *rank.shape[:-1], depth))
    relevance_at.ravel()[at] = relevance[query, document]
    value_at.ravel()[at] = value[query, document]
    precision_at = np.cumsum(value_at, axis=-1) / np.arange(1, depth + 1)
    total = np.einsum("...i,...i->...", relevance_at, precision_at)
    return safe_divide(total, relevant)
