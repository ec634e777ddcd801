"""Families of hypotheses: what can reject none of them is refused, with the resamples needed."""

import numpy as np
import pytest

from irx_measures.exceptions import InputError
from irx_measures.stats.decisions import alpha_of, rejects
from irx_measures.stats.family import Method, Part, decide, least_p_value, resamples_needed
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.tests import TESTS


@pytest.mark.parametrize(
    ("test", "systems", "topics"),
    [("wilcoxon", 2, 5), ("wilcoxon", 2, 30), ("randomisation", 2, 3), ("tukey-randomised", 3, 3)],
)
def test_the_most_extreme_scores_reach_the_least_p_value(test, systems, topics):
    scores = np.arange(float(systems))[:, np.newaxis] * np.arange(1.0, topics + 1)
    draws = (20_000, np.random.default_rng(0)) if TESTS[test].resamples else ()
    (got,) = TESTS[test].p_values(scores, Pairs(np.array([0]), np.array([systems - 1])), *draws)
    # 5 standard errors: fails once in a million times.
    least = least_p_value(test, topics, systems)
    assert abs(got - least) <= (5 * np.sqrt(least / 20_000) if draws else 1e-9 * least)


@pytest.mark.parametrize("level", [0.8, 0.85, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("factor", [1, 3, 66, 666, 8256])
def test_the_resamples_needed_reject_and_one_fewer_do_not(level, factor):
    needed = resamples_needed(factor, alpha_of(level))
    assert rejects(factor / (needed + 1), level)
    assert not rejects(factor / needed, level)


# Five systems, and the second to last number is that of the topics.
@pytest.mark.parametrize(
    ("test", "correction", "level", "topics", "resamples", "told"),
    [
        ("randomisation", "holm", 0.95, 20, 198, "`resamples` must be at least 199 .*; got 198"),
        ("bootstrap", "bonferroni", 0.99, 20, 998, "`resamples` must be at least 999 .*; got 998"),
        ("bootstrap", "bh", 0.95, 20, 18, "`resamples` must be at least 19 .*; got 18"),
        ("tukey-randomised", "none", 0.95, 20, 18, "`resamples` must be at least 19 .*; got 18"),
        ("bootstrap", "holm", 1 - 1e-6, 20, 9, "9999999 .*at most 1000000 are drawn: test='t'"),
        ("randomisation", "holm", 0.95, 8, 9, r"8 topics .* 0\.0078, which holm .* by 10: no numb"),
        ("wilcoxon", "bonferroni", 0.95, 8, 9, r"is 0\.0078, .*no number of resamples .*test='t'"),
        ("wilcoxon", "bh", 0.95, 5, 9, r"is 0\.062: no number of resamples helps"),
    ],
)
def test_what_can_reject_nothing_is_refused(test, correction, level, topics, resamples, told):
    scores = np.random.default_rng(1).random((5, topics))
    method = Method.of(test, correction, level, resamples, seed=1)
    with pytest.raises(InputError, match=f"group 'short': .*{told}"):
        decide([Part(scores, Pairs.of(5), "short")], method)
    if resamples > 9:
        enough = Method.of(test, correction, level, resamples + 1, seed=1)
        assert len(decide([Part(scores, Pairs.of(5))], enough)[0].p) == 10


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("test", "z"), ("correction", "z"), ("level", 1.0), ("resamples", 0), ("seed", -1)),
        ("prior_topics", -1),
    ],
)
def test_arguments_that_are_not_allowed_are_named(name, value):
    given = {"test": "t", "correction": "holm", "level": 0.9, "resamples": 9, "seed": 0}
    with pytest.raises(InputError, match=f"`{name}` must"):
        Method.of(**given | {name: value})


def test_a_correction_covers_all_parts_of_a_family():
    scores = np.random.default_rng(2).random((2, 3, 12))
    method = Method.of("t", "bonferroni", 0.95, 1, seed=1)
    parts = decide([Part(part, Pairs.of(3)) for part in scores], method)
    for part, own in zip(scores, parts, strict=True):
        (alone,) = decide([Part(part, Pairs.of(3))], Method(correction="none"))
        assert own.p.tolist() == alone.p.tolist()
        assert own.p_adjusted.tolist() == np.minimum(6 * alone.p, 1).tolist()
