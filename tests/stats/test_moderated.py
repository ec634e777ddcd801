"""The moderated t test: against loops, and what its definition promises."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.stats.pairs import Pairs
from irx_measures.stats.tests import PRIOR_TOPICS, moderated_variance, paired_t
from tests.oracles import moderated_t as oracle

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
    assert_allclose(paired_t(scores, pairs, prior), expected, rtol=1e-9)


@given(SHAPES, PRIORS)
def test_nothing_is_rejected_that_t_does_not_reject(shape, prior):
    scores = drawn(shape)
    pairs = Pairs.of(len(scores))
    moderated, plain = paired_t(scores, pairs, prior), paired_t(scores, pairs)
    assert (moderated >= plain * (1 - 1e-12)).all()
    if prior == 0 or len(scores) == 2:  # no prior, or one pair alone
        assert_allclose(moderated, plain, rtol=1e-12)


@given(SHAPES, PRIORS)
def test_variances_stay_in_their_order_and_the_median_stays(shape, prior):
    own = differences_of(drawn(shape)).var(axis=1, ddof=1)
    moderated = moderated_variance(own, shape[1], prior)
    assert (np.diff(moderated[np.argsort(own)]) >= -1e-12 * own.max()).all()
    assert_allclose(moderated[own >= np.median(own)], own[own >= np.median(own)], rtol=1e-12)


def test_equal_systems_and_constant_differences():
    scores = np.array([[0.1, 0.5, 0.2, 0.4]] * 2 + [[0.2, 0.6, 0.3, 0.5]])
    p = paired_t(scores, Pairs.of(3), PRIOR_TOPICS)
    assert p[0] == 1.0  # equal
    assert p[1] < 1e-9  # always .1 lower, and no other pair varies
