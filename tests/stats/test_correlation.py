"""Coefficients of rank correlation against scipy, the definitions, by hand, and their laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures import RBA, RBO, evaluate
from irx_measures.stats.correlation import COEFFICIENTS, coefficient_of
from tests.examples import examples
from tests.oracles import meta as oracle
from tests.stats.scores import correlation as of

PHI = 0.5
SYMMETRIC = ["tau", "tau_b", "spearman", "RBO", "RBA"]


@st.composite
def rankings(draw, least=2, most=6):
    size = draw(st.integers(least, most))
    scores = st.lists(st.integers(0, 5), min_size=size, max_size=size)
    return np.array([draw(scores), draw(scores)], float)


@given(rankings())
def test_tau_is_its_definition(scores):
    tau, tau_b = oracle.kendall(*scores)
    assert_allclose(of("tau", *scores), tau, rtol=1e-12, atol=1e-15)
    assert_allclose(of("tau_b", *scores), tau_b, rtol=1e-12, atol=1e-15)


@given(rankings())
@settings(max_examples=examples(15))
def test_tau_ap_is_the_mean_over_all_orders_of_ties(scores):
    assert_allclose(of("tau_AP", *scores), oracle.tau_ap(*scores), rtol=1e-12, atol=1e-14)


@given(rankings(most=12))
def test_tau_b_and_rho_are_scipys(scores):
    for coefficient, peer in (("tau_b", stats.kendalltau), ("spearman", stats.spearmanr)):
        # Where all are tied it is undefined; scipy warns of it.
        expected = peer(*scores).statistic if np.ptp(scores, axis=1).all() else np.nan
        assert_allclose(of(coefficient, *scores), expected, rtol=1e-10, atol=1e-12)


@given(rankings(most=8))
@settings(max_examples=examples(8))
def test_rank_biased_coefficients_are_the_measures(scores):
    """Compare the systems as documents of a run with the same systems as documents of another."""
    names = [f"s{number}" for number in range(scores.shape[1])]
    first, second = ({"q": dict(zip(names, row, strict=True))} for row in scores.tolist())
    for measure, bounds in ((RBO, ("ext", "upper")), (RBA, ("upper",))):
        for bound in bounds:
            peer = measure(phi=PHI, ties="share", bound=bound, reference=[first])
            expected = evaluate({}, {"second": second}, peer).scores[0, 0, 0]
            assert_allclose(of(measure.NAME, *scores), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_ranking_agrees_with_itself_and_least_with_its_reverse(coefficient):
    scores = np.arange(10.0)
    assert of(coefficient, scores, scores) == pytest.approx(1.0)
    rng = np.random.default_rng(0)
    shuffled = [of(coefficient, scores, rng.permutation(scores)) for _ in range(50)]
    least = of(coefficient, scores, -scores)
    assert least < min(shuffled)
    assert least == pytest.approx(-1.0) or coefficient in ("RBO", "RBA")


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_only_order_counts(coefficient):
    rng = np.random.default_rng(3)
    first, second = rng.random((2, 9))
    order = rng.permutation(9)
    value = of(coefficient, first, second)
    assert of(coefficient, first[order], second[order]) == pytest.approx(value)
    assert of(coefficient, np.exp(first), 3 * second - 1) == pytest.approx(value)


def test_top_weighted_coefficients_mind_the_top():
    first = np.arange(10.0)
    at_top, at_bottom = first.copy(), first.copy()
    at_top[[8, 9]], at_bottom[[0, 1]] = [9, 8], [1, 0]
    for coefficient in COEFFICIENTS:
        top, bottom = of(coefficient, first, at_top), of(coefficient, first, at_bottom)
        if coefficient in ("tau_AP", "RBO", "RBA"):
            assert top < bottom
        else:
            assert top == pytest.approx(bottom)


def samples(number=7, systems=6):
    """Scores of few values, so that some tie."""
    return np.random.default_rng(4).integers(0, 5, (2, number, systems)).astype(float)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_samples_too_many_for_a_chunk_have_the_values_they_have_alone(coefficient):
    first, second = samples(3000, 40)
    together = coefficient_of(coefficient, first, second, PHI)
    for place in (0, 1, 1500, 2998, 2999):
        alone = of(coefficient, first[place], second[place])
        assert together[place] == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_which_coefficients_are_symmetric(coefficient):
    first, second = samples()
    there, back = (
        coefficient_of(coefficient, *pair, PHI) for pair in ((first, second), (second, first))
    )
    assert np.allclose(there, back, rtol=1e-12) == (coefficient in SYMMETRIC)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_coefficients_keep_their_bounds(coefficient):
    first, second = samples(500)
    got = coefficient_of(coefficient, first, second, PHI)
    least = 0.0 if coefficient in ("RBO", "RBA") else -1.0
    tied = np.any([np.ptp(scores, axis=1) == 0 for scores in samples(500)], axis=0)
    assert tied.any()
    assert_array_equal(np.isnan(got), tied & (coefficient not in ("RBO", "RBA")))
    got = got[~np.isnan(got)]
    assert (got >= least - 1e-12).all()
    assert (got <= 1 + 1e-12).all()
    assert np.ptp(got) > 0.3
