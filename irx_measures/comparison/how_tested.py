"""How hypotheses were tested, in words: test, correction, level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..common.numbers import level_text
from ..stats.tests import TESTS
from .hypotheses import Tested, is_grouped
from .method import CORRECTION_TITLES, WITH_T

NO_INTERVALS = (
    "Benjamini-Hochberg bounds the share of wrong ones: differences have no intervals, and systems "
    "no ranks"
)


def method_text(tested: Sequence[Tested]) -> str:
    """How the hypotheses were tested, as a part of a sentence."""
    method = tested[0].method
    title = f"two-sided {TESTS[method.test].title}"
    if method.drawn is not None:
        title = f"{title} with {method.resamples} samples"
    return f"{title}, {_family_text(tested)}, confidence level {level_text(method.level)}"


def intervals_text(tested: Sequence[Tested]) -> str:
    """What the intervals of the differences are, as a sentence."""
    method = tested[0].method
    kind = method.t_test.replace("-", " ")
    if not method.has_intervals:
        return f"{NO_INTERVALS}."
    if method.correction == "none":
        return f"The {kind} intervals hold for one comparison at a time."
    exception = ""
    if method.correction == "holm" or method.test not in WITH_T:
        exception = "; the interval of a few significant differences may contain 0"
    return f"The Bonferroni {kind} intervals hold for all comparisons at once{exception}."


def _family_text(tested: Sequence[Tested]) -> str:
    """The correction and the number of hypotheses that it covers."""
    covered = _range(part.in_family for part in tested)
    unit = "comparison" if covered == "1" else "comparisons"
    correction = tested[0].method.correction
    over = "for" if correction == "none" else "over"
    scope = " of all groups" if is_grouped(tested) else ""
    if len({part.hypotheses.measure for part in tested}) > 1:
        scope = f"{scope} per measure"
    return f"{CORRECTION_TITLES[correction]} {over} {covered} {unit}{scope}"


def _range(counts: Iterable[int]) -> str:
    numbers = sorted(set(counts))
    ends = dict.fromkeys([numbers[0], numbers[-1]])
    return " to ".join(map(str, ends))
