"""All pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..common.arrays import FloatArray, Int64Array

# Scores that differ by no more are equal, but for the order in which they were summed.
ROUNDING = 1e-12


def rounded(means: FloatArray) -> FloatArray:
    """Means of which those are equal that differ by rounding alone, so that ties are ties."""
    return np.round(means, 12)


class Pairs(NamedTuple):
    """Every pair of systems once, the earlier system first: two arrays of positions."""

    first: Int64Array
    second: Int64Array

    @classmethod
    def of(cls, systems: int) -> Pairs:
        return cls(*np.triu_indices(systems, 1))

    def differences(self, values: FloatArray) -> FloatArray:
        """First less second, along the first axis of what systems have."""
        return values[self.first] - values[self.second]


def pair_columns(
    systems: Sequence[str], **columns: NDArray[np.generic]
) -> dict[str, NDArray[np.generic] | list[str]]:
    """Columns of a table of pairs: the two systems' names, then what each pair has."""
    pairs = Pairs.of(len(systems))
    return {
        "first": [systems[position] for position in pairs.first],
        "second": [systems[position] for position in pairs.second],
        **columns,
    }
