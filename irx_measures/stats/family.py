"""Families of hypotheses: how they are tested, whether they can be rejected, and the decisions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from ..common.numeric import FloatArray
from ..common.short_paths import public
from ..common.validators import LEVEL, choice, integer, number_from
from ..common.writing import counted
from ..exceptions import InputError
from .decisions import CORRECTIONS, MULTIPLYING, alpha_of, corrected, rejects
from .pairs import Pairs
from .resampling import Progress
from .tests import PRIOR_TOPICS, TESTS

# A choice: ten minutes of the bootstrap test of a few systems. More precision needs no samples, but
# a test that draws none.
MOST_RESAMPLES = 1_000_000

INSTEAD = "`test='t'` draws none"


@public
@dataclass(frozen=True)
class Method:
    """How hypotheses are tested.

    Attributes
    ----------
    test : str
        The name of the test, as `irx_measures.compare` and `irx_measures.meta` call it.
    correction : str
        ``holm``, ``bonferroni``, ``bh`` or ``none``; it covers the hypotheses of one family.
    level : float
        Confidence level of decisions and intervals, in (0, 1).
    resamples : int
        Number of random samples of a test that resamples.
    seed : int
        Of the random samples.
    prior_topics : float
        Number of topics that the family's median variance counts for; 0: it does not count.

    See Also
    --------
    irx_measures.compare : The `method` of its result is a Method.
    irx_measures.meta.discriminative_power : So is that of its result.
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
        correction: str | None,
        level: float,
        resamples: int,
        seed: int,
        prior_topics: float = PRIOR_TOPICS,
        offered: Iterable[str] = TESTS,
    ) -> Method:
        """Check arguments; a correction of None is the test's default.

        `offered` are the tests to choose from.
        """
        how = TESTS[choice(*offered).check("test", test)]
        prior = number_from(0.0, closed=True).check("prior_topics", prior_topics)
        drawn: int = integer(1).check("resamples", resamples)
        if drawn > MOST_RESAMPLES:
            raise InputError(
                f"`resamples` must be at most {MOST_RESAMPLES}; {INSTEAD}; got {drawn}"
            )
        if not how.moderated:
            prior = 0.0
        correction = _correction(test, correction)
        share = LEVEL.check("level", level)
        return cls(test, correction, share, drawn, integer(0).check("seed", seed), prior)

    @property
    def alpha(self) -> float:
        """The largest p-value that is significant."""
        return alpha_of(self.level)

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

    @property
    def drawn(self) -> int | None:
        """Number of random samples of a family; None if the test draws none."""
        return self.resamples if TESTS[self.test].resamples else None

    def factor(self, hypotheses: int) -> int:
        """What the correction multiplies the smallest p-value of so many hypotheses by."""
        return hypotheses if self.correction in MULTIPLYING else 1


def _correction(test: str, correction: str | None) -> str:
    how = TESTS[test]
    if correction is None:
        return "holm" if how.corrected else "none"
    choice(*CORRECTIONS).check("correction", correction)
    if how.family and correction != "none":
        raise InputError(
            f"`correction` must be 'none' for `test={test!r}`, which controls the family's error "
            f"itself; got {correction!r}"
        )
    return correction


class Part(NamedTuple):
    """Some hypotheses of a family: the two systems of each pair have the same mean score."""

    scores: FloatArray  # (systems, topics)
    pairs: Pairs  # positions of the systems, each hypothesis once
    group: str | None = None  # of queries, which the topics are; errors name it
    unit: str = "topic"  # what each score of a system is of; errors name it


class Decided(NamedTuple):
    """Two-sided p-values of the hypotheses before and after the correction: (pairs,) each."""

    p: FloatArray
    p_adjusted: FloatArray


def decide(
    family: Sequence[Part], method: Method, progress: Progress | None = None
) -> list[Decided]:
    """Test the hypotheses that one correction covers: the p-values of each part.

    `progress` is called with the number of random samples just drawn. If no hypothesis of a part
    could be rejected, whatever the scores, that is an InputError.
    """
    ends = np.cumsum([len(part.pairs.first) for part in family])
    for part in family:
        check_can_reject(part, method, int(ends[-1]))
    p = np.concatenate([_p_values(part, method, progress) for part in family])
    adjusted = corrected(p, method.correction)
    return list(map(Decided, np.split(p, ends[:-1]), np.split(adjusted, ends[:-1])))


def _p_values(part: Part, method: Method, progress: Progress | None) -> FloatArray:
    test = TESTS[method.test]
    if test.moderated:
        return test.p_values(part.scores, part.pairs, method.prior_topics)
    if method.drawn is None:
        return test.p_values(part.scores, part.pairs)
    rng = np.random.default_rng(method.seed)
    return test.p_values(part.scores, part.pairs, method.drawn, rng, progress)


def least_p_value(test: str, topics: int, systems: int = 2) -> float:
    """The smallest p-value that a test can give, however many samples it draws; 0 without a limit.

    - ``wilcoxon`` and ``randomisation``: two of the 2^topics sign patterns are the most extreme
      ones, so p >= 2^(1 - topics). Topics on which two systems score the same, and the normal
      approximation of ``wilcoxon``, only raise their p.
    - ``tukey-randomised``: the range of means is largest if each topic gives its best score to one
      system and its worst score to another: p >= (systems (systems - 1))^(1 - topics).
    """
    patterns = {"wilcoxon": 2.0, "randomisation": 2.0}
    patterns["tukey-randomised"] = systems * (systems - 1.0)
    return patterns[test] ** (1 - topics) if test in patterns else 0.0


def resamples_needed(factor: int, alpha: float) -> int:
    """The fewest random samples whose smallest p-value, times `factor`, is at most `alpha`.

    The smallest p-value of n samples is ``1 / (n + 1)``.
    """
    return max(1, ceil(round(factor / alpha, 6)) - 1)  # without the error of floats


def check_can_reject(part: Part, method: Method, hypotheses: int) -> None:
    """Refuse a method whose smallest possible p-value, adjusted, exceeds alpha.

    It depends on the topics and systems of the part, and on the number of hypotheses that the
    correction covers.
    """
    systems, topics = part.scores.shape
    title = TESTS[method.test].title
    group = "" if part.group is None else f"group {part.group!r}: "
    least, factor = least_p_value(method.test, topics, systems), method.factor(hypotheses)
    if not rejects(least * factor, method.level):
        multiplied = f", which {method.correction} multiplies by {factor}" if factor > 1 else ""
        raise InputError(
            f"{group}`test` and `correction` must be able to reject at level {method.level:.12g}; "
            f"with {counted(topics, part.unit)} the least p-value of the {title} is "
            f"{least:.2g}{multiplied}: no number of resamples helps, use `test='t'`; "
            f"got `test={method.test!r}` and `correction={method.correction!r}`"
        )
    needed = resamples_needed(factor, method.alpha)
    if method.drawn is not None and method.drawn < needed:
        most = f", and at most {MOST_RESAMPLES} are drawn: {INSTEAD}"
        if needed <= MOST_RESAMPLES:
            most = ""
        raise InputError(
            f"{group}`resamples` must be at least {needed} to reject any of {hypotheses} "
            f"hypotheses at level {method.level:.12g} with `correction={method.correction!r}`"
            f"{most}; got {method.drawn}"
        )
