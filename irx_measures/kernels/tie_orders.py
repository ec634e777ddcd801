"""Tie groups of rankings, and the orders of tied documents in which two rankings agree most."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import AnyArray, IntArray

Number = TypeVar("Number", bound=np.number)


class Groups(NamedTuple):
    """Tie groups of rankings."""

    first: IntArray  # (queries, depth): first rank of the group at a rank; 0 beyond the end
    last: IntArray  # (queries, depth): last rank of this group

    @property
    def length(self) -> IntArray:
        """Length of each ranking: (queries,)."""
        return np.count_nonzero(self.first, axis=1)


def tie_groups(level: AnyArray, length: IntArray, share: bool) -> Groups:
    """Tie groups of rankings: adjacent documents with equal levels are tied.

    Here `level` holds the values that documents are ranked by, in rank order: (queries, depth),
    with depth at least each length. If `share` is False, every document is its own group.
    """
    if not share or not level.shape[1]:
        return untied_groups(length, level.shape[1])
    rank = np.arange(1, level.shape[1] + 1)
    inside = rank <= length[:, np.newaxis]
    starts = np.ones(level.shape, bool)
    starts[:, 1:] = level[:, 1:] != level[:, :-1]
    ends = np.ones(level.shape, bool)
    ends[:, :-1] = starts[:, 1:]
    first = np.maximum.accumulate(np.where(starts, rank, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, rank, rank[-1])[:, ::-1], axis=1)[:, ::-1]
    last = np.minimum(last, length[:, np.newaxis])
    return Groups(np.where(inside, first, 0), np.where(inside, last, 0))


def untied_groups(length: IntArray, depth: int) -> Groups:
    """Rankings without ties, of these lengths: every document is its own group."""
    rank = np.arange(1, depth + 1)
    own = np.where(rank <= length[:, np.newaxis], rank, 0)
    return Groups(own, own)


def at_rank(by_rank: NDArray[Number], rank: IntArray) -> NDArray[Number]:
    """Look up the values of ranks; the value of rank 0 is 0: (queries, documents)."""
    padded = np.concatenate((np.zeros((len(by_rank), 1), by_rank.dtype), by_rank), axis=1)
    return np.take_along_axis(padded, rank, axis=1)


def extreme_ranks(
    rank: IntArray, observed: Groups, reference: Groups, greatest: bool
) -> tuple[IntArray, IntArray]:
    """Ranks in the order of tied documents with the greatest, or least, overlap at every depth.

    In B and in R, (queries, depth of the ranking) each, they are the new ranks of the documents
    that had the rank of the column; 0 beyond a ranking's end. If `greatest` is False, the overlap
    is the least.

    Within a group, documents are ordered by the place of their groups in the other ranking;
    documents that the other ranking lacks are last. Documents that share both groups have the same
    order in both rankings. For the least overlap, each of these orders is reversed in one ranking.
    """
    column = np.broadcast_to(np.arange(1, rank.shape[1] + 1), rank.shape)
    partner = np.zeros((len(rank), observed.first.shape[1] + 1), np.int64)
    np.put_along_axis(partner, rank, column, axis=1)
    partner = partner[:, 1:]
    direction = 1 if greatest else -1
    return (
        _sorted_ranks(observed, at_rank(reference.first, partner), partner, direction),
        _sorted_ranks(reference, at_rank(observed.first, rank), direction * column, direction),
    )


def _sorted_ranks(
    groups: Groups, place: IntArray, within_pair: IntArray, direction: int
) -> IntArray:
    """Ranks if each group is sorted by the place of its documents in the other ranking."""
    absent = np.iinfo(np.int64).max
    inside = groups.first > 0
    group = np.where(inside, groups.first, absent)
    key = direction * np.where(place > 0, place, absent)
    order = np.lexsort((within_pair, key, group), axis=1)
    rank = np.empty(order.shape, np.int64)
    ranks = np.broadcast_to(np.arange(1, order.shape[1] + 1), order.shape)
    np.put_along_axis(rank, order, ranks, axis=1)
    return np.where(inside, rank, 0)


def extreme_order(
    rank: IntArray, observed: Groups, reference: Groups, greatest: bool
) -> tuple[IntArray, Groups, Groups]:
    """The arguments for the untied rankings in the order of `extreme_ranks`."""
    new_observed, new_reference = extreme_ranks(rank, observed, reference, greatest)
    reordered = np.zeros((len(rank), rank.shape[1] + 1), np.int64)
    np.put_along_axis(reordered, new_reference, at_rank(new_observed, rank), axis=1)
    return reordered[:, 1:], _untied(observed), _untied(reference)


def _untied(groups: Groups) -> Groups:
    return untied_groups(groups.length, groups.first.shape[1])
