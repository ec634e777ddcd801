"""Prediction-powered intervals: the oracle, laws, coverage by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures.stats.prediction_powered import prediction_powered
from tests.oracles import prediction_powered as oracle

SCORES = st.integers(0, 8).map(lambda eighths: eighths / 8)


@st.composite
def topics(draw):
    n, m = draw(st.integers(4, 9)), draw(st.integers(2, 9))
    return tuple(draw(st.lists(SCORES, min_size=k, max_size=k)) for k in (n, n, m))


def simulated(rng, n, m, noise, shape=()):
    """Human scores, machine scores, and machine-only scores of topics of one population."""
    human = rng.beta(2, 2, (*shape, n + m))
    machine = human + noise * rng.standard_normal((*shape, n + m))
    return human[..., :n], machine[..., :n], machine[..., n:]


@given(topics())
def test_oracle(scores):
    got = prediction_powered(*map(np.array, scores), level=0.9)
    assert_allclose(np.array(got), oracle.interval(*scores, 0.9, "ppi++"), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("slope", "method"), [(0.5, "ppi"), (-1.0, "human")])
def test_a_weight_at_its_end_is_that_of_ppi_or_of_the_human_scores_alone(slope, method):
    human, _, only = simulated(np.random.default_rng(8), 15, 40, 0)
    scores = [array.tolist() for array in (human, slope * human, slope * only)]
    got = prediction_powered(*map(np.array, scores))
    estimate, lower, upper, lam, freedom = oracle.interval(*scores, 0.95, method)
    assert_allclose((got.estimate, got.lam), (estimate, lam), rtol=1e-12)
    errors = (
        (got.upper - got.lower) / stats.t.isf(0.025, got.freedom),
        (upper - lower) / stats.t.isf(0.025, freedom),
    )
    assert_allclose(*errors, rtol=1e-12)


def test_a_batch_equals_its_rows():
    batch = simulated(np.random.default_rng(1), 12, 30, 0.2, (2, 3))
    together = np.array(prediction_powered(*batch))
    for place in np.ndindex(2, 3):
        alone = prediction_powered(*(scores[place] for scores in batch))
        assert_allclose(together[(..., *place)], np.array(alone), rtol=1e-12)


def test_the_weight_depends_on_the_spread_of_the_human_judged_topics_alone():
    human, machine, only = simulated(np.random.default_rng(6), 20, 60, 0.2, (50,))
    lam = prediction_powered(human, machine, only).lam
    assert ((lam > 0) & (lam < 1)).any()
    assert_array_equal(prediction_powered(human, machine, 5 * only).lam, lam)
    # The slope of equal scores is 1 in every sample, whatever its spread.
    assert_allclose(prediction_powered(human, human, only).lam, 60 / (20 + 60), rtol=1e-12)


@pytest.mark.parametrize("noise", [0.05, 0.2, 1.0])
@pytest.mark.parametrize("bias", [0.0, 0.5])
def test_the_interval_covers_the_mean_at_its_level(noise, bias):
    simulations = 4000
    human, machine, only = simulated(np.random.default_rng(5), 20, 200, noise, (simulations,))
    got = prediction_powered(human, machine + bias, only + bias)
    covered = ((got.lower <= 0.5) & (got.upper >= 0.5)).mean()
    # 99.9% bounds of a binomial, widened by .01 because the t interval is approximate.
    low, high = stats.binom.ppf([0.0005, 0.9995], simulations, 0.95) / simulations
    assert low - 0.01 <= covered <= high + 0.01


def test_scores_without_variance():
    got = prediction_powered(np.full(5, 0.5), np.full(5, 0.25), np.full(3, 0.25))
    assert_array_equal(np.array(got), [0.5, 0.5, 0.5, 0.0, 3.0])
