"""Rank correlation against scipy, the definitions, and its own laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.meta import rank_correlation
from irx_measures.stats.correlation import COEFFICIENTS
from tests.stats.scores import correlation

PHI = 0.8


def campaign(systems=8, queries=30, noise=0.1):
    rng = np.random.default_rng(5)
    quality = np.linspace(0.2, 0.6, systems)[:, np.newaxis]
    return quality + rng.normal(0, noise, (2, systems, queries))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_samples_are_the_coefficient_on_resampled_topics(coefficient):
    first, second = campaign()
    result = rank_correlation(first, second, coefficient=coefficient, samples=20, seed=9, phi=PHI)
    rng = np.random.default_rng(9)
    for value in result.bootstrap:
        counts = rng.multinomial(30, np.full(30, 1 / 30))
        topics = np.repeat(np.arange(30), counts)
        means = (scores[:, topics].mean(axis=1) for scores in (first, second))
        assert value == pytest.approx(correlation(coefficient, *means, PHI))
    means = first.mean(axis=1), second.mean(axis=1)
    assert result.value == pytest.approx(correlation(coefficient, *means, PHI))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_the_interval_has_its_share_of_the_samples_around_the_value_within_the_range(coefficient):
    least = 0.0 if coefficient in ("RBO", "RBA") else -1.0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        first = np.linspace(0.3, 0.4, 12)[:, np.newaxis] + rng.normal(0, 0.2, (12, 20))
        second = first + rng.normal(0, 0.03, first.shape)
        result = rank_correlation(first, second, coefficient=coefficient, samples=100, level=0.9)
        reach = np.percentile(np.abs(result.bootstrap - result.value), 90)
        expected = [max(result.value - reach, least), min(result.value + reach, 1)]
        assert_allclose(result.interval, expected)
        assert least <= result.interval[0] < result.value <= result.interval[1] <= 1


@pytest.mark.parametrize(("coefficient", "least"), [("RBO", 0), ("RBA", 0), ("tau", -1)])
def test_an_interval_ends_where_the_coefficient_does(coefficient, least):
    """The second measure turns the ranking round on one topic, which some samples lack."""
    quality = np.linspace(0.1, 0.9, 9)[:, np.newaxis]
    first = np.tile(quality, 4)
    second = np.hstack([quality, quality, quality, -9 * quality])
    result = rank_correlation(first, second, coefficient=coefficient, phi=0.1, level=0.99)
    reach = np.quantile(np.abs(result.bootstrap - result.value), 0.99)
    assert result.value - reach < least
    assert result.interval[0] == least


def test_samples_that_tie_all_systems_are_left_out_of_the_interval_and_counted():
    first = np.array([[0.5, 0.5, 0.9], [0.5, 0.5, 0.6], [0.5, 0.5, 0.7]])
    result = rank_correlation(first, first, samples=300)
    counts = np.random.default_rng(42).multinomial(3, [1 / 3] * 3, size=300)
    tied = np.count_nonzero(counts[:, 2] == 0)
    assert result.undefined == tied > 50
    assert (result.value, result.interval) == (1, (1, 1))
    assert result.summary.endswith(f"samples of the topics, of which {tied} tie all systems)")
    never = rank_correlation(first, np.ones_like(first), samples=20)
    assert np.isnan([never.value, *never.interval]).all()
    assert never.undefined == 20
    assert never.summary == "tau_b undefined: a measure ties all 3 systems"


def test_a_result_names_its_systems_and_ranks_them():
    first = [[0.9, 0.7], [0.5, 0.3], [0.4, 0.4]]
    result = rank_correlation(first, np.array(first)[::-1], ["a", "b", "c"], samples=50)
    table = result.to_frame()
    assert table["system"].tolist() == ["a", "b", "c"]
    assert table["first_rank"].tolist() == [1, 2.5, 2.5]
    assert table["second_rank"].tolist() == [2.5, 2.5, 1]
    assert_array_equal(table["first"], result.first)
    assert result.summary.startswith("tau_b -0.500, 95% interval [")
    assert result.summary.endswith("(3 systems, 50 bootstrap samples of the topics)")
    biased = rank_correlation(first, first, coefficient="RBO", phi=0.7)
    assert biased.summary.startswith("RBO(phi=0.7) 0.")
