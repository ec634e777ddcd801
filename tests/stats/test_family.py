"""Families of hypotheses: pairs, corrections, ranks, and what can reject nothing."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_allclose, assert_array_equal
from statsmodels.stats.multitest import multipletests

from irx_measures.exceptions import InputError
from irx_measures.stats.decisions import alpha_of, corrected, rank_intervals, rejects
from irx_measures.stats.family import Method, Part, decide, least_p_value, resamples_needed
from irx_measures.stats.pairs import Pairs
from irx_measures.stats.tests import TESTS


@pytest.mark.parametrize(
    ("test", "systems", "topics"),
    [("wilcoxon", 2, 5), ("wilcoxon", 2, 30), ("randomisation", 2, 3), ("tukey-randomised", 3, 3)],
)
def test_the_most_extreme_scores_reach_the_least_p_value(test, systems, topics):
    scores = np.arange(float(systems))[:, np.newaxis] * np.arange(1.0, topics + 1)
    draws = (20_000, np.random.default_rng(0)) if TESTS[test].resamples else ()
    (got,) = TESTS[test].p_values(scores, Pairs(np.array([0]), np.array([systems - 1])), *draws)
    # 5 standard errors: fails once in a million times.
    least = least_p_value(test, topics, systems)
    assert abs(got - least) <= (5 * np.sqrt(least / 20_000) if draws else 1e-9 * least)


@pytest.mark.parametrize("level", [0.8, 0.85, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("factor", [1, 3, 66, 666, 8256])
def test_the_resamples_needed_reject_and_one_fewer_do_not(level, factor):
    needed = resamples_needed(factor, alpha_of(level))
    assert rejects(factor / (needed + 1), level)
    assert not rejects(factor / needed, level)


# Five systems, and the second to last number is that of the topics.
@pytest.mark.parametrize(
    ("test", "correction", "level", "topics", "resamples", "told"),
    [
        ("randomisation", "holm", 0.95, 20, 198, "`resamples` must be at least 199 .*; got 198"),
        ("bootstrap", "bonferroni", 0.99, 20, 998, "`resamples` must be at least 999 .*; got 998"),
        ("bootstrap", "bh", 0.95, 20, 18, "`resamples` must be at least 19 .*; got 18"),
        ("tukey-randomised", "none", 0.95, 20, 18, "`resamples` must be at least 19 .*; got 18"),
        ("bootstrap", "holm", 1 - 1e-6, 20, 9, "9999999 .*at most 1000000 are drawn: `test='t'`"),
        ("randomisation", "holm", 0.95, 8, 9, r"8 topics .* 0\.0078, which holm .* by 10: no numb"),
        ("wilcoxon", "bonferroni", 0.95, 8, 9, r"is 0\.0078, .*no number of resamples .*test='t'"),
        ("wilcoxon", "bh", 0.95, 5, 9, r"is 0\.062: no number of resamples helps"),
    ],
)
def test_what_can_reject_nothing_is_refused(test, correction, level, topics, resamples, told):
    scores = np.random.default_rng(1).random((5, topics))
    method = Method.of(test, correction, level, resamples, seed=1)
    with pytest.raises(InputError, match=f"group 'short': .*{told}"):
        decide([Part(scores, Pairs.of(5), "short")], method)
    if resamples > 9:
        enough = Method.of(test, correction, level, resamples + 1, seed=1)
        assert len(decide([Part(scores, Pairs.of(5))], enough)[0].p) == 10


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("test", "z"), ("correction", "z"), ("level", 1.0), ("resamples", 0), ("seed", -1)),
        ("prior_topics", -1),
    ],
)
def test_arguments_that_are_not_allowed_are_named(name, value):
    given = {"test": "t", "correction": "holm", "level": 0.9, "resamples": 9, "seed": 0}
    with pytest.raises(InputError, match=f"`{name}` must"):
        Method.of(**given | {name: value})


def test_a_correction_covers_all_parts_of_a_family():
    scores = np.random.default_rng(2).random((2, 3, 12))
    method = Method.of("t", "bonferroni", 0.95, 1, seed=1)
    parts = decide([Part(part, Pairs.of(3)) for part in scores], method)
    for part, own in zip(scores, parts, strict=True):
        (alone,) = decide([Part(part, Pairs.of(3))], Method(correction="none"))
        assert own.p.tolist() == alone.p.tolist()
        assert own.p_adjusted.tolist() == np.minimum(6 * alone.p, 1).tolist()


# Corrections and ranks


@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
@given(p_value=st.lists(st.sampled_from([0.0, 1e-300, 0.001, 0.02]) | st.floats(0, 1), min_size=1))
def test_corrections_are_those_of_statsmodels(correction, p_value):
    got = corrected(np.array(p_value), correction)
    with patch("gc.collect"):  # statsmodels calls it, and the suite's memory is large
        peer = multipletests(p_value, method=correction)[1]
    assert_allclose(got, peer, rtol=1e-15)


decisions = st.integers(1, 7).flatmap(
    lambda systems: arrays.arrays(bool, (systems, systems)).map(lambda table: np.triu(table, 1))
)


@given(decisions)
def test_ranks_are_bounded_by_the_systems_that_are_better_and_worse(better):
    low, high = rank_intervals(better)
    systems = range(len(better))
    assert low.tolist() == [1 + sum(better[j, i] for j in systems) for i in systems]
    assert high.tolist() == [len(better) - sum(better[i, j] for j in systems) for i in systems]
    ranks = np.arange(1, len(better) + 1)  # no decision contradicts the order of the rows
    assert (low <= ranks).all()
    assert (ranks <= high).all()


# Pairs of systems


def test_every_pair_is_there_once_with_the_earlier_system_first():
    pairs = Pairs.of(4)
    assert pairs.first.tolist() == [0, 0, 0, 1, 1, 2]
    assert pairs.second.tolist() == [1, 2, 3, 2, 3, 3]
    assert [len(side) for side in Pairs.of(1)] == [0, 0]


def test_differences_are_the_first_system_minus_the_second():
    values = np.array([[1.0, 5.0], [4.0, 4.0], [9.0, 0.0]])
    pairs = Pairs.of(3)
    assert_array_equal(pairs.differences(values), [[-3, 1], [-8, 5], [-5, 4]])
    assert_array_equal(pairs.differences(values[:, 0]), [-3, -8, -5])


def test_every_system_meets_every_other_baseline_once():
    pairs = Pairs.against(4, [2, 0])
    assert pairs.first.tolist() == [0, 1, 3, 1, 2, 3]
    assert pairs.second.tolist() == [2, 2, 2, 0, 0, 0]
    assert [len(side) for side in Pairs.against(1, [0])] == [0, 0]
    assert pairs.first.dtype == pairs.second.dtype == Pairs.of(4).first.dtype


def test_unordered_pairs_come_in_the_order_of_the_pairs():
    """Not in the order of the systems; the other side of a pair has the position of that pair."""
    stated, which = Pairs.against(4, [2, 0]).unordered()
    assert stated.tolist() == [0, 1, 2, 3, 5]
    assert which.tolist() == [0, 1, 2, 3, 0, 4]
    stated, which = Pairs.against(3, [2, 1, 0]).unordered()
    assert stated.tolist() == [0, 1, 2]
    assert which.tolist() == [0, 1, 2, 1, 2, 0]
    assert [side.tolist() for side in Pairs.of(3).unordered()] == [[0, 1, 2], [0, 1, 2]]
    assert [side.tolist() for side in Pairs.of(1).unordered()] == [[], []]
