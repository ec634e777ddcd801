"""Student's t: scipy's numbers without scipy.stats. Intervals of a mean: their laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures.stats.intervals import (
    METHODS,
    interval_name,
    mean_interval,
    t_isf,
    topic_interval,
    two_sided_p,
)

SCORES = np.random.default_rng(0).normal(0.4, 0.1, (3, 400))


@pytest.fixture(params=METHODS)
def method(request):
    return request.param


def test_each_method_has_a_name():
    assert interval_name(0.95) == "95% t interval over topics"
    assert interval_name(0.975, "bootstrap") == "97.5% percentile bootstrap interval over topics"


def test_the_t_interval_is_that_of_scipy():
    expected = stats.ttest_1samp(SCORES, 0, axis=1).confidence_interval(0.9)
    assert_allclose(topic_interval(SCORES, 0.9), expected, rtol=1e-12)


@pytest.mark.parametrize(("level", "errors"), [(0.95, 1.96), (0.5, 0.674)])
def test_of_many_topics_it_is_the_normal_interval(method, level, errors):
    low, high = topic_interval(SCORES, level, method)
    mean, error = SCORES.mean(axis=1), SCORES.std(axis=1) / np.sqrt(400)
    assert_allclose((low - mean) / error, -errors, rtol=0.15)
    assert_allclose((high - mean) / error, errors, rtol=0.15)


def test_a_batch_equals_its_rows_and_repeats(method):
    together = np.array(topic_interval(SCORES, 0.95, method))
    for row, scores in enumerate(SCORES):
        alone = np.array(topic_interval(scores[np.newaxis], 0.95, method))[:, 0]
        assert_allclose(together[:, row], alone, rtol=1e-12)
    assert_array_equal(together, topic_interval(SCORES, 0.95, method))


def test_scores_turned_round_have_the_interval_turned_round(method):
    low, high = topic_interval(SCORES, 0.9, method)
    turned_low, turned_high = topic_interval(1 - SCORES, 0.9, method)
    assert_allclose((turned_low, turned_high), (1 - high, 1 - low), rtol=1e-12)


def test_systems_that_never_vary_have_intervals_of_one_point(method):
    low, high = topic_interval(np.full((2, 5), 0.25), 0.95, method)
    assert_array_equal((low, high), np.full((2, 2), 0.25))


def test_intervals_are_cut_at_the_lowest_and_the_highest_possible_score():
    scores = np.array([[1.0, 1.0, 1.0, 0.9], [0.0, 0.0, 0.1, 0.0], [0.4, 0.5, 0.6, 0.5]])
    low, high = mean_interval(scores, 0.95)
    assert high[0] > 1
    assert low[1] < 0
    cut = mean_interval(scores, 0.95, (0.0, 1.0))
    assert_array_equal(cut, [low.clip(0), high.clip(max=1)])
    assert_array_equal(topic_interval(scores, 0.95, "t", (0.0, 1.0)), cut)
    assert_array_equal(mean_interval(scores, 0.95, (0.0, np.inf))[1], high)
    # Percentages, which are not possible scores, keep their intervals.
    assert_array_equal(
        mean_interval(100 * scores, 0.95, (0.0, 1.0)), mean_interval(100 * scores, 0.95)
    )


def test_an_interval_holds_its_mean_where_the_highest_score_has_float_noise():
    scores = np.array([[1.0 + 2**-52] * 4])
    low, high = mean_interval(scores, 0.95, (0.0, 1.0))
    assert low[0] <= scores.mean() <= high[0]


@pytest.mark.parametrize("freedom", [1, 2, 42, 49.5, 1000])
def test_it_is_scipys(freedom):
    rng = np.random.default_rng(1)
    statistic = np.r_[0.0, -1.0, 1e-9, np.inf, rng.uniform(0, 60, 100)]
    p_value = two_sided_p(statistic, np.ones(len(statistic)), freedom)
    assert_array_equal(p_value, 2 * stats.t.sf(np.abs(statistic), freedom))
    probability = np.r_[1e-300, 1e-12, rng.uniform(0, 1, 100)]
    for one in probability.tolist():
        assert t_isf(one, freedom) == stats.t.isf(one, freedom)


def test_each_critical_value_has_its_freedom():
    freedom = np.array([1.0, 2.5, 40.0])
    assert_array_equal(t_isf(0.025, freedom), stats.t.isf(0.025, freedom))
