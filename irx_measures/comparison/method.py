"""How systems are compared: the test, the correction, the family, the level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from ..common.validators import FRACTION, choice, integer, number_from
from ..exceptions import InputError
from ..stats.moderated import PRIOR_TOPICS
from ..stats.rejection import alpha_of
from ..stats.tests import TESTS
from ..typing import ComparisonCorrection, ComparisonTest, Family

COMPARING: tuple[str, ...] = get_args(ComparisonTest)

WITH_T = ("t", "moderated-t")  # their intervals and decisions come from one critical value

CORRECTIONS: tuple[str, ...] = get_args(ComparisonCorrection)

FAMILIES: tuple[str, ...] = get_args(Family)

CORRECTION_TITLES = {
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "maxt": "max-t",
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
        One of `CORRECTIONS`.
    family : {'measure', 'all'}
        Whether a correction covers the hypotheses of one measure, or of all measures.
    level : float
        Confidence level of decisions and intervals, in (0, 1).
    resamples : int
        Random samples of tests that resample, and sign flips of ``maxt``, at least.
    seed : int
    prior_topics : float
        How many topics the family's median variance counts for; 0 if the test does not moderate
        variances.
    """

    test: str = "t"
    correction: str = "holm"
    family: str = "measure"
    level: float = 0.95
    resamples: int = 10_000
    seed: int = 42
    prior_topics: float = 0.0

    @classmethod
    def of(
        cls,
        test: str,
        correction: str | None,
        family: str | None,
        level: float,
        resamples: int,
        seed: int,
        prior_topics: float = PRIOR_TOPICS,
    ) -> Method:
        """Check the arguments of `compare` and fill in what follows from them."""
        how = TESTS[choice(*COMPARING).check("test", test)]
        if correction is None:
            correction = "none" if how.family else "holm"
        choice(*CORRECTIONS).check("correction", correction)
        if how.family and correction != "none":
            raise InputError(
                f"`correction` must be 'none' for test={test!r}, which controls the family's "
                f"error itself; got {correction!r}"
            )
        if correction == "maxt" and test not in WITH_T:
            raise InputError(
                f"`test` must be {' or '.join(map(repr, WITH_T))} for correction='maxt'; "
                f"got {test!r}"
            )
        prior = number_from(0.0, closed=True).check("prior_topics", prior_topics)
        family = choice(*FAMILIES).check("family", "measure" if family is None else family)
        if how.family and family == "all":
            raise InputError(
                f"`family` must be 'measure' for test={test!r}, which has no correction over "
                "measures; got 'all'"
            )
        return cls(
            test,
            correction,
            family,
            FRACTION.check("level", level),
            integer(1).check("resamples", resamples),
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
        return TESTS[self.test].resamples or self.correction == "maxt"

    @property
    def t_test(self) -> str:
        """The t test whose variance the intervals and plans have."""
        return "moderated-t" if self.prior_topics else "t"

    @property
    def controls_family(self) -> bool:
        """Whether the test itself covers all pairs of a measure."""
        return TESTS[self.test].family
