"""Concordance of significance: do two measures find the same differences?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..common.arrays import BoolArray, Int64Array
from ..common.validators import FRACTION, system_names, two_arrays
from ..stats.tests import TESTS
from .power import DiscriminativePower, discriminative_power
from .results import Columns, StudyResult


@dataclass(frozen=True, eq=False, repr=False)
class Concordance(StudyResult):
    """What two measures conclude of each pair of systems.

    Attributes
    ----------
    first, second : DiscriminativePower
        Either measure's differences.
    level : float
        Confidence level at which a difference is significant.
    first_verdict, second_verdict : (pairs,) ints
        1 where the pair's first system is significantly better, -1 where the second, else 0.
    """

    first: DiscriminativePower
    second: DiscriminativePower
    level: float
    first_verdict: Int64Array
    second_verdict: Int64Array

    def _count(self, chosen: BoolArray) -> int:
        return int(np.count_nonzero(chosen))

    @property
    def both(self) -> int:
        """Pairs in which both find the same system better."""
        return self._count(self.first_verdict * self.second_verdict > 0)

    @property
    def neither(self) -> int:
        """Pairs in which neither finds a difference."""
        return self._count((self.first_verdict == 0) & (self.second_verdict == 0))

    @property
    def only_first(self) -> int:
        """Pairs in which only the first measure finds a difference."""
        return self._count((self.first_verdict != 0) & (self.second_verdict == 0))

    @property
    def only_second(self) -> int:
        """Pairs in which only the second measure finds a difference."""
        return self._count((self.first_verdict == 0) & (self.second_verdict != 0))

    @property
    def conflict(self) -> int:
        """Pairs in which they find different systems better."""
        return self._count(self.first_verdict * self.second_verdict < 0)

    @property
    def agree(self) -> int:
        """Pairs in which they conclude the same: `both` and `neither`."""
        return self.both + self.neither

    @property
    def disagree(self) -> int:
        """Pairs in which one finds a difference and the other none."""
        return self.only_first + self.only_second

    def to_columns(self) -> Columns:
        """A row per pair: first, second, first_verdict, second_verdict, outcome."""
        product = self.first_verdict * self.second_verdict
        same = self.first_verdict == self.second_verdict
        outcome = np.where(product < 0, "conflict", np.where(same, "agree", "disagree"))
        return self.first.pair_columns(
            first_verdict=self.first_verdict,
            second_verdict=self.second_verdict,
            outcome=outcome,
        )

    @property
    def summary(self) -> str:
        """One line."""
        return (
            f"{TESTS[self.first.test].title} at {self.level:.0%}: of {self.first.pairs} pairs "
            f"{self.agree} agree, {self.disagree} disagree, {self.conflict} conflict"
        )


def concordance(
    first: ArrayLike,
    second: ArrayLike,
    systems: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    test: str = "tukey-blocks",
    correction: str | None = None,
    resamples: int = 10_000,
    seed: int = 42,
) -> Concordance:
    """Compare which differences between systems two measures find significant.

    Parameters
    ----------
    first, second : (systems, queries)
        Two measures' scores of the same systems on the same queries.
    systems
        Their names; positions where not given.
    level
        Confidence level, in (0, 1).
    test, correction, resamples, seed
        As in `discriminative_power`; both measures are tested on the same samples.

    Returns
    -------
    Concordance

    Raises
    ------
    ValueError
        For scores of another shape or not finite, and for parameters out of range.

    Notes
    -----
    The upper-expected paper's Table 8 calls "conflict cases" what is `disagree` here, together
    with what is `conflict`.

    Examples
    --------
    >>> from irx_measures.meta import concordance
    >>> first = [[0.9, 0.8, 0.9, 0.7], [0.2, 0.1, 0.3, 0.1]]
    >>> second = [[0.5, 0.1, 0.9, 0.2], [0.2, 0.4, 0.3, 0.3]]
    >>> concordance(first, second, test="t").summary
    'paired t test at 95%: of 1 pairs 0 agree, 1 disagree, 0 conflict'
    """
    one, other = two_arrays(first, second, systems=systems)
    names = system_names(systems, len(one))
    FRACTION.check("level", level)
    powers = [
        discriminative_power(
            scores, names, test=test, correction=correction, resamples=resamples, seed=seed
        )
        for scores in (one, other)
    ]
    verdicts = [_verdict(power, level) for power in powers]
    return Concordance(powers[0], powers[1], level, verdicts[0], verdicts[1])


def _verdict(power: DiscriminativePower, level: float) -> Int64Array:
    return np.where(power.significant_pairs(level), np.sign(power.difference), 0).astype(np.int64)
