"""Significance tests of all pairs: against scipy, the definitions, and simulated nulls."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures.stats.pairs import Pairs
from irx_measures.stats.resampling import topic_counts
from irx_measures.stats.tests import TESTS
from irx_measures.stats.tukey import studentized_range_sf
from tests.examples import examples
from tests.oracles import meta as oracle
from tests.stats.scores import campaign, p_values

RESAMPLING = [name for name, test in TESTS.items() if test.resamples]
FAMILY = [name for name, test in TESTS.items() if test.family]


tables = arrays.arrays(
    np.float64,
    st.tuples(st.integers(2, 4), st.integers(2, 7)),
    elements=st.integers(0, 4).map(lambda value: value / 4),
)


@pytest.mark.parametrize("queries", [5, 20, 60])
def test_paired_t_is_scipys(queries):
    scores = campaign(queries=queries)
    peer = [stats.ttest_rel(scores[i], scores[j]).pvalue for i, j in oracle.pairs(6)]
    assert_allclose(p_values(scores, "t"), peer, rtol=1e-10)


def scipys_wilcoxon(first, second):
    """scipy's default, of the differences other than 0, with fractions.

    scipy sees ties of whole numbers only: .6 - .4 and .4 - .2 differ as floats.
    """
    shown = zip(map(str, first), map(str, second), strict=True)
    exact = [Fraction(one) - Fraction(other) for one, other in shown]
    sizes = sorted({abs(each) for each in exact})
    ranks = [sizes.index(abs(each)) + 1 for each in exact if each]
    signs = [1 if each > 0 else -1 for each in exact if each]
    return stats.wilcoxon(np.multiply(ranks, signs)).pvalue if ranks else 1.0


# 60 queries, and 20 of scores rounded to ties, are beyond scipy's exact distributions. The first
# systems have the same score on some topics as the next one.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("queries", "places", "zeros"),
    [
        *((12, 9, 0), (50, 9, 0), (60, 9, 0), (20, 1, 0), (14, 1, 0), (13, 1, 0), (5, 1, 0)),
        *((60, 9, 9), (60, 9, 10), (43, 9, 1), (43, 9, 29), (14, 9, 14)),
    ],
)
def test_wilcoxon_is_scipys(queries, places, zeros):
    scores = campaign(queries=queries).round(places)
    for number in range(3):
        scores[number + 1, number : number + zeros] = scores[0, number : number + zeros]
    some = slice(None, None, 3 if queries < 14 else 1)  # scipy takes a second for 13 tied queries
    peer = [scipys_wilcoxon(scores[i], scores[j]) for i, j in list(oracle.pairs(6))[some]]
    assert_allclose(p_values(scores, "wilcoxon")[some], peer, rtol=1e-10)


PRECISIONS = (
    [0.6, 0.8, 1.0, 0.4, 0.2, 0.6, 0.8, 0.4, 1.0, 0.2],
    [0.4, 0.4, 0.4, 0.6, 0.4, 0.8, 0.6, 0.2, 0.4, 0.0],
)


def test_wilcoxon_takes_equal_differences_of_precisions_as_ties():
    assert_allclose(p_values(np.array(PRECISIONS), "wilcoxon"), [0.14453125], rtol=1e-12)


@pytest.mark.slow
@given(
    st.tuples(st.integers(2, 3), st.integers(5, 20)).flatmap(
        lambda shape: arrays.arrays(np.int64, shape, elements=st.integers(-5, 10))
    ),
    st.integers(1, 1000),
    st.floats(1e-100, 1e100),
)
@settings(max_examples=examples(20))
@pytest.mark.parametrize("test", ["wilcoxon", "t", "randomisation"])
def test_p_values_of_shares_and_of_other_units_are_those_of_whole_numbers(
    test, counts, whole, unit
):
    expected = p_values(counts.astype(float), test, resamples=99)
    for scores in (counts / whole, unit * counts, unit * (counts / whole), 1e5 * counts):
        assert_allclose(p_values(scores, test, resamples=99), expected, rtol=1e-7, atol=1e-12)
        if test == "wilcoxon":
            assert_allclose(p_values(scores, test), expected, rtol=1e-12)


def test_hsd_of_two_systems_at_a_time_is_scipys_tukey_hsd_of_each_pair():
    scores = campaign()
    peer = [stats.tukey_hsd(scores[i], scores[j]).pvalue[0, 1] for i, j in oracle.pairs(6)]
    assert_allclose(p_values(scores, "hsd-pairwise"), peer, atol=1e-10)


def test_one_way_tukey_is_scipys():
    scores = campaign()
    peer = stats.tukey_hsd(*scores).pvalue
    assert_allclose(p_values(scores, "tukey"), peer[np.triu_indices(6, 1)], atol=1e-10)


@pytest.mark.slow
def test_tukey_with_blocks_has_the_error_of_statsmodels_two_way_analysis():
    import pandas as pd
    from statsmodels.formula.api import ols

    scores = campaign()
    p_value = p_values(scores, "tukey-blocks")
    difference = [scores[i].mean() - scores[j].mean() for i, j in oracle.pairs(6)]
    system, topic = np.indices(scores.shape)
    table = pd.DataFrame(
        {"score": scores.ravel(), "system": system.ravel(), "topic": topic.ravel()}
    )
    model = ols("score ~ C(system) + C(topic)", table).fit()
    statistic = np.abs(difference) / np.sqrt(model.mse_resid / scores.shape[1])
    peer = stats.studentized_range.sf(statistic, 6, model.df_resid)
    assert_allclose(p_value, peer, atol=1e-10)
    assert (p_value <= p_values(scores, "tukey") + 1e-12).all()


BASELINES = [4, 0]


def p_values_against_baselines(scores, test):
    return p_values(scores, test, 300, 1, pairs=Pairs.against(len(scores), BASELINES))


@pytest.mark.parametrize("test", [test for test in TESTS if not TESTS[test].moderated])
def test_a_pair_with_a_baseline_has_its_p_value_among_all_pairs(test):
    scores = campaign()
    square = np.ones((6, 6))
    square[np.triu_indices(6, 1)] = p_values(scores, test, resamples=300, seed=1)
    square = np.minimum(square, square.T)
    expected = square[Pairs.against(6, BASELINES)]
    assert_allclose(p_values_against_baselines(scores, test), expected, rtol=1e-12)


@pytest.mark.parametrize("test", RESAMPLING)
def test_progress_is_reported_and_changes_nothing(test):
    scores, done = campaign(3), []
    draws = 2500, np.random.default_rng(42)
    got = TESTS[test].p_values(scores, Pairs.of(3), *draws, progress=done.append)
    assert sum(done) == 2500
    assert len(done) > 1
    assert_array_equal(got, p_values(scores, test, resamples=2500))


@pytest.mark.slow
@pytest.mark.parametrize(("groups", "freedom"), [(129, 6272), (30, 200), (17, 16)])
def test_the_interpolated_studentized_range_is_scipys(groups, freedom):
    rng = np.random.default_rng(1)
    statistic = np.concatenate(([0.0], rng.uniform(0, 15, 400), [60.0, 1e6]))
    got = studentized_range_sf(statistic, groups, freedom)
    some = np.r_[0, rng.choice(np.arange(1, 401), 40, replace=False), 401, 402]
    assert_allclose(got[some], stats.studentized_range.sf(statistic[some], groups, freedom),
                    atol=1e-10)  # fmt: skip
    assert (got >= 0).all()
    assert (got <= 1).all()


@given(tables, st.integers(0, 5))
@settings(max_examples=examples(10))
def test_resampling_tests_are_their_definitions_on_the_same_samples(scores, seed):
    resamples, queries = 40, scores.shape[1]

    def rng():
        return np.random.default_rng(seed)

    signs = rng().choice((-1.0, 1.0), size=(queries, resamples)).T
    topics = [
        np.repeat(np.arange(queries), counts) for counts in topic_counts(queries, resamples, rng())
    ]
    generator = rng()
    permuted = [generator.permuted(scores, axis=0) for _ in range(resamples)]
    expected = {
        "randomisation": [
            oracle.randomisation(scores[i], scores[j], signs) for i, j in oracle.pairs(len(scores))
        ],
        "bootstrap": [
            oracle.bootstrap(scores[i], scores[j], topics) for i, j in oracle.pairs(len(scores))
        ],
        "tukey-randomised": oracle.randomised_tukey(scores, permuted),
    }
    assert set(expected) == set(RESAMPLING)
    for test, values in expected.items():
        got = p_values(scores, test, resamples=resamples, seed=seed)
        assert_allclose(got, values, rtol=1e-12, err_msg=test)


def test_randomisation_nears_scipys_exact_test():
    scores = campaign(4, 8)
    peer = [
        stats.permutation_test(
            (scores[i], scores[j]), lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples", vectorized=True, n_resamples=np.inf,
        ).pvalue
        for i, j in oracle.pairs(4)
    ]  # fmt: skip
    got = p_values(scores, "randomisation", resamples=20_000)
    # 5 standard errors: fails once in a million times.
    assert_allclose(got, peer, atol=5 * 0.5 / np.sqrt(20_000))


@pytest.mark.parametrize("test", TESTS)
def test_what_fills_many_blocks_is_what_fills_one(test, monkeypatch):
    scores = campaign(7, 9).round(1)
    at_once = p_values(scores, test, resamples=50)
    monkeypatch.setattr("irx_measures.stats.pairs.BLOCK_ELEMENTS", 50 * 9)
    monkeypatch.setattr("irx_measures.common.numeric.BLOCK_ELEMENTS", 3 * 2**9)
    assert_array_equal(p_values(scores, test, resamples=50), at_once)


def rejections(test, sets, systems, queries, **kwargs):
    """Smallest p-value of each of many tables in which no system is better than another."""
    rng = np.random.default_rng(7)
    least = []
    for _ in range(sets):
        topics = 0.0 if test in ("hsd-pairwise", "tukey") else rng.normal(0, 0.3, queries)
        scores = topics + rng.normal(0, 0.1, (systems, queries))
        least.append(p_values(scores, test, **kwargs).min())
    return np.array(least)


# With a family of systems the smallest p-value is what is uniform; unpaired tests assume that
# topics have no effect of their own. Each count lies in its 99.9% interval where the p-values are
# uniform, so that a test that is right fails with a probability of .004.
@pytest.mark.slow
@pytest.mark.parametrize(
    "test",
    [
        pytest.param(test, marks=pytest.mark.whole) if test == "tukey-blocks" else test
        for test in TESTS
    ],
)
def test_p_values_are_uniform_under_the_null(test):
    sets, systems = 120 if test == "tukey" else 250, 3 if test in FAMILY else 2
    kwargs = {"resamples": 199} if test in RESAMPLING else {}
    least = rejections(test, sets, systems, 20, **kwargs)
    for level in (0.05, 0.1, 0.25, 0.5):
        low, high = stats.binom.interval(0.999, sets, level)
        assert low <= np.count_nonzero(least <= level + 1e-12) <= high, level


@pytest.mark.parametrize("test", TESTS)
def test_systems_alike_never_differ_and_systems_apart_always_do(test):
    alike = np.tile([0.1, 0.7, 0.3, 0.5, 0.2, 0.6, 0.4, 0.8], (3, 1))
    assert_array_equal(p_values(alike, test, resamples=99), 1.0)
    apart = alike[:2] + np.array([[0.0], [1.0]])
    assert (p_values(apart, test, resamples=999) < 0.05).all()
