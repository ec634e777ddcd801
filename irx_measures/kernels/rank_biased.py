"""Rank-biased recall, alignment, overlap and precision, with their bounds.

An observation B is compared with a reference R. Columns are the ranks of R: column j is rank j + 1.
Weights are geometric, ``(1 - phi) phi ** (rank - 1)``. Tied documents share the weights of their
group equally.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.arrays import AnyArray, BoolArray, FloatArray, IntArray
from ..common.division import safe_divide


class Groups(NamedTuple):
    """Tie groups of rankings.

    Attributes
    ----------
    first, last : (queries, depth) ints
        First and last rank of the group at every rank; 0 beyond a ranking's end.
    """

    first: IntArray
    last: IntArray

    @property
    def length(self) -> IntArray:
        """Length of each ranking: (queries,)."""
        return np.count_nonzero(self.first, axis=1)


def tie_groups(level: AnyArray, length: IntArray, share: bool) -> Groups:
    """Tie groups of rankings: adjacent documents with equal levels are tied.

    Parameters
    ----------
    level : (queries, depth)
        The values that documents are ranked by, in rank order.
    length : (queries,) ints
        Length of each ranking, at most depth.
    share
        Whether equal levels are ties. If False, every document is its own group.
    """
    rank = np.arange(1, level.shape[1] + 1)
    inside = rank <= length[:, np.newaxis]
    first = np.where(inside, rank, 0)
    if not share or not level.shape[1]:
        return Groups(first, first)
    starts = np.ones(level.shape, bool)
    starts[:, 1:] = level[:, 1:] != level[:, :-1]
    ends = np.ones(level.shape, bool)
    ends[:, :-1] = starts[:, 1:]
    first = np.maximum.accumulate(np.where(starts, rank, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, rank, rank[-1])[:, ::-1], axis=1)[:, ::-1]
    last = np.minimum(last, length[:, np.newaxis])
    return Groups(np.where(inside, first, 0), np.where(inside, last, 0))


def weights(groups: Groups, phi: float) -> FloatArray:
    """Weight of the document at every rank: (queries, depth) floats.

    Tied documents share the weights of their group. Weights beyond a ranking's end are 0.
    """
    size = groups.last - groups.first + 1
    weight = np.power(phi, np.maximum(groups.first, 1) - 1.0) * -np.expm1(size * np.log(phi)) / size
    return np.where(groups.first > 0, weight, 0.0)


def _at(by_rank: FloatArray, rank: IntArray) -> FloatArray:
    """Look up the values of ranks; the value of rank 0 is 0: (queries, documents)."""
    padded = np.concatenate((np.zeros((len(by_rank), 1)), by_rank), axis=1)
    return np.take_along_axis(padded, rank, axis=1)


def recall(rank: IntArray, reference: Groups, phi: float) -> FloatArray:
    """RBR: total weight, in R, of the documents in the observed set (Eq. 6): (queries,), in [0, 1].

    Parameters
    ----------
    rank : (queries, reference depth) ints
        Rank in B of each document of R, 0 if B does not contain it.
    phi
        Persistence, in (0, 1).
    """
    return np.einsum("qj,qj->q", weights(reference, phi), rank > 0)


def recall_residual(rank: IntArray, observed: IntArray, depth: IntArray, phi: float) -> FloatArray:
    """Residual of RBR: its increase if R continues with the unmatched documents of B (Eq. 9).

    Parameters
    ----------
    rank : (queries, reference depth) ints
        As for `recall`.
    observed : (queries,) ints
        Number of documents in B.
    depth : (queries,) ints
        Length of R.
    phi
        Persistence, in (0, 1).

    Returns
    -------
    (queries,) floats
    """
    unmatched = observed - np.count_nonzero(rank, axis=1)
    return np.power(phi, depth) * -np.expm1(unmatched * np.log(phi))


def alignment(rank: IntArray, observed: Groups, reference: Groups, phi: float) -> FloatArray:
    """RBA: sum over common documents of the geometric mean of both weights (Eq. 11): (queries,)."""
    observed_weight = _at(weights(observed, phi), rank)
    return np.sqrt(observed_weight * weights(reference, phi)).sum(axis=1)


def alignment_residual(
    rank: IntArray, observed: Groups, reference: Groups, phi: float
) -> FloatArray:
    """Residual of RBA: its increase if both rankings continue optimally (Algorithm 1): (queries,).

    Each ranking continues with the documents that only the other one contains, in the other's
    order. After them, both rankings are identical.
    """
    in_observed = np.zeros((len(rank), observed.first.shape[1] + 1), bool)
    np.put_along_axis(in_observed, rank, True, axis=1)
    only_observed = (observed.first > 0) & ~in_observed[:, 1:]
    only_reference = (reference.first > 0) & (rank == 0)
    extra = _appended(only_observed, weights(observed, phi), reference.length, phi)
    extra += _appended(only_reference, weights(reference, phi), observed.length, phi)
    union = observed.length + np.count_nonzero(only_reference, axis=1)
    return extra + np.power(phi, union)


def _appended(unmatched: BoolArray, weight: FloatArray, length: IntArray, phi: float) -> FloatArray:
    """Increase of RBA if the other ranking continues with the unmatched documents: (queries,)."""
    place = length[:, np.newaxis] + np.cumsum(unmatched, axis=1)
    there = (1.0 - phi) * np.power(phi, place - 1.0)
    return np.sqrt(np.where(unmatched, weight * there, 0.0)).sum(axis=1)


def mean_overlap(rank: IntArray, observed: Groups, reference: Groups) -> FloatArray:
    """Mean number of common documents at each depth, over all orders of tied documents.

    A tied document is at or above a given depth in a share of the orders of its group. The ties of
    the two rankings are ordered independently, so the shares of both rankings are multiplied.

    Returns
    -------
    (queries, depth) floats
        Up to the depth of the deeper ranking.
    """
    depth = max(observed.first.shape[1], reference.first.shape[1])
    query, column = np.nonzero(rank)
    at = rank[query, column] - 1
    bounds = (
        observed.first[query, at],
        observed.last[query, at],
        reference.first[query, column],
        reference.last[query, column],
    )
    untied = (bounds[0] == bounds[1]) & (bounds[2] == bounds[3])
    appears = np.zeros((len(rank), depth + 1))
    np.add.at(appears, (query[untied], np.maximum(bounds[0], bounds[2])[untied]), 1.0)
    overlap = np.cumsum(appears, axis=1)[:, 1:]
    tied = np.flatnonzero(~untied)
    depths = np.arange(1, depth + 1)
    for chunk in np.array_split(tied, -(-len(tied) * depth // _CHUNK) or 1):
        first, last, other_first, other_last = (bound[chunk, np.newaxis] for bound in bounds)
        share = share_above(depths, first, last) * share_above(depths, other_first, other_last)
        np.add.at(overlap, query[chunk], share)
    return overlap


_CHUNK = 1 << 20


def share_above(depth: IntArray, first: IntArray, last: IntArray) -> FloatArray:
    """Share of the orders of a tie group in which a document is at or above a depth."""
    return np.clip((depth - first + 1) / (last - first + 1), 0.0, 1.0)


def overlap(
    agreement: FloatArray, observed: IntArray, reference: IntArray, phi: float, bound: str
) -> FloatArray:
    """RBO of two finite rankings, or a bound on RBO if the rankings continue (Eq. 5).

    Parameters
    ----------
    agreement : (queries, depth) floats
        The result of `mean_overlap`.
    observed, reference : (queries,) ints
        Lengths of the rankings.
    phi
        Persistence, in (0, 1).
    bound
        ``lower``: the continuations have no common document. ``upper``: the largest RBO that any
        continuation reaches. ``ext``: extrapolates the agreement at the last depths (Webber, Moffat
        and Zobel 2010, Eq. 32).

    Returns
    -------
    (queries,) floats, in [0, 1]
    """
    width = agreement.shape[1]
    if bound == "lower":
        appearing = np.diff(agreement, axis=1, prepend=0.0)
        return (1.0 - phi) * (appearing @ logarithmic_tails(phi, width))
    if bound == "upper":
        return _largest_overlap(agreement, observed, reference, phi)
    return _extrapolated_overlap(agreement, observed, reference, phi)


def _largest_overlap(
    agreement: FloatArray, observed: IntArray, reference: IntArray, phi: float
) -> FloatArray:
    # Beyond its end, a ranking can add a common document at every depth. From the summed length of
    # both rankings on, all documents may be common.
    depth = int((observed + reference).max(initial=0))
    depths = np.arange(1, depth + 1)
    known = np.pad(agreement, ((0, 0), (0, depth)), mode="edge")[:, :depth]
    free = sum(np.maximum(depths - length[:, np.newaxis], 0) for length in (observed, reference))
    most = np.minimum(depths, known + free)
    return (1.0 - phi) * (most @ (np.power(phi, depths - 1.0) / depths)) + phi**depth


def _extrapolated_overlap(
    agreement: FloatArray, observed: IntArray, reference: IntArray, phi: float
) -> FloatArray:
    short, long = np.minimum(observed, reference), np.maximum(observed, reference)
    depths = np.arange(1, agreement.shape[1] + 1)
    padded = np.concatenate((np.zeros((len(agreement), 1)), agreement), axis=1)
    at_short = np.take_along_axis(padded, short[:, np.newaxis], axis=1)[:, 0]
    at_long = np.take_along_axis(padded, long[:, np.newaxis], axis=1)[:, 0]
    rate = safe_divide(at_short, short)
    beyond = np.maximum(depths - short[:, np.newaxis], 0) * rate[:, np.newaxis]
    within = depths <= long[:, np.newaxis]
    seen = np.where(within, agreement + beyond, 0.0)
    partial = (1.0 - phi) * (seen @ (np.power(phi, depths - 1.0) / depths))
    gained = safe_divide(at_long - at_short, long)
    return partial + (gained + rate) * np.power(phi, long)


def logarithmic_tails(phi: float, depth: int) -> FloatArray:
    """``sum over i >= m of phi ** (i - 1) / i`` for m from 1 to `depth`: (depth,).

    The last tail is computed from the logarithm if this loses no digits, else by summing its terms
    (at most about 20 times `depth` terms matter). The other tails are computed from it by adding
    positive terms.
    """
    if not depth:
        return np.zeros(0)
    ranks = np.arange(1, depth, dtype=np.float64)
    terms = np.power(phi, ranks - 1.0) / ranks
    if phi**depth > 0.1:
        last = -np.log1p(-phi) / phi - terms.sum()
    else:
        far = np.arange(depth, depth + np.ceil(40.0 / -np.log(phi)))
        last = np.sum((np.power(phi, far - 1.0) / far)[::-1])
    return np.cumsum(np.append(terms, last)[::-1])[::-1]


def precision(rank: IntArray, relevant: BoolArray, phi: float) -> FloatArray:
    """RBP: total weight of the ranks of relevant documents (Eq. 4): (queries,), in [0, 1]."""
    weight = (1.0 - phi) * np.power(phi, np.maximum(rank, 1) - 1.0)
    return np.einsum("qj,qj->q", weight, relevant & (rank > 0))


def precision_residual(rank: IntArray, judged: BoolArray, phi: float) -> FloatArray:
    """Residual of RBP: 1 minus the weight of the judged documents: (queries,), in [0, 1].

    It is the weight of the unjudged documents and of all ranks beyond the ranking's end.
    """
    return 1.0 - precision(rank, judged, phi)
