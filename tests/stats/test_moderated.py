"""The moderated t test: against loops, and what its definition promises."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.stats.max_t import max_t
from irx_measures.stats.moderated import moderated_variance
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.tests import moderated_t, paired_t
from tests.oracles import moderated_t as oracle
from tests.stats.scores import against_zero

SHAPES = st.tuples(st.integers(2, 7), st.integers(3, 9), st.integers(0, 2**32 - 1))
PRIORS = st.sampled_from([0.0, 0.5, 4.0, 8.0, 100.0])


def drawn(shape):
    """Scores whose differences are skewed, and whose variances differ."""
    systems, topics, seed = shape
    rng = np.random.default_rng(seed)
    return rng.gamma(0.5, size=(systems, topics)) * rng.uniform(0.1, 3, (systems, 1))


def differences_of(scores):
    return Pairs.of(len(scores)).differences(scores)


@given(SHAPES, PRIORS)
def test_p_values_are_those_of_the_loops(shape, prior):
    scores = drawn(shape)
    pairs = Pairs.of(len(scores))
    expected = oracle.p_values(differences_of(scores).tolist(), prior)
    assert_allclose(moderated_t(scores, pairs, prior), expected, rtol=1e-9)


@given(SHAPES, PRIORS)
def test_nothing_is_rejected_that_t_does_not_reject(shape, prior):
    scores = drawn(shape)
    pairs = Pairs.of(len(scores))
    moderated, plain = moderated_t(scores, pairs, prior), paired_t(scores, pairs)
    assert (moderated >= plain * (1 - 1e-12)).all()
    if prior == 0 or len(scores) == 2:  # no prior, or one pair alone
        assert_allclose(moderated, plain, rtol=1e-12)


@given(SHAPES, PRIORS)
def test_variances_stay_in_their_order_and_the_median_stays(shape, prior):
    own = differences_of(drawn(shape)).var(axis=1, ddof=1)
    moderated = moderated_variance(own, shape[1], prior)
    assert (np.diff(moderated[np.argsort(own)]) >= -1e-12 * own.max()).all()
    assert_allclose(moderated[own >= np.median(own)], own[own >= np.median(own)], rtol=1e-12)


@pytest.mark.parametrize("prior", [0.5, 4.0, 100.0])
@pytest.mark.parametrize("seed", range(5))
def test_max_t_over_all_flips_is_that_of_the_loops(prior, seed):
    rows = differences_of(drawn((4, 6, seed)))
    flips = [[*signs, 1] for signs in product([1, -1], repeat=5)][1:]
    result = max_t([against_zero(rows)], 0.95, 100, np.random.default_rng(0), prior_topics=prior)
    assert result.exact
    assert_allclose(result.p_value, oracle.max_t_p_values(rows.tolist(), prior, flips))


@pytest.mark.parametrize("seed", range(8))
def test_without_a_prior_moderated_flips_are_the_fast_ones(seed):
    scored = np.random.default_rng(seed).normal(size=(5, 20)), Pairs.of(5)
    fast = max_t([scored], 0.9, 500, np.random.default_rng(1))
    slow = max_t([scored], 0.9, 500, np.random.default_rng(1), prior_topics=1e-12)
    # The fast ones also count flips that are a ten-thousandth short.
    assert (slow.p_value <= fast.p_value).all()
    assert_allclose(slow.p_value, fast.p_value, atol=0.006)


def test_each_measure_has_its_own_median():
    one, other = drawn((4, 8, 1)), drawn((3, 8, 2))
    joint, rescaled = (
        max_t(
            [(one, Pairs.of(4)), (factor * other, Pairs.of(3))], 0.95, 200,
            np.random.default_rng(0), prior_topics=4.0,
        )
        for factor in (1, 1000)
    )  # fmt: skip
    assert_allclose(joint.p_value, rescaled.p_value)


def test_equal_systems_and_constant_differences():
    scores = np.array([[0.1, 0.5, 0.2, 0.4]] * 2 + [[0.2, 0.6, 0.3, 0.5]])
    p = moderated_t(scores, Pairs.of(3))
    assert p[0] == 1.0  # equal
    assert p[1] < 1e-9  # always .1 lower, and no other pair varies
