"""Discriminative power: how many pairs of systems a measure tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..common.arrays import BoolArray, FloatArray
from ..common.validators import FRACTION, choice, generator, integer, score_array, system_names
from ..exceptions import InputError
from ..stats.corrections import CORRECTIONS, corrected
from ..stats.pairs import Pairs
from ..stats.tests import TESTS as TESTS
from .results import Columns, PairsResult

LEVELS = (0.95, 0.99)


@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativePower(PairsResult):
    """Which pairs of systems differ significantly.

    Attributes
    ----------
    systems : tuple of str
    test : str
        A key of `TESTS`.
    correction : {'holm', 'bonferroni', 'none'}
        How p-values were adjusted for the number of pairs.
    difference : (pairs,) floats
        Mean score of the first system less that of the second. Pairs are in the order (0, 1),
        (0, 2), ..., (1, 2), ...
    p_value : (pairs,) floats
        Two-sided, adjusted, in [0, 1].
    resamples : int, optional
        Samples drawn; None for tests that draw none.
    """

    test: str
    correction: str
    difference: FloatArray
    p_value: FloatArray
    resamples: int | None = None

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return len(self.p_value)

    def significant_pairs(self, level: float = 0.95) -> BoolArray:
        """Which pairs differ at a confidence level, p < 1 - level: (pairs,)."""
        # 1 - 0.95 is a little more than 0.05, and 0.05 + 0.95 is 1.
        return self.p_value + FRACTION.check("level", level) < 1.0

    def significant(self, level: float = 0.95) -> int:
        """Number of pairs that differ at a confidence level.

        The rareness paper's Table 1 gives these numbers at 95% and 99%.
        """
        return int(np.count_nonzero(self.significant_pairs(level)))

    def share(self, level: float = 0.95) -> float:
        """Share of the pairs that differ at a confidence level: discriminative power (Sakai)."""
        return self.significant(level) / self.pairs

    @property
    def least_p_value(self) -> float:
        """The smallest p-value that a pair could have had; 0 where nothing was sampled."""
        if self.resamples is None:
            return 0.0
        tested = 1 if self.correction == "none" else self.pairs
        return min(tested / (self.resamples + 1), 1.0)

    @property
    def asl_curve(self) -> FloatArray:
        """Achieved significance levels in falling order, over pairs (Sakai 2006): (pairs,)."""
        return np.sort(self.p_value)[::-1]

    def matrix(self) -> FloatArray:
        """p-values of each system against each other: (systems, systems), 1 on the diagonal."""
        square = np.ones((len(self.systems),) * 2)
        pairs = Pairs.of(len(self.systems))
        square[pairs.first, pairs.second] = square[pairs.second, pairs.first] = self.p_value
        return square

    def to_columns(self) -> Columns:
        """A row per pair: first, second, difference, p_value."""
        return self.pair_columns(difference=self.difference, p_value=self.p_value)

    @property
    def summary(self) -> str:
        """One line."""
        counts = ", ".join(f"{self.significant(level)} at {level:.0%}" for level in LEVELS)
        corrected = "" if self.correction == "none" else f" ({self.correction})"
        return (
            f"{TESTS[self.test].title}{corrected}: of {self.pairs} pairs of {len(self.systems)} "
            f"systems, {counts} differ"
        )


def discriminative_power(
    scores: ArrayLike,
    systems: Sequence[str] | None = None,
    *,
    test: str = "tukey-blocks",
    correction: str | None = None,
    resamples: int = 10_000,
    seed: int = 42,
) -> DiscriminativePower:
    """Test every pair of systems for a difference of their mean scores.

    Parameters
    ----------
    scores : (systems, queries)
        One measure's scores, as ``matrix[measure]`` of a `ScoreMatrix` has them; at least 2 of
        each.
    systems
        Their names; positions where not given.
    test
        - ``t``: Student's paired t test.
        - ``wilcoxon``: the signed-rank test.
        - ``randomisation``: the paired randomisation test of the mean.
        - ``bootstrap``: Sakai's paired bootstrap test (SIGIR 2006).
        - ``hsd-pairwise``: Tukey HSD of two systems at a time, topics unpaired, as the rareness
          paper's authors ran it. That is the unpaired t test: it neither uses that the systems
          share their topics nor minds how many pairs there are.
        - ``tukey``: Tukey HSD after a one-way analysis of variance over all systems.
        - ``tukey-blocks``: the same with topics as blocks, the one for systems that share topics.
        - ``tukey-randomised``: the randomised one (Carterette 2012), with topics as blocks too.
    correction
        ``holm``, ``bonferroni`` or ``none``. None: Holm for ``t`` and ``wilcoxon``, none for the
        others. Those of the name tukey control the family's error themselves and take none.
    resamples
        Number of samples of the tests that draw any; their p-values are
        ``(count + 1) / (resamples + 1)``. A correction multiplies the smallest of them by the
        number of pairs, so that nothing is significant at 95% unless resamples are more than 20
        times the pairs; see ``DiscriminativePower.least_p_value``.
    seed
        Of the samples, which all pairs share.

    Returns
    -------
    DiscriminativePower

    Raises
    ------
    ValueError
        For scores of another shape or not finite, and for parameters out of range.
    ImportError
        When a correction is asked for and statsmodels is not installed (extra: meta).

    Examples
    --------
    >>> from irx_measures.meta import discriminative_power
    >>> scores = [[0.9, 0.7, 0.8, 0.6], [0.5, 0.2, 0.4, 0.1], [0.4, 0.3, 0.3, 0.2]]
    >>> power = discriminative_power(scores, ["a", "b", "c"])
    >>> power.significant(0.95)
    2
    >>> print(power.summary)
    Tukey HSD with topics as blocks: of 3 pairs of 3 systems, 2 at 95%, 2 at 99% differ
    """
    array = score_array(scores, systems=systems)
    names = system_names(systems, len(array))
    how = TESTS[choice(*TESTS).check("test", test)]
    if correction is None:
        correction = "holm" if how.corrected else "none"
    choice(*CORRECTIONS).check("correction", correction)
    if how.family and correction != "none":
        raise InputError(
            f"`correction` must be 'none' for test={test!r}, which controls the family's error "
            f"itself; got {correction!r}"
        )
    draws: tuple[object, ...] = ()
    if how.resamples:
        draws = integer(1).check("resamples", resamples), generator(seed)
    p_value = corrected(how.p_values(array, *draws), correction)
    difference = Pairs.of(len(array)).differences(array.mean(axis=1))
    drawn = resamples if how.resamples else None
    return DiscriminativePower(names, test, correction, difference, p_value, drawn)
