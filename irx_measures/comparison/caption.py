"""Captions of tables: test, correction, family, level, topics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..stats.tests import TESTS
from .hypotheses import Tested
from .method import CORRECTION_TITLES
from .score_table import Markup, ScoreTable


def method_text(tested: Sequence[Tested]) -> str:
    """How the hypotheses were tested, as a part of a sentence."""
    return (
        f"{_test_text(tested)}, {_correction_text(tested)}, "
        f"significance level {tested[0].method.alpha:g}"
    )


def intervals_text(tested: Sequence[Tested]) -> str:
    """What the intervals of the differences are, as a sentence."""
    method = tested[0].method
    if method.controls_family:
        return "The intervals are those of Tukey's HSD."
    if method.correction == "maxt":
        return (
            "The max-t intervals hold for all comparisons at once; one excludes 0 exactly where "
            "the difference is significant."
        )
    if method.correction == "none":
        return "The t intervals hold for one comparison at a time."
    exception = ""
    if method.correction == "holm" or method.test != "t":
        exception = "; the interval of a few significant differences may contain 0"
    return f"The Bonferroni t intervals hold for all comparisons at once{exception}."


def table_caption(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    """The caption of a table of scores."""
    return (
        f"Mean over {tested[0].topics} topics. {markup.best}. "
        f"{_findings(table, tested, markup)} ({method_text(tested)})."
    )


def _findings(table: ScoreTable, tested: Sequence[Tested], markup: Markup) -> str:
    if table.baselines:
        letters = ", ".join(markup.raised(letter) for letter in table.baselines)
        return f"{letters}: significantly higher than " + ", ".join(
            markup.text(name) for name in table.baselines.values()
        )
    counts = [
        f"{np.count_nonzero(part.rejected)} of {len(part.hypotheses)} pairs of systems differ "
        f"significantly in {markup.text(label)}"
        for label, part in zip(table.measures, tested, strict=True)
    ]
    return ", ".join(counts)


def _test_text(tested: Sequence[Tested]) -> str:
    method = tested[0].method
    test = TESTS[method.test]
    title = test.title if test.family else f"two-sided {test.title}"
    if not test.resamples:
        return title
    return f"{title} with {_range(part.resamples or 0 for part in tested)} samples"


def _correction_text(tested: Sequence[Tested]) -> str:
    method = tested[0].method
    if method.controls_family:
        return f"over {_range(len(part.hypotheses.systems) for part in tested)} systems"
    covered = _range(part.in_family for part in tested)
    unit = "comparison" if covered == "1" else "comparisons"
    over = "for" if method.correction == "none" else "over"
    scope = ""
    if method.family == "all":
        scope = " of all measures"
    elif len(tested) > 1:
        scope = " per measure"
    return f"{CORRECTION_TITLES[method.correction]} {over} {covered} {unit}{scope}"


def _range(counts: Iterable[int]) -> str:
    numbers = sorted(set(counts))
    ends = dict.fromkeys([numbers[0], numbers[-1]])
    return " to ".join(map(str, ends))
