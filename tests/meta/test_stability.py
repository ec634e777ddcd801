"""Stability and swap rates against the definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kendalltau

from irx_measures import EvaluationWarning
from irx_measures.meta import rank_correlation, split_swap_rate, stability, swap_rate
from irx_measures.stats.resampling import random_orders
from tests.examples import examples
from tests.oracles import meta as oracle

# Sums of eighths are exact, so rounding errors do not move a difference into another bin.
tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 4), st.sampled_from([2, 4, 8])),
    elements=st.integers(0, 8).map(lambda value: value / 8),
)


@given(tables, st.integers(0, 9), st.booleans(), st.sampled_from([0.0, 0.0625, 0.3]))
@settings(max_examples=examples(12))
@pytest.mark.filterwarnings("ignore:.*of the comparisons are ties")
def test_stability_is_its_definition(scores, seed, relative, fuzziness):
    result = stability(scores, trials=7, seed=seed, relative=relative, fuzziness=fuzziness)
    half = scores.shape[1] // 2
    sets = random_orders(scores.shape[1], 7, np.random.default_rng(seed))[:, :half]
    wins, losses = oracle.stability(scores, sets, fuzziness, relative)
    assert result.wins.tolist() == wins
    assert result.losses.tolist() == losses
    usual, rare = np.mean([(max(w) / 7, min(w) / 7) for w in zip(wins, losses, strict=True)], 0)
    assert_allclose([result.value, result.error_rate], [usual, rare])
    assert_allclose(result.ties, 1 - usual - rare, atol=1e-12)


def test_coins_are_not_stable_and_ties_of_small_scores_are_told():
    rng = np.random.default_rng(1)
    assert 0.5 <= stability(rng.normal(0, 1, (2, 2000)), fuzziness=0, topics=20).value < 0.6
    small = np.linspace(0.01, 0.04, 6)[:, np.newaxis] + rng.normal(0, 0.005, (6, 30))
    with pytest.warns(EvaluationWarning, match=r"ties .* use `relative=True`, or") as caught:
        absolute = stability(small)
    (warning,) = caught
    assert warning.filename == __file__
    assert absolute.value < 0.1
    assert stability(small, relative=True).value > 0.9
    assert stability(20 * small).ties < 0.5
    assert stability(np.ones((3, 4)), fuzziness=0).ties == 1


@given(tables, st.integers(0, 9))
@settings(max_examples=examples(12))
def test_split_swap_rates_are_their_definition(scores, seed):
    curve = split_swap_rate(scores, trials=6, seed=seed, width=0.1, bins=5)
    half = scores.shape[1] // 2
    orders = random_orders(scores.shape[1], 6, np.random.default_rng(seed))
    splits = [(order[:half], order[half : 2 * half]) for order in orders]
    compared, swapped = oracle.swaps(scores, splits, 0.1, 5)
    assert curve.compared.tolist() == compared
    assert curve.swapped.tolist() == swapped
    assert curve.compared.sum() == 6 * len(oracle.pairs(len(scores)))
    means = [[scores[:, half].mean(axis=1) for half in split] for split in splits]
    separates = any(
        one[i] != one[j] and other[i] != other[j]
        for one, other in means
        for i, j in oracle.pairs(len(scores))
    )
    assert_allclose(curve.value, sum(swapped) / sum(compared) if separates else np.nan)


def test_swaps_get_rarer_as_systems_differ_more():
    rng = np.random.default_rng(3)
    scores = np.linspace(0.3, 0.5, 20)[:, np.newaxis] + rng.normal(0, 0.15, (20, 40))
    curve = split_swap_rate(scores, trials=300)
    assert curve.rate[0] > 0.35
    required = curve.required_difference()
    assert 0 < required < 0.2
    assert (curve.rate[curve.difference >= required] <= 0.05).all()
    assert curve.rate[np.flatnonzero(curve.difference == required) - 1] > 0.05
    enough = curve.compared[curve.difference >= required].sum() / curve.compared.sum()
    assert curve.sensitivity() == pytest.approx(enough)
    assert curve.required_difference(0.99) == 0
    assert f"a difference of {required:g}, as " in curve.summary
    table = curve.to_frame()
    assert table.columns.tolist() == ["difference", "compared", "swapped", "rate"]
    assert len(table) == 21


def test_where_all_is_chance_no_difference_is_enough():
    rng = np.random.default_rng(4)
    curve = split_swap_rate(rng.normal(0, 1, (10, 10)), trials=200)
    assert curve.required_difference() is None
    assert curve.sensitivity() == 0
    assert curve.summary.endswith("no difference keeps it within 5%")


def test_a_measure_that_separates_nothing_has_no_swap_rate_and_no_sensitivity():
    curve = split_swap_rate(np.full((4, 6), 0.5), trials=20)
    assert curve.compared.sum() == 120
    assert np.isnan([curve.value, curve.required_difference(), curve.sensitivity()]).all()
    assert np.isnan(curve.rate).all()
    assert curve.summary == "swap rate undefined: no two systems differ on both sets of topics"
    tied, ranked = np.full((3, 2), 0.5), [[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]]
    for first, second in ((tied, ranked), (ranked, tied), (tied, tied)):
        assert np.isnan(swap_rate(first, second).value)


def test_swap_rate_counts_the_pairs_in_another_order():
    first = np.array([[0.9, 0.7], [0.5, 0.5], [0.4, 0.4], [0.4, 0.4]])
    second = np.array([[0.1], [0.3], [0.2], [0.0]])
    result = swap_rate(first, second)
    assert np.flatnonzero(result.swapped).tolist() == [0, 1]  # (0, 1) and (0, 2)
    assert result.value == pytest.approx(2 / 6)
    assert (swap_rate(first, first).value, swap_rate(second, -second).value) == (0, 1)


@pytest.mark.filterwarnings("ignore:.*of the comparisons are ties")
def test_ties_are_ties_however_their_tenths_are_summed():
    """P@10 of 30 systems has the same ties as the numbers of relevant documents."""
    rng = np.random.default_rng(8)
    relevant = rng.binomial(10, 0.4, (2, 30, 50))
    precision = relevant / 10
    first, second = np.array(oracle.pairs(30)).T
    orders = random_orders(50, 40, np.random.default_rng(42))

    def differences(topics):
        total = np.array([relevant[0][:, some].sum(axis=1) for some in topics])
        return total[:, first] - total[:, second]

    of_20 = differences(orders[:, :20])
    for fuzziness in (0, 0.05):  # .05 on 20 topics is 10 documents
        result = stability(precision[0], topics=20, trials=40, fuzziness=fuzziness)
        assert_array_equal(result.wins, (of_20 > fuzziness * 200).sum(axis=0))
        assert_array_equal(result.losses, (of_20 < -fuzziness * 200).sum(axis=0))
    swapped = differences(orders[:, :25]) * differences(orders[:, 25:]) < 0
    assert split_swap_rate(precision[0], trials=40).swapped.sum() == swapped.sum()
    one, other = relevant.sum(axis=2)
    contrary = (one[first] - one[second]) * (other[first] - other[second]) < 0
    assert_array_equal(swap_rate(*precision).swapped, contrary)
    tau_b = rank_correlation(*precision, samples=1).value
    assert_allclose(tau_b, kendalltau(one, other).statistic, rtol=1e-12)
