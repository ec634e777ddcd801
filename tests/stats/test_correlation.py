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

PHI = 0.5
SYMMETRIC = ["tau", "tau_b", "spearman", "RBO", "RBA"]


@st.composite
def rankings(draw, least=2, most=6):
    size = draw(st.integers(least, most))
    scores = st.lists(st.integers(0, 5), min_size=size, max_size=size)
    return np.array([draw(scores), draw(scores)], float)


def of(coefficient, first, second, phi=PHI):
    (value,) = coefficient_of(coefficient, np.array([first]), np.array([second]), phi)
    return value


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
            expected = evaluate({"second": second}, {}, peer).scores[0, 0, 0]
            assert_allclose(of(measure.NAME, *scores), expected, rtol=1e-12, atol=1e-15)


def test_equal_rankings_with_ties():
    # In half of the orders, rank 2 has one common system instead of two.
    scores = np.array([3.0, 2, 2, 1])
    assert of("RBO", scores, scores) == pytest.approx(1 - (1 - PHI) * PHI / 2 / 2)


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


@pytest.mark.parametrize(
    ("coefficient", "first", "second", "expected"),
    [
        # One of six pairs is discordant.
        ("tau", [4.0, 3, 2, 1], [4.0, 2, 3, 1], 4 / 6),
        ("tau_b", [4.0, 3, 2, 1], [4.0, 2, 3, 1], 4 / 6),
        # Sum of squared rank differences of 2: 1 - 6 x 2 / (4 x 15).
        ("spearman", [4.0, 3, 2, 1], [4.0, 2, 3, 1], 0.8),
        # At ranks 2, 3 and 4, of the systems above 1, 1 and 3 stand right: 2/3 (1 + 1/2 + 1) - 1.
        ("tau_AP", [4.0, 3, 2, 1], [4.0, 2, 3, 1], 2 / 3),
        # Two of three pairs are concordant, the third is tied in the second ranking.
        ("tau", [3.0, 2, 1], [2.0, 2, 1], 2 / 3),
        ("tau_b", [3.0, 2, 1], [2.0, 2, 1], 2 / np.sqrt(3 * 2)),
        ("spearman", [3.0, 2, 1], [2.0, 2, 1], 1.5 / np.sqrt(2 * 1.5)),
        # The tie in one order is right throughout (1), in the other wrong at rank 2 (0).
        ("tau_AP", [3.0, 2, 1], [2.0, 2, 1], 1 / 2),
        # Tied in the first, the second system is half right at rank 2.
        ("tau_AP", [2.0, 2, 1], [3.0, 2, 1], 1 / 2),
        # No overlap at rank 1, all from rank 2 on.
        ("RBO", [2.0, 1], [1.0, 2], PHI),
        # Both documents have the mean rank 1.5, those from rank 3 on their own.
        ("RBA", [2.0, 1], [1.0, 2], 2 * (1 - PHI) * PHI**0.5 + PHI**2),
        # A tie shares the weights of ranks 1 and 2, or half of the overlap at rank 1.
        ("RBO", [2.0, 1], [1.0, 1], (1 - PHI) / 2 + PHI),
        (
            "RBA",
            [2.0, 1],
            [1.0, 1],
            np.sqrt((1 - PHI**2) / 2) * (np.sqrt(1 - PHI) + np.sqrt((1 - PHI) * PHI)) + PHI**2,
        ),
        # Of the two documents at rank 2 and above one is common; at all other ranks all are.
        ("RBO", [3.0, 2, 1], [3.0, 1, 2], 1 - (1 - PHI) * PHI / 2),
        # Rank 1 agrees, ranks 2 and 3 are exchanged, the rest agrees.
        ("RBA", [3.0, 2, 1], [3.0, 1, 2], (1 - PHI) * (1 + 2 * PHI**1.5) + PHI**3),
        ("tau_b", [2.0, 1], [1.0, 2], -1.0),
        ("spearman", [2.0, 1], [1.0, 2], -1.0),
    ],
)
def test_coefficients_by_hand(coefficient, first, second, expected):
    assert of(coefficient, first, second) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("other", [[3.0, 2, 1], [2.0, 2, 2]])
def test_a_ranking_with_all_systems_tied_correlates_with_none(coefficient, other):
    tied = [1.0, 1, 1]
    undefined = coefficient not in ("RBO", "RBA")  # ties share the weight of their ranks
    assert np.isnan(of(coefficient, tied, other)) == undefined
    assert np.isnan(of(coefficient, other, tied)) == undefined


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
