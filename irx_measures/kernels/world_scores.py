"""Scores of many systems on one query in many worlds.

Scores are (systems, worlds). In `top`, the documents of each system's top k, a missing document has
the number of documents as its position.
"""

from __future__ import annotations

import numpy as np

from ..common.arrays import BoolArray, FloatArray, IntArray
from ..common.division import safe_divide
from .user_models import discount


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


def average_precision(top: IntArray, relevant: BoolArray, outside: int) -> FloatArray:
    """AP@k: sum of the precisions at relevant documents, over the number of relevant documents.

    Parameters
    ----------
    top : (systems, cutoff) ints
    relevant : (documents, worlds) bools
    outside
        Number of relevant documents that no system returns.
    """
    hit_of = _padded(relevant)
    found = np.zeros((len(top), relevant.shape[1]))
    total = np.zeros(found.shape)
    for rank, documents in enumerate(top.T, 1):
        hit = hit_of[documents]
        found += hit
        total += hit * found / rank
    return safe_divide(total, relevant.sum(axis=0) + outside)


def reciprocal_rank(top: IntArray, relevant: BoolArray) -> FloatArray:
    """RR@k: 1 / rank of the first relevant document, 0 if there is none.

    Parameters
    ----------
    top : (systems, cutoff) ints
    relevant : (documents, worlds) bools
    """
    hit_of = _padded(relevant)
    score = np.zeros((len(top), relevant.shape[1]))
    for rank in range(top.shape[1], 0, -1):
        score[hit_of[top[:, rank - 1]]] = 1.0 / rank
    return score


def residual_ideals(
    unseen: FloatArray,
    unseen_by_all: FloatArray,
    top: IntArray,
    gain: FloatArray,
    outside: FloatArray,
) -> FloatArray:
    """DCG@k of the ideal ranking of each system by residual gains.

    Documents outside a system's own top k have the residual gain that they have against all
    systems. So the best k of them are among the best 2k against all systems, which are selected
    once for all systems.

    Parameters
    ----------
    unseen : (systems, documents) floats
        Probability that no user of another system saw the document.
    unseen_by_all : (documents,) floats
        Probability that no user of any system saw it.
    top : (systems, cutoff) ints
    gain : (documents, worlds) floats
    outside : (at most cutoff,) floats
        The highest gains of documents that no system returns.
    """
    systems, cutoff = top.shape
    documents, worlds = gain.shape
    shared = np.empty((worlds, documents))
    np.multiply(gain.T, unseen_by_all, out=shared)
    width = min(2 * cutoff, documents)
    best = np.argsort(-shared, axis=1)[:, :width]
    shared = np.take_along_axis(shared, best, axis=1)
    not_own = np.ones((systems, documents + 1), bool)
    not_own[np.arange(systems)[:, np.newaxis], top] = False
    own_unseen = np.take_along_axis(np.pad(unseen, ((0, 0), (0, 1))), top, axis=1)
    gain_of = np.pad(gain, ((0, 1), (0, 0))).T.copy()
    weight = discount(cutoff)[::-1]
    candidate = np.zeros((worlds, width + cutoff + len(outside)))
    ideal = np.empty((systems, worlds))
    for system in range(systems):
        candidate[:, :width] = shared * not_own[system][best]
        candidate[:, width : width + cutoff] = own_unseen[system] * gain_of[:, top[system]]
        candidate[:, width + cutoff :] = outside
        candidate.sort(axis=1)
        ideal[system] = candidate[:, -cutoff:] @ weight
    return ideal


def _padded(relevant: BoolArray) -> BoolArray:
    """A last row for missing documents, which are not relevant."""
    return np.vstack((relevant, np.zeros((1, relevant.shape[1]), bool)))
