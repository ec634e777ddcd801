"""How systems are compared: the test, the correction, the level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from ..common.validators import LEVEL, choice, integer, number_from
from ..stats.moderated import PRIOR_TOPICS
from ..stats.rejection import alpha_of
from ..stats.resolution import checked_resamples
from ..stats.tests import TESTS
from ..typing import ComparisonCorrection, ComparisonTest

COMPARING: tuple[str, ...] = get_args(ComparisonTest)

WITH_T = ("t", "moderated-t")  # their intervals and decisions come from one critical value

CORRECTIONS: tuple[str, ...] = get_args(ComparisonCorrection)

CORRECTION_TITLES = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "bh": "Benjamini-Hochberg",
    "none": "no correction",
}


@dataclass(frozen=True)
class Method:
    """How hypotheses are tested.

    Attributes
    ----------
    test : str
        One of `COMPARING`.
    correction : str
        One of `CORRECTIONS`; it covers the hypotheses of one measure.
    level : float
        Confidence level of decisions and intervals, in (0, 1).
    resamples : int
        Random samples of tests that resample, at least.
    seed : int
    prior_topics : float
        How many topics the family's median variance counts for; 0 if the test does not moderate
        variances.
    """

    test: str = "t"
    correction: str = "holm"
    level: float = 0.95
    resamples: int = 10_000
    seed: int = 42
    prior_topics: float = 0.0

    @classmethod
    def of(
        cls,
        test: str,
        correction: str,
        level: float,
        resamples: int,
        seed: int,
        prior_topics: float = PRIOR_TOPICS,
    ) -> Method:
        """Check the arguments of `compare`."""
        how = TESTS[choice(*COMPARING).check("test", test)]
        prior = number_from(0.0, closed=True).check("prior_topics", prior_topics)
        return cls(
            test,
            choice(*CORRECTIONS).check("correction", correction),
            LEVEL.check("level", level),
            checked_resamples(resamples),
            integer(0).check("seed", seed),
            prior if how.moderated else 0.0,
        )

    @property
    def alpha(self) -> float:
        """The largest p-value that is significant."""
        return alpha_of(self.level)

    @property
    def draws(self) -> bool:
        """Whether random samples are drawn."""
        return TESTS[self.test].resamples

    @property
    def t_test(self) -> str:
        """The t test whose variance the intervals and plans have."""
        return "moderated-t" if self.prior_topics else "t"

    @property
    def has_intervals(self) -> bool:
        """Whether differences have intervals, and systems ranks.

        The rate of false discoveries belongs to all rejections together: it bounds the error of no
        single interval and of no rank.
        """
        return self.correction != "bh"
