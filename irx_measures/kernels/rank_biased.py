"""Rank-biased recall, alignment, overlap and precision, with their bounds.

An observation B is held against a reference R. Ranks of R are columns: column j is rank j + 1.
Weights are geometric, ``(1 - phi) phi ** (rank - 1)``; tied documents share those of their group.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.arrays import AnyArray, BoolArray, FloatArray, IntArray
from ..common.division import safe_divide


class Groups(NamedTuple):
    """Tie groups of rankings: the first and last rank of the group at every rank.

    Both are (queries, depth), 0 beyond a ranking's end.
    """

    first: IntArray
    last: IntArray

    @property
    def length(self) -> IntArray:
        """Length of each ranking: (queries,)."""
        return np.count_nonzero(self.first, axis=1)


def tie_groups(level: AnyArray, length: IntArray, share: bool) -> Groups:
    """Tie groups of rankings whose equal levels, in succession, are tied.

    Parameters
    ----------
    level : (queries, depth)
        What documents are ranked by.
    length : (queries,)
        Length of each ranking, at most depth.
    share
        Whether ties are kept; if not, every document is a group of its own.
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
    """Weight of the document at every rank, shared within tie groups: (queries, depth).

    0 beyond a ranking's end.
    """
    size = groups.last - groups.first + 1
    weight = np.power(phi, np.maximum(groups.first, 1) - 1.0) * -np.expm1(size * np.log(phi)) / size
    return np.where(groups.first > 0, weight, 0.0)


def _at(by_rank: FloatArray, rank: IntArray) -> FloatArray:
    """Values of ranks, 0 for rank 0: (queries, documents)."""
    padded = np.concatenate((np.zeros((len(by_rank), 1)), by_rank), axis=1)
    return np.take_along_axis(padded, rank, axis=1)


def recall(rank: IntArray, reference: Groups, phi: float) -> FloatArray:
    """RBR: weight of the reference's documents in the observed set (Eq. 6): (queries,).

    Parameters
    ----------
    rank : (queries, reference depth)
        Rank at which B has each document of R, 0 where it has not.
    """
    return np.einsum("qj,qj->q", weights(reference, phi), rank > 0)


def recall_residual(rank: IntArray, observed: IntArray, depth: IntArray, phi: float) -> FloatArray:
    """What RBR may gain if the reference goes on with the unmatched documents of B (Eq. 9).

    Parameters
    ----------
    rank : (queries, reference depth)
        As for `recall`.
    observed : (queries,)
        Number of documents in B.
    depth : (queries,)
        Length of R.
    """
    unmatched = observed - np.count_nonzero(rank, axis=1)
    return np.power(phi, depth) * -np.expm1(unmatched * np.log(phi))


def alignment(rank: IntArray, observed: Groups, reference: Groups, phi: float) -> FloatArray:
    """RBA: geometric means of the weights of common documents (Eq. 11): (queries,)."""
    observed_weight = _at(weights(observed, phi), rank)
    return np.sqrt(observed_weight * weights(reference, phi)).sum(axis=1)


def alignment_residual(
    rank: IntArray, observed: Groups, reference: Groups, phi: float
) -> FloatArray:
    """What RBA may gain if both rankings go on as well as they can (Algorithm 1): (queries,).

    Each ranking goes on with the documents that only the other one has, in the other's order; then
    both agree for ever.
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
    """Alignment gained when the other ranking goes on with the unmatched documents: (queries,)."""
    place = length[:, np.newaxis] + np.cumsum(unmatched, axis=1)
    there = (1.0 - phi) * np.power(phi, place - 1.0)
    return np.sqrt(np.where(unmatched, weight * there, 0.0)).sum(axis=1)


def mean_overlap(rank: IntArray, observed: Groups, reference: Groups) -> FloatArray:
    """Mean number of common documents at each depth, over all orders of tied documents.

    A document of a tie group stands at or above a depth in a share of the orders, and the two
    rankings' ties are ordered independently of each other, so that shares multiply.

    Returns
    -------
    (queries, depth) where depth is that of the deeper ranking.
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
        share = _share(depths, first, last) * _share(depths, other_first, other_last)
        np.add.at(overlap, query[chunk], share)
    return overlap


_CHUNK = 1 << 20


def _share(depth: IntArray, first: IntArray, last: IntArray) -> FloatArray:
    """In what share of the orders of its group a document stands at or above a depth."""
    return np.clip((depth - first + 1) / (last - first + 1), 0.0, 1.0)


def overlap(
    agreement: FloatArray, observed: IntArray, reference: IntArray, phi: float, bound: str
) -> FloatArray:
    """RBO of two finite rankings, or a bound on that of any two that they begin (Eq. 5).

    Parameters
    ----------
    agreement : (queries, depth)
        `mean_overlap`.
    observed, reference : (queries,)
        Lengths of the rankings.
    bound
        ``lower``: neither ranking brings another common document. ``upper``: the largest value
        that any continuation reaches. ``ext``: the agreement at the last depths goes on (Webber,
        Moffat and Zobel 2010, Eq. 32).

    Returns
    -------
    (queries,)
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
    # Beyond its end a ranking can bring a common document at every depth; once both are as long
    # as the two together, everything may be in common.
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
    """``sum over i >= m of phi ** (i - 1) / i`` for m from 1 to `depth`.

    The last tail comes from the logarithm while that loses no digits, else from its own terms, of
    which at most some 20 times `depth` matter; the others are sums of positive terms from there.
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
    """RBP: weight of the ranks that hold relevant documents (Eq. 4): (queries,)."""
    weight = (1.0 - phi) * np.power(phi, np.maximum(rank, 1) - 1.0)
    return np.einsum("qj,qj->q", weight, relevant & (rank > 0))


def precision_residual(rank: IntArray, judged: BoolArray, phi: float) -> FloatArray:
    """Weight of what RBP does not know: unjudged documents, and all beyond the end: (queries,).

    Everything that is not judged is unknown, so it is 1 less the weight of the judged documents.
    """
    return 1.0 - precision(rank, judged, phi)
