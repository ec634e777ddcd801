"""Discriminative power and concordance: which pairs of systems measures distinguish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.progress import counting_bar
from ..common.validators import LEVEL
from ..common.writing import level_text, shown
from ..exceptions import InputError
from ..results.base import StudyResult
from ..results.column import Column
from ..stats.decisions import rejects
from ..stats.family import Method, Part, decide
from ..stats.pairs import Pairs, noise_of
from ..stats.tests import PRIOR_TOPICS, TESTS
from ..typing import ComparisonCorrection, PairTest
from .scores import ScoresLike, pair_columns, system_scores

LEVELS = (0.95, 0.99)  # as Table 1 of the rareness paper


@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativePower(StudyResult):
    """Which pairs of systems differ significantly.

    Attributes
    ----------
    systems : tuple of str
    method : Method
        Its test, correction, level, and number of random samples.
    difference : (pairs,) floats
        Mean score of the first system minus that of the second. The pairs are ordered (0, 1),
        (0, 2), ..., (1, 2), ...
    p_value : (pairs,) floats
        Two-sided adjusted p-values, in [0, 1].

    See Also
    --------
    irx_measures.meta.discriminative_power : Computes it.
    irx_measures.plots.asl_curves : Draws the p-values of several measures.
    """

    systems: tuple[str, ...]
    method: Method
    difference: FloatArray
    p_value: FloatArray

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return len(self.p_value)

    def significant_pairs(self, level: float | None = None) -> BoolArray:
        """Pairs that differ at a confidence level, i.e. p <= 1 - level: (pairs,).

        By default, it is the method's level.
        """
        asked = self.method.level if level is None else LEVEL.check("level", level)
        return rejects(self.p_value, asked)

    def significant(self, level: float | None = None) -> int:
        """Number of these pairs, as in the rareness paper's Table 1."""
        return int(np.count_nonzero(self.significant_pairs(level)))

    @property
    def least_p_value(self) -> float:
        """The smallest adjusted p-value that the resamples allow; 0 if the test draws none."""
        drawn = self.method.drawn
        return 0.0 if drawn is None else min(self.method.factor(self.pairs) / (drawn + 1), 1.0)

    def columns(self) -> list[Column]:
        """One row per pair of systems."""
        difference = "mean score of the first system minus that of the second"
        return [
            *pair_columns(self.systems),
            Column("difference", self.difference, meaning=difference),
            Column("p_value", self.p_value, meaning="two-sided adjusted p-value"),
        ]

    def row(self) -> list[Column]:
        """The study in one row."""
        method = self.method
        significant = f"pairs that differ significantly at {level_text(method.level)}"
        return [
            Column("test", [method.test], meaning="test of each pair"),
            Column("correction", [method.correction], meaning="correction for several tests"),
            Column("pairs", [self.pairs], meaning="pairs of systems"),
            Column("significant", [self.significant()], meaning=significant),
        ]

    @property
    def summary(self) -> str:
        method = self.method
        counts = ", ".join(f"{self.significant(level)} at {level_text(level)}" for level in LEVELS)
        how = [] if method.correction == "none" else [method.correction]
        how += [] if method.drawn is None else [f"{method.drawn} resamples"]
        details = f" ({', '.join(how)})" if how else ""
        return (
            f"{TESTS[method.test].title}{details}: of {self.pairs} pairs of {len(self.systems)} "
            f"systems, {counts} differ"
        )


def discriminative_power(
    scores: ScoresLike,
    systems: Sequence[str] | None = None,
    *,
    test: PairTest = "tukey-blocks",
    correction: ComparisonCorrection | None = None,
    resamples: int = 10_000,
    seed: int = 42,
    level: float = 0.95,
    prior_topics: float = PRIOR_TOPICS,
    progress: bool | None = None,
) -> DiscriminativePower:
    """Test every pair of systems for a difference in mean scores.

    The number of pairs found is a property of the measure; its share of all pairs is the
    discriminative power (Sakai 2006). To decide which systems are better, use
    `irx_measures.compare`: its default is the t test with Holm's correction. Here it is a Tukey
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
        ``holm``, ``bonferroni``, ``bh`` or ``none``, as in `compare`. By default,
        ``holm`` for ``t``, ``moderated-t`` and ``wilcoxon``, and ``none`` for the other tests. The
        tests ``tukey``, ``tukey-blocks`` and ``tukey-randomised`` adjust for the number of pairs
        themselves and accept only ``none``.
    resamples
        Number of random samples, for tests that resample; at most a million. Their p-values are
        ``(count + 1) / (resamples + 1)``.
    seed
        Random seed.
    level
        Confidence level, in (0, 1), at which differences are significant; the test must be able to
        find some at it. The p-values do not depend on it.
    prior_topics
        How many topics the median variance counts for in ``moderated-t``; 0 is ``t``.
    progress
        Whether to show a progress bar on stderr, for tests that resample; None shows it on a
        terminal after half a second.

    Returns
    -------
    DiscriminativePower
        The difference of mean scores and the adjusted p-value of every pair of systems.

    Raises
    ------
    ValueError
        When the scores are not finite numbers of at least 2 systems and 2 queries, an option is out
        of range, the test does not accept the correction, or it could find no difference at `level`
        whatever the scores.

    Notes
    -----
    - A test is refused if its smallest possible p-value, corrected, is above ``1 - level``: with
      few resamples, or few topics (``wilcoxon``, ``randomisation``, ``tukey-randomised``).
    - ``tukey-blocks`` and ``tukey-randomised`` pool the error of all systems. They keep the
      family-wise error rate only where the differences of all pairs have the same variance. Scores
      of retrieval systems do not: simulations on TREC collections found .07 to .36 for a nominal
      5%.

    Examples
    --------
    >>> from irx_measures.meta import discriminative_power
    >>> scores = [[0.9, 0.8, 0.9, 0.7], [0.2, 0.1, 0.3, 0.1], [0.2, 0.2, 0.2, 0.1]]
    >>> power = discriminative_power(scores, ["a", "b", "c"])
    >>> power.significant_pairs().tolist()  # a and b, a and c, b and c
    [True, True, False]
    """
    array, names = system_scores(scores, systems)
    method = Method.of(test, correction, level, resamples, seed, prior_topics)
    pairs = Pairs.of(len(array))
    with counting_bar(method.drawn or 0, "sample", progress) as counted:
        (decided,) = decide([Part(array, pairs)], method, counted)
    difference = pairs.differences(array.mean(axis=1), noise_of(array))
    return DiscriminativePower(names, method, difference, decided.p_adjusted)


@dataclass(frozen=True, eq=False, repr=False)
class Concordance(StudyResult):
    """The conclusions of two measures about each pair of systems.

    Attributes
    ----------
    first, second : DiscriminativePower
    first_verdict, second_verdict : (pairs,) ints
        1 if the pair's first system is significantly better, -1 if the second one is, else 0.
    agree, disagree, conflict : int
        Number of pairs with the same conclusion, of pairs in which only one measure finds a
        difference, and of pairs in which the measures find different systems better.
    only_first, only_second : int
        Number of pairs in which only the first, and only the second measure finds a difference.

    See Also
    --------
    irx_measures.meta.concordance : Computes it.
    """

    first: DiscriminativePower
    second: DiscriminativePower
    first_verdict: Int64Array
    second_verdict: Int64Array
    agree: int
    disagree: int
    conflict: int
    only_first: int
    only_second: int

    def columns(self) -> list[Column]:
        """One row per pair of systems."""
        one, other = self.first_verdict, self.second_verdict
        differs = np.where(one * other < 0, "conflict", "disagree")
        outcome = np.where(one == other, "agree", differs)
        verdict = (
            "by the {} measure: 1 if the pair's first system is significantly better, -1 if the "
            "second one is, else 0"
        )
        verdicts = (
            "agree: both verdicts are equal; disagree: only one measure finds a difference; "
            "conflict: the measures find different systems better"
        )
        return [
            *pair_columns(self.first.systems),
            Column("first_verdict", one, meaning=verdict.format("first")),
            Column("second_verdict", other, meaning=verdict.format("second")),
            Column("outcome", outcome, meaning=verdicts),
        ]

    def row(self) -> list[Column]:
        """The study in one row."""
        conflict = "pairs in which the measures find different systems better"
        only = "pairs in which only the {} measure finds a difference"
        return [
            Column("agree", [self.agree], meaning="pairs with the same conclusion"),
            Column("disagree", [self.disagree], meaning=only.format("first or only the second")),
            Column("conflict", [self.conflict], meaning=conflict),
            Column("only_first", [self.only_first], meaning=only.format("first")),
            Column("only_second", [self.only_second], meaning=only.format("second")),
        ]

    @property
    def summary(self) -> str:
        method = self.first.method
        return (
            f"{TESTS[method.test].title} at {level_text(method.level)}: of {self.first.pairs} "
            f"pairs {self.agree} agree, {self.disagree} disagree, {self.conflict} conflict"
        )


def concordance(first: DiscriminativePower, second: DiscriminativePower) -> Concordance:
    """Compare the differences between systems that two measures find significant.

    Parameters
    ----------
    first, second
        Results of `discriminative_power` by the same method, for the same systems. Their level
        decides what is significant.

    Returns
    -------
    Concordance
        The conclusions of both measures about every pair of systems, and how many agree.

    Raises
    ------
    ValueError
        When the results are not for the same systems, or not by the same method.
    TypeError
        When an argument is not a result of `discriminative_power`.

    Notes
    -----
    The "conflict cases" in the upper-expected paper's Table 8 are `disagree` plus `conflict`.

    Examples
    --------
    >>> from irx_measures.meta import concordance, discriminative_power
    >>> one = discriminative_power([[0.9, 0.8, 0.9, 0.7], [0.2, 0.1, 0.3, 0.1]], test="t")
    >>> other = discriminative_power([[0.5, 0.1, 0.9, 0.2], [0.2, 0.4, 0.3, 0.3]], test="t")
    >>> concordance(one, other).summary
    'paired t test at 95%: of 1 pairs 0 agree, 1 disagree, 0 conflict'
    """
    for name, power in (("first", first), ("second", second)):
        if not isinstance(power, DiscriminativePower):
            raise TypeError(
                f"`{name}` must be a result of discriminative_power; got {shown(power)}"
            )
    for name in ("systems", "method"):
        one, other = getattr(first, name), getattr(second, name)
        if one != other:
            raise InputError(
                f"`first` and `second` must be of the same {name}; got {one} and {other}"
            )
    one, other = _verdicts(first), _verdicts(second)
    only_first = np.count_nonzero((one != 0) & (other == 0))
    only_second = np.count_nonzero((one == 0) & (other != 0))
    return Concordance(
        first,
        second,
        one,
        other,
        agree=int(np.count_nonzero(one == other)),
        disagree=int(only_first + only_second),
        conflict=int(np.count_nonzero(one * other < 0)),
        only_first=int(only_first),
        only_second=int(only_second),
    )


def _verdicts(power: DiscriminativePower) -> Int64Array:
    """Which system of each pair is significantly better: 1, -1, or 0 for neither of them."""
    better = np.where(power.significant_pairs(), np.sign(power.difference), 0)
    return better.astype(np.int64)
