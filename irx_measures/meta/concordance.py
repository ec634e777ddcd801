"""Concordance of significance: do two measures find the same differences?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..common.numeric import Int64Array
from ..common.validators import LEVEL
from ..stats.results import Columns, StudyResult
from ..stats.tests import PRIOR_TOPICS, TESTS
from ..typing import ComparisonCorrection, PairTest
from .power import DiscriminativePower, discriminative_power
from .scores import ScoresLike, pair_columns, two_system_scores


@dataclass(frozen=True, eq=False, repr=False)
class Concordance(StudyResult):
    """The conclusion of two measures about each pair of systems.

    Attributes
    ----------
    first, second : DiscriminativePower
        Significance results of the first and of the second measure.
    level : float
        Confidence level at which a difference is significant.
    first_verdict, second_verdict : (pairs,) ints
        1 if the pair's first system is significantly better, -1 if the second one is, else 0.
    """

    first: DiscriminativePower
    second: DiscriminativePower
    level: float
    first_verdict: Int64Array
    second_verdict: Int64Array

    @property
    def only_first(self) -> int:
        """Number of pairs in which only the first measure finds a difference."""
        return int(np.count_nonzero((self.first_verdict != 0) & (self.second_verdict == 0)))

    @property
    def only_second(self) -> int:
        """Number of pairs in which only the second measure finds a difference."""
        return int(np.count_nonzero((self.first_verdict == 0) & (self.second_verdict != 0)))

    @property
    def conflict(self) -> int:
        """Number of pairs in which the measures find different systems better."""
        return int(np.count_nonzero(self.first_verdict * self.second_verdict < 0))

    @property
    def disagree(self) -> int:
        """Number of pairs in which exactly one measure finds a difference."""
        return self.only_first + self.only_second

    @property
    def agree(self) -> int:
        """Number of pairs with the same conclusion."""
        return self.first.pairs - self.disagree - self.conflict

    def to_columns(self) -> Columns:
        """One row per pair: first, second, first_verdict, second_verdict, outcome."""
        conflict = self.first_verdict * self.second_verdict < 0
        same = self.first_verdict == self.second_verdict
        return pair_columns(
            self.first.systems,
            first_verdict=self.first_verdict,
            second_verdict=self.second_verdict,
            outcome=np.where(conflict, "conflict", np.where(same, "agree", "disagree")),
        )

    @property
    def summary(self) -> str:
        return (
            f"{TESTS[self.first.test].title} at {self.level:.0%}: of {self.first.pairs} pairs "
            f"{self.agree} agree, {self.disagree} disagree, {self.conflict} conflict"
        )


def concordance(
    first: ScoresLike,
    second: ScoresLike,
    systems: Sequence[str] | None = None,
    *,
    level: float = 0.95,
    test: PairTest = "tukey-blocks",
    correction: ComparisonCorrection | None = None,
    resamples: int = 10_000,
    seed: int = 42,
    prior_topics: float = PRIOR_TOPICS,
) -> Concordance:
    """Compare the differences between systems that two measures find significant.

    This judges measures, so its default test is a Tukey HSD, as in `discriminative_power`. To
    decide which systems are better, use `irx_measures.compare`: its default is the t test with
    Holm's correction.

    Parameters
    ----------
    first, second : (systems, queries)
        Scores of two measures for the same systems on the same queries.
    systems
        Names of the systems; positions if not given.
    level, test, correction, resamples, seed, prior_topics
        As in `discriminative_power`; both measures are tested on the same samples.

    Returns
    -------
    Concordance

    Notes
    -----
    The "conflict cases" in the upper-expected paper's Table 8 are the sum of `disagree` and
    `conflict`.

    Examples
    --------
    >>> from irx_measures.meta import concordance
    >>> first = [[0.9, 0.8, 0.9, 0.7], [0.2, 0.1, 0.3, 0.1]]
    >>> second = [[0.5, 0.1, 0.9, 0.2], [0.2, 0.4, 0.3, 0.3]]
    >>> concordance(first, second, test="t").summary
    'paired t test at 95%: of 1 pairs 0 agree, 1 disagree, 0 conflict'
    """
    one, other, names = two_system_scores(first, second, systems)
    level = LEVEL.check("level", level)
    powers = [
        discriminative_power(
            scores, names, test=test, correction=correction, resamples=resamples, seed=seed,
            level=level, prior_topics=prior_topics,
        )
        for scores in (one, other)
    ]  # fmt: skip
    verdicts = [
        np.where(power.significant_pairs(level), np.sign(power.difference), 0).astype(np.int64)
        for power in powers
    ]
    return Concordance(powers[0], powers[1], level, verdicts[0], verdicts[1])
