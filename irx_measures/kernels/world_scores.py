"""Scores of many systems on one query in many worlds.

Scores are (systems, worlds). In `top`, the documents of each system's top k, a missing document has
the number of documents as its position.
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, IntArray


def top_documents(rank: IntArray, cutoff: int) -> IntArray:
    """The position of the document at each rank: (systems, cutoff).

    Parameters
    ----------
    rank : (systems, documents) ints
        From 1; 0 if not returned.
    cutoff
        k.
    """
    systems, documents = rank.shape
    top = np.full((systems, cutoff), documents)
    system, document = np.nonzero((rank > 0) & (rank <= cutoff))
    top[system, rank[system, document] - 1] = document
    return top


def weighted_gains(top: IntArray, weight: FloatArray, gain: FloatArray) -> FloatArray:
    """Sum of weight x gain, from rank 1 down: equal rankings have equal scores to the last bit.

    Parameters
    ----------
    top : (systems, cutoff) ints
    weight : (cutoff,) floats
    gain : (documents, worlds) floats
    """
    gain_of = np.vstack((gain, np.zeros((1, gain.shape[1]))))
    total = np.zeros((len(top), gain.shape[1]))
    for documents, one in zip(top.T, weight.tolist(), strict=True):
        total += one * gain_of[documents]
    return total
