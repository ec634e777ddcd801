"""Pairs of systems: all of them, or each system with each baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray, Int64Array, slices

# Larger than the default: the tests' matrix products are a third faster in larger blocks.
BLOCK_ELEMENTS = 1 << 21


class Pairs(NamedTuple):
    """Two arrays of positions: the systems of each pair."""

    first: Int64Array
    second: Int64Array

    @classmethod
    def of(cls, systems: int) -> Pairs:
        """Every pair of systems once, the earlier system first."""
        return cls(*np.triu_indices(systems, 1))

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
        side = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        key = side[0] * (side[1].max(initial=0) + 1) + side[1]
        _, stated, which = np.unique(key, return_index=True, return_inverse=True)
        order = np.argsort(stated)  # as the pairs come, not by the systems' positions
        return stated[order], np.argsort(order)[which]

    def blocks(self, elements_per_pair: int) -> Iterator[tuple[slice, Pairs]]:
        """Yield slices of the pairs, and the pairs in each slice."""
        for block in slices(len(self.first), elements_per_pair, BLOCK_ELEMENTS):
            yield block, Pairs(self.first[block], self.second[block])

    def differences(self, values: FloatArray) -> FloatArray:
        """Value of the first system minus value of the second; the first axis is the systems."""
        return values[self.first] - values[self.second]
