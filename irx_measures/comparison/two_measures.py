"""Two measures: do they rank the systems alike?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.writing import PLAIN, Writing
from ..stats.correlation import tau_b
from ..stats.pareto import pareto_optimal
from ..stats.ranks import rounded
from .axis import ends, shown_on_axis

FRONT = "no other system is at least as good on both measures and better on one"


@dataclass(frozen=True, eq=False)
class TwoMeasures:
    """Systems by two measures: the report and the plot place what stands here.

    Attributes
    ----------
    systems : tuple of str
        The systems that have scores on both measures.
    labels : tuple of str
        The names of the two measures.
    means : (2, systems) floats
        The means by each measure, rounded to 12 decimals.
    rising : tuple of bool
        Whether higher scores of each measure are better.
    baselines : tuple of str
        Systems that are never off an axis.
    """

    systems: tuple[str, ...]
    labels: tuple[str, str]
    means: FloatArray
    rising: tuple[bool, bool]
    baselines: tuple[str, ...] = ()

    @cached_property
    def gains(self) -> FloatArray:
        """The means with the sign by which higher is better: (2, systems)."""
        return self.means * np.where(self.rising, 1.0, -1.0)[:, np.newaxis]

    @cached_property
    def ranks(self) -> Int64Array:
        """Ranks by each measure; tied systems share the best of their ranks: (2, systems)."""
        return 1 + (self.gains[:, np.newaxis] > self.gains[:, :, np.newaxis]).sum(axis=2)

    @property
    def changes(self) -> Int64Array:
        """Rank by the second measure minus rank by the first: (systems,)."""
        return self.ranks[1] - self.ranks[0]

    def most_changed(self, most: int) -> list[int]:
        """Positions of the systems whose rank changes most, the largest change first."""
        size = np.abs(self.changes)
        order = np.argsort(-size, kind="stable").tolist()
        return [place for place in order[:most] if size[place]]

    @property
    def tau(self) -> float:
        """Kendall's tau_b; NaN if a measure ties all systems."""
        return float(tau_b(self.gains[:1], self.gains[1:])[0])

    @cached_property
    def front(self) -> BoolArray:
        """The Pareto front: see `FRONT`."""
        return pareto_optimal(-self.gains[0], self.gains[1])

    @property
    def best(self) -> BoolArray:
        """The systems with the best mean by one of the measures."""
        return np.asarray((self.ranks == 1).any(axis=0))

    @cached_property
    def shown(self) -> BoolArray:
        """The systems on both axes; the front, the best by a measure and baselines always are."""
        baselines = np.array([name in self.baselines for name in self.systems], bool)
        kept = self.front | self.best | baselines
        across, up = (
            shown_on_axis(means, means, kept, rising)
            for means, rising in zip(self.means, self.rising, strict=True)
        )
        return across & up

    @property
    def ends(self) -> tuple[tuple[float, float], ...]:
        """The ends of both axes."""
        return tuple(ends(means, means, self.shown) for means in self.means)

    def off_axis(self, writing: Writing = PLAIN) -> list[str]:
        """The systems that are not shown, with their means."""
        return [
            f"{writing.name(self.systems[place])} "
            f"({', '.join(writing.number(mean) for mean in self.means[:, place].tolist())})"
            for place in np.flatnonzero(~self.shown).tolist()
        ]

    def sentence(self, writing: Writing = PLAIN) -> str:
        """How alike the two rankings are."""
        undefined = self._why_undefined()
        if undefined:
            return f"Kendall's tau_b is undefined: {undefined}."
        text = f"Kendall's tau_b of the two rankings is {writing.number(self.tau)}."
        if self.changes.any():
            return text
        return f"{text} Both measures rank the systems in the same order."

    def _why_undefined(self) -> str:
        systems = len(self.systems)
        if systems < 2:
            have = "only one system has" if systems else "no system has"
            return f"{have} scores on both measures"
        tied = [
            f"the same {label}"
            for label, ranks in zip(self.labels, self.ranks, strict=True)
            if (ranks == 1).all()
        ]
        every = "both systems have" if systems == 2 else f"all {systems} systems have"
        return f"{every} {' and '.join(tied)}" if tied else ""


def two_measures(
    systems: Sequence[str],
    labels: tuple[str, str],
    means: FloatArray,
    baselines: Sequence[str] = (),
    rising: tuple[bool, bool] = (True, True),
) -> TwoMeasures:
    """The systems with scores on both measures.

    Parameters
    ----------
    systems
    labels
        The names of the measures.
    means : (2, systems) floats
        NaN where a system has no score.
    baselines
    rising
        Whether higher scores of each measure are better.
    """
    both = np.isfinite(means).all(axis=0)
    return TwoMeasures(
        tuple(systems[place] for place in np.flatnonzero(both).tolist()),
        labels,
        rounded(means[:, both]),
        rising,
        tuple(baselines),
    )
