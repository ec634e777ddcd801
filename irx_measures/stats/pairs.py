"""Pairs of systems: all of them, or each system with each baseline; what their scores differ by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..common.memory import require_memory
from ..common.numeric import BoolArray, FloatArray, Int64Array, slices

# Larger than the default: the tests' matrix products are a third faster in larger blocks.
BLOCK_ELEMENTS = 1 << 21

# Of a pair and of the values that studies have of it: a test and its correction take about as much.
BYTES_OF_PAIR = 150

# Float noise, over the largest score: .6 - .4 and .4 - .2 differ by 5e-17, sums in another order by
# a few digits more. Differences that mean something are larger by far.
ROUNDING = 1e-12


def noise_of(scores: FloatArray) -> float:
    """The largest difference that is float noise, for scores of one measure, of any shape.

    It is 1e-12 of the largest absolute score. So decisions do not depend on the unit of scores:
    they are the same for shares, percentages and counts.
    """
    return ROUNDING * float(np.fmax.reduce(np.abs(scores), axis=None, initial=0.0))


def without_noise(differences: FloatArray, noise: float) -> FloatArray:
    """Differences, of which those up to `noise` are 0; see `noise_of`."""
    return np.where(np.abs(differences) <= noise, 0.0, differences)


def join_ties(values: FloatArray, noise: float | None = None) -> FloatArray:
    """Values in which those that differ by float noise only are equal: (..., values).

    Values that lie within `noise` of the next smaller one become equal to it. By default, the noise
    is 1e-12 of the largest absolute value in the last axis; for means, better that of the scores.
    Rounding to decimals would not do: of two values that differ by noise, one may be rounded up and
    the other one down.
    """
    if noise is None:
        limit = ROUNDING * np.abs(values).max(axis=-1, keepdims=True, initial=0.0)
    else:
        limit = np.asarray(noise)
    order = np.argsort(values, axis=-1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=-1)
    is_above = np.diff(ascending, axis=-1, prepend=ascending[..., :1]) > limit
    # Where the ties of each value begin.
    begin = np.maximum.accumulate(np.where(is_above, np.arange(values.shape[-1]), 0), axis=-1)
    joined = np.empty_like(ascending)
    np.put_along_axis(joined, order, np.take_along_axis(ascending, begin, axis=-1), axis=-1)
    return joined


def highest(values: FloatArray) -> BoolArray:
    """Where the highest value of each column is; undefined values are never the highest."""
    noise = ROUNDING * np.fmax.reduce(np.abs(values), axis=0)
    return np.asarray(values >= np.fmax.reduce(values, axis=0) - noise)


def pairs_of(systems: int) -> int:
    """How many pairs so many systems have."""
    return systems * (systems - 1) // 2


class Pairs(NamedTuple):
    """Two arrays of positions: the systems of each pair."""

    first: Int64Array
    second: Int64Array

    @classmethod
    def of(cls, systems: int) -> Pairs:
        """Every pair of systems once, the earlier system first.

        InputError, before they are made, if they and their values need more memory than is allowed.
        """
        needed = BYTES_OF_PAIR * pairs_of(systems)
        require_memory(f"all pairs of {systems} systems", needed, remark="")
        first, second = np.triu_indices(systems, 1)
        return cls(first, second)

    @classmethod
    def against(cls, systems: int, baselines: Sequence[int]) -> Pairs:
        """Every system with every other system that is a baseline, baseline by baseline.

        `first` is the system, `second` the baseline. Two baselines make two pairs: each is compared
        with the other.
        """
        second, first = np.divmod(np.arange(len(baselines) * systems), systems)
        baseline = np.asarray(baselines, dtype=np.int64)[second]
        differs = first != baseline
        return cls(first[differs], baseline[differs])

    def unordered(self) -> tuple[Int64Array, Int64Array]:
        """Positions of the pairs that are not another one's other side, and which one each is."""
        lower, higher = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        key = lower * (higher.max(initial=0) + 1) + higher  # the same from both sides
        _, stated, which = np.unique(key, return_index=True, return_inverse=True)
        # `stated` is in the order of the keys. The pairs are wanted as they come, so each key gets
        # the rank of its pair among the stated ones.
        as_they_come = np.argsort(stated)
        rank = np.empty_like(as_they_come)
        rank[as_they_come] = np.arange(len(rank))
        return stated[as_they_come], rank[which]

    def blocks(self, elements_per_pair: int) -> Iterator[tuple[slice, Pairs]]:
        """Yield slices of the pairs, and the pairs in each slice."""
        for block in slices(len(self.first), elements_per_pair, BLOCK_ELEMENTS):
            yield block, Pairs(self.first[block], self.second[block])

    def differences(self, values: FloatArray, noise: float | None = None) -> FloatArray:
        """Value of the first system minus value of the second, 0 where it is float noise.

        The first axis of `values` is the systems. By default, `noise` is that of the values; the
        means of scores have that of the scores.
        """
        limit = noise_of(values) if noise is None else noise
        return without_noise(values[self.first] - values[self.second], limit)
