"""Two measures: do they rank the systems alike?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.writing import PLAIN, Writing
from ..results.read_only import ReadOnlyArrays, cached_array
from ..stats.correlation import TAU_B, tau_b
from ..stats.pairs import join_ties
from ..stats.ranks import pareto_optimal

LEAST_CHANGE = 2  # of ranks: a change by one is two neighbours that change places

FRONT = "no other system is at least as good on both measures and better on one"


@dataclass(frozen=True, eq=False)
class TwoMeasures(ReadOnlyArrays):
    """Systems by two measures."""

    systems: tuple[str, ...]  # those with scores on both measures
    labels: tuple[str, str]  # the names of the measures
    means: FloatArray  # (2, systems), equal where they differ by float noise only
    rising: tuple[bool, bool]  # whether higher scores are better

    @cached_array
    def gains(self) -> FloatArray:
        """The means with the sign by which higher is better: (2, systems)."""
        return self.means * np.where(self.rising, 1.0, -1.0)[:, np.newaxis]

    @cached_array
    def ranks(self) -> Int64Array:
        """Ranks by each measure; tied systems share the best of their ranks: (2, systems)."""
        return 1 + (self.gains[:, np.newaxis] > self.gains[:, :, np.newaxis]).sum(axis=2)

    @property
    def changes(self) -> Int64Array:
        """Rank by the second measure minus rank by the first: (systems,)."""
        return self.ranks[1] - self.ranks[0]

    def most_changed(self, most: int) -> list[int]:
        """Positions of the systems whose rank changes most, the largest change first.

        Changes by less than `LEAST_CHANGE` are not among them.
        """
        size = np.abs(self.changes)
        order = np.argsort(-size, kind="stable").tolist()
        return [place for place in order[:most] if size[place] >= LEAST_CHANGE]

    @property
    def tau(self) -> float:
        """Kendall's tau_b; NaN if a measure ties all systems."""
        return float(tau_b(self.gains[:1], self.gains[1:])[0])

    @cached_array
    def front(self) -> BoolArray:
        """The Pareto front: see `FRONT`."""
        return pareto_optimal(-self.gains[0], self.gains[1])

    @property
    def best(self) -> BoolArray:
        """The systems with the best mean by one of the measures."""
        return np.asarray((self.ranks == 1).any(axis=0))

    def sentence(self, writing: Writing = PLAIN) -> str:
        """How alike the two rankings are; "-" if a measure ties all systems."""
        return f"{TAU_B} of the two rankings is {writing.number(self.tau)}."


def two_measures(
    systems: Sequence[str],
    labels: tuple[str, str],
    means: FloatArray,
    rising: tuple[bool, bool] = (True, True),
) -> TwoMeasures:
    """The systems with scores on both measures; `means` is (2, systems), NaN without a score."""
    both = np.isfinite(means).all(axis=0)
    known = tuple(systems[place] for place in np.flatnonzero(both).tolist())
    return TwoMeasures(known, labels, join_ties(means[:, both]), rising)
