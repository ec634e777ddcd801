"""Rank-biased recall, alignment and precision, with their bounds.

Recall and alignment compare an observation B with a reference R; precision is of one ranking, with
documents as columns. Weights are geometric, ``(1 - phi) phi ** (rank - 1)``. Tied documents share
the weights of their group equally.

For RBR, `ties` may be ``share``, as said, or ``least`` or ``greatest``: in each group of R, the
documents of B have the last, or the first, ranks. They share the weights of these ranks.
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import BoolArray, FloatArray, IntArray
from .tie_orders import Groups, at_rank


def weights(groups: Groups, phi: float) -> FloatArray:
    """Weight of the document at every rank, 0 beyond a ranking's end: (queries, depth) floats."""
    size = groups.last - groups.first + 1
    weight = np.power(phi, np.maximum(groups.first, 1) - 1.0) * -np.expm1(size * np.log(phi)) / size
    return np.where(groups.first > 0, weight, 0.0)


def recall_parts(rank: IntArray, reference: Groups, phi: float, ties: str) -> FloatArray:
    """What each document of R adds to RBR: (queries, depth of R) floats."""
    returned = rank > 0
    if ties == "share":
        return np.where(returned, weights(reference, phi), 0.0)
    _, together = _count_in_groups(returned, reference)
    start = reference.first - 1 if ties == "greatest" else reference.last - together
    total = np.power(phi, np.maximum(start, 0.0)) * -np.expm1(together * np.log(phi))
    return np.where(returned, total / np.maximum(together, 1), 0.0)


def recall(rank: IntArray, reference: Groups, phi: float, ties: str) -> FloatArray:
    """RBR: total weight in R of the documents in the set B (Eq. 6): (queries,), in [0, 1]."""
    return recall_parts(rank, reference, phi, ties).sum(axis=1)


def _count_in_groups(chosen: BoolArray, groups: Groups) -> tuple[IntArray, IntArray]:
    """Number of chosen documents before the group at every rank, and in it."""
    down_to = np.cumsum(chosen, axis=1, dtype=np.int64)
    before = at_rank(down_to, np.maximum(groups.first - 1, 0))
    return before, at_rank(down_to, groups.last) - before


def recall_residual(rank: IntArray, observed: IntArray, depth: IntArray, phi: float) -> FloatArray:
    """Residual of RBR, if R continues with the unmatched documents of B (Eq. 9): (queries,).

    Here `observed` is the number of documents in B and `depth` the length of R: (queries,) ints.
    """
    unmatched = observed - np.count_nonzero(rank, axis=1)
    return np.power(phi, depth) * -np.expm1(unmatched * np.log(phi))


def alignment(rank: IntArray, observed: Groups, reference: Groups, phi: float) -> FloatArray:
    """RBA: sum over common documents of the geometric mean of both weights (Eq. 11): (queries,)."""
    observed_weight = at_rank(weights(observed, phi), rank)
    return np.sqrt(observed_weight * weights(reference, phi)).sum(axis=1)


def alignment_residual(
    rank: IntArray, observed: Groups, reference: Groups, phi: float
) -> FloatArray:
    """Residual of RBA: its increase if both rankings continue optimally (Algorithm 1): (queries,).

    Each ranking continues with the documents that only the other one contains, in the other's
    order; those of a group are one group again. After them, both rankings are identical.
    """
    in_observed = np.zeros((len(rank), observed.first.shape[1] + 1), bool)
    np.put_along_axis(in_observed, rank, True, axis=1)
    only_observed = (observed.first > 0) & ~in_observed[:, 1:]
    only_reference = (reference.first > 0) & (rank == 0)
    extra = _appended(only_observed, observed, reference.length, phi)
    extra += _appended(only_reference, reference, observed.length, phi)
    union = observed.length + np.count_nonzero(only_reference, axis=1)
    return extra + np.power(phi, union)


def _appended(missing: BoolArray, groups: Groups, length: IntArray, phi: float) -> FloatArray:
    """Increase of RBA if the other ranking continues with the missing documents: (queries,)."""
    before, together = _count_in_groups(missing, groups)
    total = np.power(phi, length[:, np.newaxis] + before) * -np.expm1(together * np.log(phi))
    there = total / np.maximum(together, 1)
    return np.sqrt(np.where(missing, weights(groups, phi) * there, 0.0)).sum(axis=1)


def rank_weights(rank: IntArray, phi: float) -> FloatArray:
    """Weight of each rank; that of rank 0, of documents that are not returned, is 0."""
    weight = (1.0 - phi) * np.power(phi, np.maximum(rank, 1) - 1.0)
    return np.where(rank > 0, weight, 0.0)


def precision(rank: IntArray, relevant: BoolArray, phi: float) -> FloatArray:
    """RBP: total weight of the ranks of relevant documents (Eq. 4): (queries,), in [0, 1]."""
    return np.einsum("qj,qj->q", rank_weights(rank, phi), relevant)


def precision_residual(rank: IntArray, judged: BoolArray, phi: float) -> FloatArray:
    """Residual of RBP: 1 minus the weight of the judged documents: (queries,), in [0, 1].

    It is the weight of the unjudged documents and of all ranks beyond the ranking's end.
    """
    return 1.0 - precision(rank, judged, phi)
