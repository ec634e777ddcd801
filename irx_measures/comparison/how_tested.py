"""How hypotheses were tested, in words: test, correction, family, level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..common.numbers import level_text
from ..stats.tests import TESTS
from .hypotheses import Tested, is_grouped
from .method import CORRECTION_TITLES, WITH_T


def method_text(tested: Sequence[Tested]) -> str:
    """How the hypotheses were tested, as a part of a sentence."""
    level = level_text(tested[0].method.level)
    return f"{test_text(tested)}, {family_text(tested)}, confidence level {level}"


def intervals_text(tested: Sequence[Tested]) -> str:
    """What the intervals of the differences are, as a sentence."""
    method = tested[0].method
    kind = method.t_test.replace("-", " ")
    if method.test in WITH_T and max(part.in_family for part in tested) == 1:
        return "It is the t interval of this one comparison."
    if method.controls_family:
        return "The intervals are those of Tukey's HSD."
    if method.correction == "maxt":
        return (
            "The max-t intervals hold for all comparisons at once; one excludes 0 exactly where "
            "the difference is significant."
        )
    if method.correction == "none":
        return f"The {kind} intervals hold for one comparison at a time."
    exception = ""
    if method.correction == "holm" or method.test not in WITH_T:
        exception = "; the interval of a few significant differences may contain 0"
    return f"The Bonferroni {kind} intervals hold for all comparisons at once{exception}."


def test_text(tested: Sequence[Tested]) -> str:
    """The test, and the number of its random samples."""
    method = tested[0].method
    test = TESTS[method.test]
    title = test.title if test.family else f"two-sided {test.title}"
    if not test.resamples:
        return title
    return f"{title} with {_range(part.resamples or 0 for part in tested)} samples"


def family_text(tested: Sequence[Tested]) -> str:
    """The correction and the number of hypotheses that it covers, as a part of a sentence."""
    method = tested[0].method
    if method.controls_family:
        return f"over {_range(len(part.hypotheses.systems) for part in tested)} systems"
    covered = _range(part.in_family for part in tested)
    unit = "comparison" if covered == "1" else "comparisons"
    over = "for" if method.correction == "none" else "over"
    groups = is_grouped(tested)
    scope = " of all groups" if groups else ""
    if method.family == "all":
        scope = " of all measures and groups" if groups else " of all measures"
    elif len({part.hypotheses.measure for part in tested}) > 1:
        scope = f"{scope} per measure"
    return f"{CORRECTION_TITLES[method.correction]} {over} {covered} {unit}{scope}"


def _range(counts: Iterable[int]) -> str:
    numbers = sorted(set(counts))
    ends = dict.fromkeys([numbers[0], numbers[-1]])
    return " to ".join(map(str, ends))
