"""Discriminative power: how many pairs of systems a measure distinguishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.numeric import BoolArray, FloatArray
from ..common.progress import counting_bar
from ..common.validators import (
    LEVEL,
    choice,
    generator,
    number_from,
)
from ..exceptions import InputError
from ..stats.corrections import CORRECTIONS, corrected
from ..stats.moderated import PRIOR_TOPICS
from ..stats.pairs import Pairs
from ..stats.rejection import alpha_of, rejects
from ..stats.resolution import MULTIPLYING, check_can_reject, checked_resamples, enough_resamples
from ..stats.results import Columns
from ..stats.tests import TESTS as TESTS
from ..typing import PairCorrection, PairTest
from .results import PairsResult
from .scores import ScoresLike, system_scores

LEVELS = (0.95, 0.99)  # as Table 1 of the rareness paper


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
        Mean score of the first system minus that of the second. The pairs are ordered (0, 1),
        (0, 2), ..., (1, 2), ...
    p_value : (pairs,) floats
        Two-sided adjusted p-values, in [0, 1].
    resamples : int, optional
        Number of random samples that were drawn, which may be more than was asked for; None if the
        test does not resample.
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
        """Pairs that differ at a confidence level, i.e. p <= 1 - level: (pairs,)."""
        return rejects(self.p_value, LEVEL.check("level", level))

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
        """The smallest adjusted p-value that the resamples allow; 0 if the test draws none."""
        if self.resamples is None:
            return 0.0
        tested = 1 if self.correction == "none" else self.pairs
        return min(tested / (self.resamples + 1), 1.0)

    @property
    def asl_curve(self) -> FloatArray:
        """Achieved significance levels (p-values) in decreasing order (Sakai 2006): (pairs,)."""
        return np.sort(self.p_value)[::-1]

    def matrix(self) -> FloatArray:
        """p-value of every pair of systems: (systems, systems), with 1 on the diagonal."""
        square = np.ones((len(self.systems),) * 2)
        pairs = Pairs.of(len(self.systems))
        square[pairs.first, pairs.second] = square[pairs.second, pairs.first] = self.p_value
        return square

    def to_columns(self) -> Columns:
        """One row per pair: first, second, difference, p_value."""
        return self.pair_columns(difference=self.difference, p_value=self.p_value)

    @property
    def summary(self) -> str:
        """The result in one line."""
        counts = ", ".join(f"{self.significant(level)} at {level:.0%}" for level in LEVELS)
        how = [] if self.correction == "none" else [self.correction]
        how += [] if self.resamples is None else [f"{self.resamples} resamples"]
        details = f" ({', '.join(how)})" if how else ""
        return (
            f"{TESTS[self.test].title}{details}: of {self.pairs} pairs of {len(self.systems)} "
            f"systems, {counts} differ"
        )


def discriminative_power(
    scores: ScoresLike,
    systems: Sequence[str] | None = None,
    *,
    test: PairTest = "tukey-blocks",
    correction: PairCorrection | None = None,
    resamples: int = 10_000,
    seed: int = 42,
    level: float = 0.95,
    prior_topics: float = PRIOR_TOPICS,
    progress: bool | None = None,
) -> DiscriminativePower:
    """Test every pair of systems for a difference in mean scores.

    The number of pairs found is a property of the measure. To decide which systems are better, use
    `irx_measures.compare`. Its default is the t test with Holm's correction. Here it is a Tukey
    HSD, as in the rareness paper's study of measures, because only numbers of pairs are compared.

    Parameters
    ----------
    scores : (systems, queries)
        Scores of one measure, for example ``matrix[measure]`` of a `ScoreMatrix`. At least 2
        systems and 2 queries.
    systems
        Names of the systems; positions if not given.
    test
        - ``t``: Student's paired t test.
        - ``moderated-t``: the paired t test with moderated variances, as in `compare`.
        - ``wilcoxon``: Wilcoxon's signed-rank test.
        - ``randomisation``: the paired randomisation test of the mean.
        - ``bootstrap``: Sakai's paired bootstrap test (SIGIR 2006).
        - ``hsd-pairwise``: Tukey HSD for two systems at a time with unpaired topics, as the
          rareness paper's authors ran it. It equals the unpaired t test. It ignores that the
          systems share their topics, and does not correct for multiple comparisons.
        - ``tukey``: Tukey HSD after a one-way analysis of variance over all systems.
        - ``tukey-blocks``: Tukey HSD with topics as blocks, for systems that share topics.
        - ``tukey-randomised``: randomised Tukey HSD (Carterette 2012), also with topics as blocks.
    correction
        ``holm``, ``bonferroni`` or ``none``. The default, None, means ``holm`` for ``t``,
        ``moderated-t`` and ``wilcoxon``, and ``none`` for the other tests. The tests
        ``tukey``, ``tukey-blocks`` and ``tukey-randomised`` adjust for the number of pairs
        themselves and accept only ``none``.
    resamples
        Number of random samples, for tests that resample. Their p-values are
        ``(count + 1) / (resamples + 1)``. A correction multiplies the smallest p-value by the
        number of pairs, so ``holm`` and ``bonferroni`` raise `resamples` to at least
        ``10 * pairs / (1 - level)``. ``DiscriminativePower.resamples`` is the number used.
    seed
        Random seed; shared by all pairs.
    level
        Confidence level, in (0, 1), at which the test must be able to find differences. The
        p-values depend on it only through the number of resamples.
    prior_topics
        How many topics the median variance counts for in ``moderated-t``; 0 is ``t``.
    progress
        Whether to show a progress bar on stderr, for tests that resample; None shows it on a
        terminal after half a second.

    Returns
    -------
    DiscriminativePower

    Raises
    ------
    ValueError
        If scores have another shape or are not finite, if a parameter is out of range, or if the
        test with its correction cannot find any difference at `level`: with few topics, the
        smallest p-values of ``wilcoxon``, ``randomisation`` and ``tukey-randomised`` are too large.

    Notes
    -----
    ``tukey-blocks`` and ``tukey-randomised`` pool the error of all systems. They keep the
    family-wise error rate only where the differences of all pairs have the same variance. Scores of
    retrieval systems do not: at a nominal 5%, simulations on TREC collections found .07 to .36.

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
    prior = number_from(0.0, closed=True).check("prior_topics", prior_topics)
    array, names = system_scores(scores, systems)
    how = TESTS[choice(*TESTS).check("test", test)]
    correction = _correction(test, correction)
    alpha = alpha_of(LEVEL.check("level", level))
    pairs = Pairs.of(len(array))
    drawn: int | None = None
    draws: tuple[object, ...] = ()
    if how.resamples:
        drawn = checked_resamples(resamples)
        if correction in MULTIPLYING:
            drawn = enough_resamples(drawn, len(pairs.first), alpha)
        draws = drawn, generator(seed)
    elif how.moderated:
        draws = (prior,)
    # Without a correction, the number of resamples stays as asked, even if it is too small.
    check_can_reject(
        array, pairs, test=test, correction=correction, hypotheses=len(pairs.first), alpha=alpha
    )
    if drawn is None:
        p_value = how.p_values(array, pairs, *draws)
    else:
        with counting_bar(drawn, "sample", progress) as counted:
            p_value = how.p_values(array, pairs, *draws, counted)
    p_value = corrected(p_value, correction)
    difference = pairs.differences(array.mean(axis=1))
    return DiscriminativePower(names, test, correction, difference, p_value, drawn)


def _correction(test: str, correction: PairCorrection | None) -> PairCorrection:
    """The correction to use: as asked, or the default of the test."""
    how = TESTS[test]
    if correction is None:
        return "holm" if how.corrected else "none"
    choice(*CORRECTIONS).check("correction", correction)
    if how.family and correction != "none":
        raise InputError(
            f"`correction` must be 'none' for test={test!r}, which controls the family's error "
            f"itself; got {correction!r}"
        )
    return correction
