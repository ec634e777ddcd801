"""The number of topics that a test needs: against statsmodels, and the formulas by hand."""

from math import gamma, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq
from statsmodels.stats.power import TTestPower

from irx_measures.stats.planning import hedges_g, topics_for_power, topics_needed


def needed(differences):
    return topics_needed(hedges_g(differences), differences.shape[1], 0.95)


def of_statsmodels(effect, level=0.95, power=0.8):
    """The root of statsmodels' power function; its own search ends 2e-6 away from it."""

    def missing(topics):
        return TTestPower().power(effect, topics, round(1 - level, 12)) - power

    nearly = TTestPower().solve_power(effect, None, round(1 - level, 12), power, "two-sided")
    return brentq(missing, nearly - 1e-3, nearly + 1e-3, xtol=1e-10)


@pytest.mark.parametrize(("level", "power"), [(0.95, 0.8), (0.99, 0.8), (0.9, 0.95), (0.8, 0.9)])
def test_topics_before_rounding_up_are_statsmodels(level, power):
    effect = np.array([0.03, 0.1, 0.2, 0.35, 0.5, 0.8, 1.0, 1.5, 2.0])
    peer = [of_statsmodels(value, level, power) for value in effect]
    assert_allclose(topics_for_power(effect, level, power), np.maximum(peer, 2), rtol=0, atol=1e-6)


def test_topics_are_whole_and_just_enough():
    effect = np.array([0.11, 0.25, 0.5, 0.9, 1.4, 3.0])
    topics, _ = topics_needed(effect, 50, 0.95)
    assert_array_equal(topics, np.round(topics))
    enough = [TTestPower().power(d, n, 0.05) for d, n in zip(effect, topics, strict=True)]
    too_few = [TTestPower().power(d, n - 1, 0.05) for d, n in zip(effect, topics, strict=True)]
    assert min(enough) >= 0.8
    assert max(too_few) < 0.8


def test_effects_at_both_ends():
    effect = np.array([0.0, -0.5, 1e-9, 12.0, 1e5, np.inf])
    assert_array_equal(topics_for_power(effect), [np.inf, np.inf, np.inf, 2, 2, 2])
    assert_array_equal(topics_for_power(np.array([])), [])
    # (z(.975) + z(.8))^2 / g^2 + z(.975)^2 / 2 where topics are many.
    assert topics_for_power(np.array([0.001])) == pytest.approx(7_848_861, abs=2)


def differences(pairs=6, topics=20):
    rng = np.random.default_rng(5)
    return rng.normal(np.linspace(-0.8, 0.8, pairs)[:, np.newaxis], 1, (pairs, topics))


@pytest.mark.parametrize("topics", [3, 4, 20, 43])
def test_hedges_g_is_its_formula(topics):
    table = differences(topics=topics)
    n = topics
    j = gamma((n - 1) / 2) / (gamma((n - 2) / 2) * sqrt((n - 1) / 2))
    expected = [j * row.mean() / row.std(ddof=1) for row in table]
    assert_allclose(hedges_g(table), expected, rtol=1e-12)


def test_hedges_g_has_no_bias():
    """Cohen's d of 6 topics is a sixth too large; the mean of g is the true effect."""
    table = np.random.default_rng(8).normal(0.5, 1, (100_000, 6))
    g = hedges_g(table)
    assert g.mean() == pytest.approx(0.5, abs=5 * g.std() / sqrt(len(g)))
    assert (table.mean(axis=1) / table.std(axis=1, ddof=1)).mean() > 0.55


def test_the_safe_number_takes_the_lower_bound_of_the_effect():
    table = differences()
    topics, safe = needed(table)
    for row, number, safe_number in zip(table, topics, safe, strict=True):
        g = abs(float(hedges_g(row[np.newaxis])[0]))
        error = sqrt(1 / 20 + g**2 / (2 * 20))
        lower = g - 0.8416212335729143 * error
        assert number == np.ceil(of_statsmodels(g))
        assert safe_number == (np.ceil(of_statsmodels(lower)) if lower > 0 else np.inf)
    assert np.isinf(safe).any()
    assert np.isfinite(safe).any()


def test_equal_differences():
    table = np.array([[0.0] * 8, [0.2] * 8, [-0.2] * 8])
    topics, safe = needed(table)
    assert_array_equal(hedges_g(table), [0, np.inf, -np.inf])
    assert_array_equal(topics, [np.inf, 2, 2])
    assert_array_equal(safe, [np.inf, 2, 2])
