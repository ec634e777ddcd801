"""All pairs of systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..common.arrays import FloatArray, Int64Array
from ..common.chunks import slices

# The tests multiply matrices, which is faster by a third in larger blocks than the usual ones.
BLOCK_ELEMENTS = 1 << 21


class Pairs(NamedTuple):
    """Every pair of systems once, the earlier system first: two arrays of positions."""

    first: Int64Array
    second: Int64Array

    @classmethod
    def of(cls, systems: int) -> Pairs:
        return cls(*np.triu_indices(systems, 1))

    def blocks(self, elements_per_pair: int) -> Iterator[tuple[slice, Pairs]]:
        """Slices of the pairs, and the pairs in each."""
        for block in slices(len(self.first), elements_per_pair, BLOCK_ELEMENTS):
            yield block, Pairs(self.first[block], self.second[block])

    def differences(self, values: FloatArray) -> FloatArray:
        """Value of the first system minus that of the second; systems are the first axis."""
        return values[self.first] - values[self.second]
