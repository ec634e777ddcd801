"""What tests can resolve: against p-values of the most extreme scores."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures.exceptions import InputError
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.resolution import (
    check_can_reject,
    checked_resamples,
    enough_resamples,
    least_p_value,
)
from irx_measures.stats.tests import TESTS, wilcoxon, wilcoxon_is_exact

PAIR = Pairs.of(2)


def extreme(topics, tied=False):
    """The second system is better on every topic; the sizes differ, or nearly all of them do."""
    gains = np.arange(1.0, topics + 1)
    if tied:
        gains[0] = gains[1]
    return np.stack((np.zeros(topics), gains))


@pytest.mark.parametrize("topics", [2, 5, 13, 14, 30, 50])
def test_exact_wilcoxon_reaches_its_least_p_value(topics):
    scores = extreme(topics)
    assert wilcoxon_is_exact(scores, PAIR)
    assert_allclose(wilcoxon(scores, PAIR), [least_p_value("wilcoxon", topics)], rtol=1e-9)


def test_normal_wilcoxon_of_distinct_differences_reaches_its_least_p_value():
    scores = extreme(60)
    assert not wilcoxon_is_exact(scores, PAIR)
    least = least_p_value("wilcoxon", 60, exact=False)
    assert_allclose(wilcoxon(scores, PAIR), [least], rtol=1e-9)
    assert least_p_value("wilcoxon", 25) < 0.01 * least_p_value("wilcoxon", 25, exact=False)


@pytest.mark.parametrize("topics", [13, 14, 50])
def test_wilcoxon_is_exact_unless_some_pair_is_tied(topics):
    scores = np.vstack((extreme(topics), -(extreme(topics, tied=True)[1] ** 1.5)))
    assert wilcoxon_is_exact(scores, PAIR)
    assert wilcoxon_is_exact(scores, Pairs.of(3)) == (topics == 13)
    equal = np.zeros((2, topics))
    assert wilcoxon_is_exact(equal, PAIR)


@pytest.mark.parametrize("topics", [14, 50, 60])
def test_wilcoxon_is_exact_if_zeros_leave_few_differences_or_distinct_ones(topics):
    distinct, tied = extreme(topics), extreme(topics, tied=True)
    distinct[1, : max(topics - 50, 3)] = 0.0
    assert wilcoxon_is_exact(distinct, PAIR)
    tied[1, 13:] = 0.0
    assert wilcoxon_is_exact(tied, PAIR)
    tied[1, 13] = 100.0
    assert not wilcoxon_is_exact(tied, PAIR)


@pytest.mark.parametrize(("test", "systems"), [("randomisation", 2), ("tukey-randomised", 3)])
def test_resampling_tests_near_their_least_p_value_where_topics_are_few(test, systems):
    scores = np.arange(float(systems))[:, np.newaxis] * np.ones(3)
    (*_, got) = TESTS[test].p_values(
        scores, Pairs(np.array([0]), np.array([systems - 1])), 20_000, np.random.default_rng(0)
    )
    expected = least_p_value(test, 3, systems=systems)
    assert expected == pytest.approx({2: 2 / 8, 3: 6 / 6**3}[systems])
    # 5 standard errors: fails once in a million times.
    assert_allclose(got, expected, atol=5 * np.sqrt(expected / 20_000))


def test_the_least_p_value_of_samples_is_one_of_them():
    assert least_p_value("bootstrap", 5, 99) == 0.01
    assert least_p_value("randomisation", 50, 99) == 0.01
    assert least_p_value("randomisation", 5, 99) == 1 / 16
    assert least_p_value("randomisation", 3000) == 0.0
    assert least_p_value("t", 5) == least_p_value("tukey-blocks", 2) == 0.0


@pytest.mark.parametrize(
    ("asked", "hypotheses", "alpha", "expected"),
    [(10_000, 666, 0.05, 133_200), (10_000, 36, 0.05, 10_000), (1, 1, 0.01, 1000)],
)
def test_resamples_are_enough_for_a_tenth_of_alpha(asked, hypotheses, alpha, expected):
    got = enough_resamples(asked, hypotheses, alpha)
    assert got == expected
    assert hypotheses / (got + 1) < alpha / 9


def refused(scores, test, correction, hypotheses, alpha=0.05, resamples=None):
    try:
        check_can_reject(
            scores, PAIR, test=test, correction=correction, hypotheses=hypotheses, alpha=alpha,
            resamples=resamples,
        )  # fmt: skip
    except InputError as error:
        return str(error)
    return None


def test_a_million_resamples_are_drawn_and_no_more():
    assert enough_resamples(1, 5000, 0.05) == checked_resamples(1_000_000) == 1_000_000
    with pytest.raises(InputError, match="test='t' draws none"):
        enough_resamples(1, 5001, 0.05)
    with pytest.raises(InputError, match="test='t' draws none"):
        checked_resamples(1_000_001)


def test_a_refusal_says_the_least_p_value_its_factor_and_what_to_use():
    assert refused(extreme(9), "wilcoxon", "holm", 666) == (
        "`test` and `correction` must be able to reject at level 0.95; with 9 topics the least "
        "p-value of the Wilcoxon signed-rank test is 0.0039, which holm multiplies by 666 "
        "hypotheses: use test='t'; got test='wilcoxon', correction='holm'"
    )
    assert "with 60 topics and 10 resamples the least p-value" in (
        refused(extreme(60), "randomisation", "none", 666, resamples=10) or ""
    )


def test_one_tie_makes_wilcoxon_unable_to_reject_among_many_pairs():
    assert refused(extreme(25), "wilcoxon", "holm", 8256) is None
    told = refused(extreme(25, tied=True), "wilcoxon", "holm", 8256)
    assert told is not None
    assert "(by the normal approximation, because differences are tied) is 1.2e-05" in told
    assert refused(extreme(25, tied=True), "wilcoxon", "holm", 666) is None
    assert refused(extreme(25, tied=True), "wilcoxon", "none", 8256) is None
    assert refused(extreme(25, tied=True), "t", "holm", 8256) is None
    assert refused(extreme(51), "wilcoxon", "holm", 8256) is None
