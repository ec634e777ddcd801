"""Rank correlation against scipy, the definitions, and its own laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures import evaluate, register_runs
from irx_measures.meta import COEFFICIENTS, rank_correlation
from irx_measures.stats.correlation import coefficient_of
from tests.oracles import meta as oracle

PHI = 0.8


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
@settings(max_examples=100)
def test_tau_ap_is_the_mean_over_all_orders_of_ties(scores):
    assert_allclose(of("tau_AP", *scores), oracle.tau_ap(*scores), rtol=1e-12, atol=1e-14)


@given(rankings(most=12))
def test_tau_b_and_rho_are_scipys(scores):
    for coefficient, peer in (("tau_b", stats.kendalltau), ("spearman", stats.spearmanr)):
        # If all are tied, scipy returns NaN.
        expected = peer(*scores).statistic if np.ptp(scores, axis=1).all() else 0.0
        assert_allclose(of(coefficient, *scores), expected, rtol=1e-10, atol=1e-12)


@given(rankings(most=8))
def test_rank_biased_coefficients_are_the_measures(scores):
    """Systems are documents of two runs; the coefficients are the upper bounds of RBO and RBA."""
    names = [f"s{number}" for number in range(scores.shape[1])]
    first, second = ({"q": dict(zip(names, row, strict=True))} for row in scores.tolist())
    for coefficient in ("RBO", "RBA"):
        measure = f"{coefficient}(phi={PHI}, reference=reference, bound=upper)"
        register_runs("reference", {"first": first}, replace=True)
        matrix = evaluate({"second": second}, {}, measure)
        assert_allclose(of(coefficient, *scores), matrix.scores.item(), rtol=1e-12)


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


def test_tau_ap_of_a_swap_at_the_top_of_four():
    # C(2)/1 = 0, C(3)/2 = C(4)/3 = 1: 2/3 (0 + 1 + 1) - 1.
    assert of("tau_AP", [4.0, 3.0, 2.0, 1.0], [3.0, 4.0, 2.0, 1.0]) == pytest.approx(1 / 3)


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
        assert value == pytest.approx(of(coefficient, *means))
    assert result.value == pytest.approx(of(coefficient, first.mean(axis=1), second.mean(axis=1)))


def test_the_interval_is_that_of_the_percentiles_and_narrows_with_topics():
    widths = []
    for queries in (20, 200):
        first, second = campaign(queries=queries, noise=0.3)
        result = rank_correlation(first, second, confidence=0.9)
        assert_allclose(result.interval, np.percentile(result.bootstrap, [5, 95]))
        widths.append(result.interval[1] - result.interval[0])
    assert widths[1] < widths[0]


def test_the_interval_nears_scipys():
    first, second = campaign(noise=0.2)

    def statistic(one, other, axis):
        return stats.kendalltau(one.mean(axis=-1), other.mean(axis=-1)).statistic

    rng = np.random.default_rng(0)
    samples = [
        statistic(first[:, topics], second[:, topics], axis=-1)
        for topics in rng.integers(0, 30, (2000, 30))
    ]
    got = rank_correlation(first, second, samples=2000).interval
    assert_allclose(got, np.percentile(samples, [2.5, 97.5]), atol=0.05)


def test_a_measure_against_itself_is_sure():
    first, _ = campaign()
    result = rank_correlation(first, first)
    assert result.value == 1
    assert result.interval == (1, 1)


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


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"second": [[1, 2]]}, "`second` must hold at least 2 systems; got 1"),
        (
            {"second": np.ones((2, 3))},
            r"`first` and `second` must be of the same systems and queries; "
            r"got shapes \(2, 2\) and \(2, 3\)",
        ),
        ({"coefficient": "gamma"}, "`coefficient` must be one of 'tau', .*; got 'gamma'"),
        ({"phi": 1.0}, r"`phi` must lie in \(0, 1\); got 1.0"),
        ({"confidence": 95}, r"`confidence` must lie in \(0, 1\); got 95"),
        ({"samples": 0}, "`samples` must be at least 1; got 0"),
    ],
)
def test_bad_input_is_told(changed, told):
    good = {"first": np.eye(2), "second": np.eye(2)}
    with pytest.raises(ValueError, match=told):
        rank_correlation(**{**good, **changed})
