"""Rank-biased overlap (RBO) of rankings with ties, and its bounds.

At each depth, documents are counted that both rankings have. A group of tied documents is split at
a depth if only some of its ranks are at or above this depth. The treatments of ties differ in what
the documents of split groups count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from ..common.numeric import FloatArray, IntArray, safe_divide
from .tie_orders import Groups, at_rank, extreme_ranks

Numbers: TypeAlias = IntArray | FloatArray

SHARED = ("share", "a", "b")
"""Treatments in which a tied document counts by the share of its group's ranks in the prefix."""


class Split(NamedTuple):
    """The group that each prefix of a ranking splits; each array is (queries, depth)."""

    placed: IntArray  # the number of the group's ranks in the prefix; 0 if no group is split
    size: IntArray  # of the group; 1 if no group is split
    complete: IntArray  # documents whose groups end in the prefix; 0 beyond the ranking's end
    share: FloatArray  # the share of the group's ranks that the prefix has

    @classmethod
    def of(cls, groups: Groups, depth: int) -> Split:
        """Split the groups of a ranking of at most `depth` documents."""
        first, last = groups
        ranks, beyond = np.arange(1, first.shape[1] + 1), depth - first.shape[1]
        split = last > ranks
        placed = np.where(split, ranks - first + 1, 0)
        size = np.where(split, last - first + 1, 1)
        complete = np.where(split, first - 1, last)
        if beyond:
            width = ((0, 0), (0, beyond))
            placed = np.pad(placed, width)
            complete = np.pad(complete, width)
            size = np.pad(size, width, constant_values=1)
        return cls(placed, size, complete, placed / size)


class Common(NamedTuple):
    """Number of common documents at each depth, by whether their groups are split.

    Each array is (queries, depth).
    """

    complete: IntArray  # both groups are complete
    in_observed: IntArray  # only the group in B is split
    in_reference: IntArray  # only the group in R is split
    in_both: IntArray  # both groups are split

    @classmethod
    def of(cls, rank: IntArray, observed: Groups, reference: Groups, depth: int) -> Common:
        """Count the common documents of both rankings."""
        query, column = np.nonzero(rank)
        at = rank[query, column] - 1
        first, last = observed.first[query, at], observed.last[query, at]
        first_r, last_r = reference.first[query, column], reference.last[query, column]
        shape = (len(rank), depth)

        def counted(query: IntArray, rank: IntArray) -> IntArray:
            pairs = np.bincount(query * depth + rank - 1, minlength=shape[0] * depth)
            return pairs.reshape(shape)

        complete = np.cumsum(counted(query, np.maximum(last, last_r)), axis=1)
        tied = np.flatnonzero((first < last) | (first_r < last_r))
        if not len(tied):
            none = np.zeros(shape, np.int64)
            return cls(complete, none, none, none)
        query = query[tied]
        first, last = first[tied], last[tied]
        first_r, last_r = first_r[tied], last_r[tied]

        def between(start: IntArray, stop: IntArray) -> IntArray:
            """Number of documents with start <= depth < stop."""
            some = start < stop
            starts = counted(query[some], start[some])
            stops = counted(query[some], stop[some])
            return np.cumsum(starts - stops, axis=1)

        return cls(
            complete,
            between(np.maximum(first, last_r), last),
            between(np.maximum(first_r, last), last_r),
            between(np.maximum(first, first_r), np.minimum(last, last_r)),
        )


@dataclass(frozen=True, eq=False)
class Overlap:
    """The overlap of two rankings B and R at each depth.

    Parameters
    ----------
    ties
        ``share`` and ``a``: the mean over all orders of tied documents. They differ in `ext`.
        ``w``: a group that starts in the prefix is in it. ``b``: as ``a``, normalised by the
        information of both prefixes. ``least``, ``greatest``: the order with the least, or the
        greatest, overlap. ``break``: neither ranking has ties. The treatments ``w``, ``a`` and
        ``b`` are those of Corsi and Urbano (2024).
    """

    rank: IntArray
    observed: Groups
    reference: Groups
    ties: str

    @cached_property
    def depth(self) -> int:
        """Depth of the arrays, that of the deeper ranking."""
        return max(self.observed.first.shape[1], self.reference.first.shape[1])

    @cached_property
    def lengths(self) -> tuple[IntArray, IntArray]:
        """Length of the shorter and of the longer ranking: (queries,) each."""
        one, other = self.observed.length, self.reference.length
        return np.minimum(one, other), np.maximum(one, other)

    @cached_property
    def n_common(self) -> IntArray:
        """Number of documents in both rankings: (queries,)."""
        return np.count_nonzero(self.rank, axis=1)

    @cached_property
    def _common(self) -> Common:
        return Common.of(self.rank, self.observed, self.reference, self.depth)

    @cached_property
    def _split(self) -> tuple[Split, Split]:
        return Split.of(self.observed, self.depth), Split.of(self.reference, self.depth)

    @cached_property
    def common(self) -> Numbers:
        """Number of common documents at each depth, as the treatment counts them."""
        complete, in_observed, in_reference, in_both = self._common
        if not (in_observed.any() or in_reference.any() or in_both.any()):
            return complete
        if self.ties == "w":
            return complete + in_observed + in_reference + in_both
        one, other = self._split
        if self.ties in SHARED:
            x, y = one.share, other.share
            return complete + x * (in_observed + y * in_both) + y * in_reference
        if self.ties == "greatest":
            a, b = np.minimum(in_observed, one.placed), np.minimum(in_reference, other.placed)
            both = np.minimum(np.minimum(one.placed - a, other.placed - b), in_both)
            return complete + a + b + both
        # The other documents of a split group take its ranks in the prefix first.
        a = np.maximum(one.placed - (one.size - in_observed - in_both), 0)
        b = np.maximum(other.placed - (other.size - in_reference - in_both), 0)
        return complete + np.maximum(a + b - in_both, 0)

    @cached_property
    def denominator(self) -> FloatArray:
        """What the overlap at each depth is divided by: (queries, depth), or (depth,)."""
        depths = np.arange(1, self.depth + 1, dtype=np.float64)
        if self.ties == "w":
            return (self._in_prefix(self.observed) + self._in_prefix(self.reference)) / 2
        if self.ties == "b":
            one, other = self._split
            return np.sqrt(self._information(one) * self._information(other))
        return depths

    def _in_prefix(self, groups: Groups) -> IntArray:
        """Number of documents whose groups start in each prefix; the depth beyond the end."""
        depths = np.broadcast_to(np.arange(1, self.depth + 1), (len(self.rank), self.depth))
        held = np.array(depths)
        inside = groups.first > 0
        held[:, : inside.shape[1]][inside] = groups.last[inside]
        return held

    def _information(self, split: Split) -> FloatArray:
        """Sum of the squared shares of the documents of each prefix; the depth beyond the end."""
        complete = np.where(split.placed > 0, split.complete, np.arange(1, self.depth + 1))
        return complete + split.placed * split.share

    @cached_property
    def _beyond(self) -> IntArray:
        """Number of ranks by which each depth exceeds the shorter ranking."""
        return np.maximum(np.arange(1, self.depth + 1) - self.lengths[0][:, np.newaxis], 0)

    @cached_property
    def _unmatched(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Documents of the longer ranking alone, where the shorter one has ended.

        Returns their number in complete groups, in the split group, and the share of the latter.
        """
        one, other = self._split
        common = self._common
        complete = one.complete + other.complete - common.complete
        split = (one.size - common.in_observed) * (one.placed > 0)
        split += (other.size - common.in_reference) * (other.placed > 0)
        return complete, split, one.share + other.share

    @cached_property
    def rate(self) -> FloatArray:
        """The agreement at the end of the shorter ranking: (queries,); 0 if it is empty."""
        short = self.lengths[0][:, np.newaxis]
        overlap = at_rank(self.common, short)[:, 0]
        divisor = at_rank(np.broadcast_to(self.denominator, self.common.shape), short)[:, 0]
        return safe_divide(overlap, divisor)

    def _sum(self, overlap: Numbers, phi: float) -> FloatArray:
        """The weighted sum of the agreement down to the end of the longer ranking: (queries,)."""
        depths = np.arange(1, self.depth + 1)
        weight = (1.0 - phi) * np.power(phi, depths - 1.0)
        agreement = (
            np.where(depths <= self.lengths[1][:, np.newaxis], overlap, 0) / self.denominator
        )
        return agreement @ weight

    def lower(self, phi: float) -> FloatArray:
        """RBO of the two finite rankings: (queries,), in [0, 1]."""
        long = self.lengths[1]
        tails = logarithmic_tails(phi, int(long.max(initial=0)) + 1)
        return self._sum(self.common, phi) + (1.0 - phi) * self.n_common * tails[long]

    def parts(self, phi: float) -> FloatArray:
        """What each document of R adds to the lower bound, for one query: (columns,)."""
        rank, length = self.rank[0], int(self.lengths[1][0])
        column = np.flatnonzero(rank)
        depths = np.arange(1, length + 1)
        in_prefixes = np.ones((len(column), length))
        for groups, at in zip(self._placed(), (rank[column] - 1, column), strict=True):
            first, last = groups.first[0, at, np.newaxis], groups.last[0, at, np.newaxis]
            in_prefixes *= np.clip((depths - first + 1) / (last - first + 1), 0.0, 1.0)
        denominator = np.broadcast_to(self.denominator, (1, self.depth))[0, :length]
        weight = (1.0 - phi) * np.power(phi, depths - 1.0) / denominator
        parts = np.zeros(len(rank))
        parts[column] = in_prefixes @ weight + (1.0 - phi) * logarithmic_tails(phi, length + 1)[-1]
        return parts

    def _placed(self) -> tuple[Groups, Groups]:
        """The ranks over which a document spreads in B and in R, as the treatment has it."""
        if self.ties in SHARED:
            return self.observed, self.reference
        if self.ties == "w":  # a group is in a prefix as soon as it starts
            one, other = self.observed.first, self.reference.first
        else:
            greatest = self.ties == "greatest"
            one, other = extreme_ranks(self.rank, self.observed, self.reference, greatest)
        return Groups(one, one), Groups(other, other)

    def upper(self, phi: float) -> FloatArray:
        """The largest RBO that any continuation reaches: (queries,), in [0, 1].

        With ``w`` and ``b``, the largest that continuations without ties reach.
        """
        short, long = self.lengths
        union = short + long - self.n_common
        tails = logarithmic_tails(phi, int(union.max(initial=0)) + 1)
        # From the longer ranking's end to the size of the union, both rankings can add a common
        # document at every depth. From there on, all documents can be common.
        shared = 2.0 * (np.power(phi, long) - np.power(phi, union))
        missing = (1.0 - phi) * union * (tails[long] - tails[union])
        return self._sum(self.common + self._addable(), phi) + shared - missing + phi**union

    def _addable(self) -> Numbers:
        """How much the shorter ranking's continuation can add to the overlap at each depth."""
        if self.ties not in SHARED:
            return self._beyond
        complete, _, share = self._unmatched
        from_split = np.maximum(self._beyond - complete, 0)
        return np.minimum(self._beyond, complete) + share * from_split

    def ext(self, phi: float) -> FloatArray:
        """RBO if the agreement at the ends of the rankings continues: (queries,), in [0, 1].

        The extrapolation of Webber, Moffat and Zobel (2010, Eq. 32).
        """
        short, long = self.lengths
        listed = self._sum(
            self.common + self._beyond * self.rate[:, np.newaxis] * self._known(), phi
        )
        at_end = safe_divide(self.n_common + (long - short) * self.rate, long)
        return listed + at_end * np.power(phi, long)

    def _known(self) -> FloatArray | float:
        """The share of the longer ranking's own documents that each prefix counts."""
        if self.ties not in ("a", "b"):
            return 1.0
        complete, split, share = self._unmatched
        return safe_divide(complete + share * split, complete + split)


def overlap(
    rank: IntArray, observed: Groups, reference: Groups, phi: float, ties: str, bound: str
) -> FloatArray:
    """RBO of two finite rankings, or a bound on RBO if the rankings continue: (queries,).

    The bounds ``lower`` (if the continuations have no common document), ``upper`` and ``ext`` are
    methods of `Overlap`, which explains `ties`. ``residual`` is the upper minus the lower bound.
    """
    compared = Overlap(rank, observed, reference, ties)
    if bound == "residual":
        return compared.upper(phi) - compared.lower(phi)
    bounds: dict[str, Callable[[float], FloatArray]] = {
        "lower": compared.lower,
        "upper": compared.upper,
        "ext": compared.ext,
    }
    return bounds[bound](phi)


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
    if phi**depth > 0.1:  # the difference loses at most three digits
        last = -np.log1p(-phi) / phi - terms.sum()
    else:
        # Terms below exp(-40) = 4e-18 of the first are lost in rounding. The smallest come first.
        far = np.arange(depth, depth + np.ceil(40.0 / -np.log(phi)))
        last = np.sum((np.power(phi, far - 1.0) / far)[::-1])
    return np.cumsum(np.append(terms, last)[::-1])[::-1]
