"""The max-t test: against loops over flips, its duality with intervals, and simulated nulls."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures.stats.max_t import SLACK, max_t, t_statistic
from irx_measures.stats.pairs import Pairs
from tests.examples import examples
from tests.stats.scores import against_zero, campaign


def run(differences, level=0.95, resamples=2000, seed=42, **kwargs):
    return run_all([against_zero(differences)], level, resamples, seed, **kwargs)


def run_all(measures, level=0.95, resamples=2000, seed=42, **kwargs):
    return max_t(measures, level, resamples, np.random.default_rng(seed), **kwargs)


def differences_of(scores):
    return Pairs.of(len(scores)).differences(scores)


def oracle_r(differences, signs):
    """|u . s| of a pair: u are its differences, scaled to length 1."""
    length = sum(d * d for d in differences) ** 0.5
    flipped = sum(s * d for s, d in zip(signs, differences, strict=True))
    return abs(flipped) / length if length else 0.0


def oracle_t(differences):
    n = len(differences)
    mean = sum(differences) / n
    variance = sum((d - mean) ** 2 for d in differences) / (n - 1)
    return mean / (variance / n) ** 0.5


def all_flips(topics):
    return list(itertools.product((1, -1), repeat=topics))


def random_flips(topics, resamples, seed=42):
    drawn = np.random.default_rng(seed).random((resamples, topics)) < 0.5
    return np.where(drawn, -1, 1).tolist()


# Multiples of 1/4 have many ties; a difference below 1e-12 counts as 0.
differences = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(2, 7)),
    elements=st.sampled_from([-1.0, -0.75, -0.5, -0.25, 0.0, 1e-13, 0.25, 0.5, 0.75, 1.0]),
)


@given(differences)
@settings(max_examples=examples(10))
def test_all_flips_are_made_where_they_are_few(table):
    clean = np.where(np.abs(table) < 1e-12, 0.0, table).tolist()
    flips = all_flips(table.shape[1])
    largest = [max(oracle_r(row, signs) for row in clean) for signs in flips]
    expected = [
        sum(value >= oracle_r(row, flips[0]) - SLACK for value in largest) / len(flips)
        for row in clean
    ]
    got = run(table, resamples=64)
    assert_allclose(got.p_value, expected, rtol=1e-12)
    assert (got.flips, got.exact) == (2 ** (table.shape[1] - 1), True)


@given(differences, st.integers(0, 3))
@settings(max_examples=examples(10))
def test_random_flips_are_counted_as_the_definition_says(table, seed):
    clean = np.where(np.abs(table) < 1e-12, 0.0, table).tolist()
    if 2 ** (table.shape[1] - 1) <= 12:
        table, clean = np.tile(table, 3)[:, :5], [(row * 3)[:5] for row in clean]
    flips = random_flips(table.shape[1], 12, seed)
    largest = [max(oracle_r(row, signs) for row in clean) for signs in flips]
    observed = [oracle_r(row, [1] * len(row)) for row in clean]
    expected = [(1 + sum(value >= r - SLACK for value in largest)) / 13 for r in observed]
    got = run(table, resamples=12, seed=seed)
    assert_allclose(got.p_value, expected, rtol=1e-12)
    assert (got.flips, got.exact) == (12, False)


scores = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 6), st.integers(2, 7)),
    elements=st.sampled_from([0.0, 1e-13, 0.25, 0.5, 0.75, 1.0]) | st.floats(0, 1, width=16),
)


@given(scores, st.lists(st.integers(0, 5)), st.sampled_from([12, 64]), st.sampled_from([0.0, 4.0]))
@settings(max_examples=examples(40))
def test_sums_of_systems_give_what_the_differences_of_pairs_give(table, drawn, resamples, prior):
    """A product per system and one per pair; all pairs, or some systems with all others."""
    baselines = sorted({place % len(table) for place in drawn})
    pairs = Pairs.against(len(table), baselines) if baselines else Pairs.of(len(table))
    fast = run_all([(table, pairs)], resamples=resamples, prior_topics=prior)
    slow = run(pairs.differences(table), resamples=resamples, prior_topics=prior)
    assert_array_equal(fast.p_value, slow.p_value)
    assert_allclose(fast.critical_t, slow.critical_t, rtol=1e-6)


@given(scores, st.integers(0, 9))
def test_the_largest_t_is_that_of_all_measures(table, seed):
    other = np.random.default_rng(seed).random((4, table.shape[1]))
    measures = [(table, Pairs.of(len(table))), (other, Pairs.against(4, [2]))]
    joint = run_all(measures, resamples=50)
    one_table = run(
        np.concatenate([pairs.differences(values) for values, pairs in measures]), resamples=50
    )
    assert_array_equal(joint.p_value, one_table.p_value)


def test_the_largest_r_of_a_flip_is_the_largest_t():
    """The definition with t itself: the p-value is the share of flips whose largest t reaches t."""
    table = differences_of(campaign(4, 9, seed=3))
    flips = random_flips(9, 200)
    largest = [max(abs(oracle_t(row)) for row in (table * signs).tolist()) for signs in flips]
    observed = [abs(oracle_t(row)) for row in table.tolist()]
    expected = [(1 + sum(value >= t for value in largest)) / 201 for t in observed]
    assert_allclose(run(table, resamples=200).p_value, expected, rtol=1e-12)


@given(
    differences,
    st.sampled_from([5, 19, 20, 64, 99, 100]),
    st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]),
)
def test_a_p_value_is_small_exactly_where_t_exceeds_its_critical_value(table, resamples, level):
    got = run(table, level, resamples)
    alpha = round(1 - level, 12)
    assert_array_equal(got.p_value <= alpha, np.abs(t_statistic(table)) > got.critical_t)


@pytest.mark.parametrize("seed", range(5))
def test_duality_on_campaigns_in_which_some_pairs_differ(seed):
    table = differences_of(campaign(12, 25, seed, spread=0.2))
    got = run(table)
    significant = got.p_value <= 0.05
    assert 0 < np.count_nonzero(significant) < len(table)
    assert_array_equal(significant, np.abs(t_statistic(table)) > got.critical_t)


@pytest.mark.parametrize(("topics", "rejects"), [(5, False), (6, True)])
def test_fewer_than_six_topics_can_reject_nothing(topics, rejects):
    got = run(np.linspace(1, 1.2, topics)[np.newaxis])
    assert got.p_value[0] == pytest.approx(2.0 ** (1 - topics))
    assert (got.p_value[0] <= 0.05) == rejects
    assert np.isfinite(got.critical_t) == rejects


def test_nothing_can_be_rejected_with_too_few_flips():
    got = run(differences_of(campaign(3, 20, spread=3)), resamples=18)
    assert_allclose(got.p_value, 1 / 19)
    assert got.critical_t == np.inf


@pytest.mark.parametrize("topics", [2, 7, 50])
def test_t_is_scipys(topics):
    table = differences_of(campaign(6, topics))
    peer = stats.ttest_1samp(table, 0, axis=1).statistic
    assert_allclose(t_statistic(table), peer, rtol=1e-10)


def test_t_of_equal_differences():
    table = np.array([[0.0] * 7, [1e-13] * 7, [0.1] * 7, [-0.1] * 7])
    assert_array_equal(t_statistic(table), [0, 0, np.inf, -np.inf])
    assert_array_equal(run(table[:2]).p_value, 1.0)
    assert_allclose(run(table).p_value, [1, 1, 1 / 64, 1 / 64])


def test_one_pair_nears_the_t_test_of_normal_differences():
    table = np.random.default_rng(1).normal(0.3, 1, (1, 60))
    got = run(table, resamples=20_000)
    # 5 standard errors of a share, and what 60 topics differ from the normal distribution.
    assert got.p_value[0] == pytest.approx(stats.ttest_1samp(table[0], 0).pvalue, abs=0.02)
    assert got.critical_t == pytest.approx(stats.t.isf(0.025, 59), abs=0.06)


def test_chunks_do_not_change_the_numbers(monkeypatch):
    table = differences_of(campaign(7, 12))
    whole, parts = [], []
    at_once = run(table, resamples=500, progress=whole.append)
    monkeypatch.setattr("irx_measures.common.chunks.BLOCK_ELEMENTS", 60 * (len(table) + 1))
    in_parts = run(table, resamples=500, progress=parts.append)
    assert_array_equal(in_parts.p_value, at_once.p_value)
    assert in_parts.critical_t == at_once.critical_t
    assert (whole, parts) == ([500], [60] * 8 + [20])


def test_samples_come_from_the_seed_alone():
    table = differences_of(campaign(4, 20, spread=0.05))
    first, again, other = (run(table, seed=seed).p_value for seed in (1, 1, 2))
    assert_array_equal(first, again)
    assert (first != other).any()


# 99.9% interval of a binomial of 400 campaigns where a tenth is rejected.
@pytest.mark.slow
def test_the_family_is_rejected_as_often_as_the_level_says():
    rng = np.random.default_rng(7)
    least = [
        run(differences_of(rng.normal(0, 0.1, (5, 20))), resamples=199, seed=number).p_value.min()
        for number in range(400)
    ]
    low, high = stats.binom.interval(0.999, 400, 0.1)
    assert low <= np.count_nonzero(np.array(least) <= 0.1) <= high
