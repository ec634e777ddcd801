"""Uninformative and ideal queries by hand, their laws, and equation 8 by its definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.meta import informativeness, partition_queries, percentage_absolute_difference
from tests.oracles import meta as oracle

SCORES = np.array([[0.9, 0.5, 0.2, 0.6], [0.7, 0.7, 0.0, 0.6]])
EXPECTED = np.array([0.4, 0.6, 0.3, 0.1])


def test_sets_by_hand_and_ties_keep_the_order_of_the_queries():
    assert_allclose(informativeness(SCORES, EXPECTED), [0.4, 0.0, -0.2, 0.5], atol=1e-15)
    parts = partition_queries(SCORES, EXPECTED, 2)
    assert (parts.uninformative.tolist(), parts.ideal.tolist()) == ([2, 1], [3, 0])
    tied = partition_queries(np.ones((1, 4)), np.zeros(4), 2)
    assert tied.uninformative.tolist() == tied.ideal.tolist() == [0, 1]


def test_several_cutoffs_are_averaged():
    both = informativeness([SCORES, SCORES + 0.2], [EXPECTED, EXPECTED + 0.1])
    assert_allclose(both, informativeness(SCORES, EXPECTED) + 0.05)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=9).flatmap(
        lambda rows: st.tuples(st.just(rows), st.integers(1, len(rows)))
    )
)
def test_no_query_outside_a_set_belongs_into_it(drawn):
    rows, size = drawn
    score, expected = np.array(rows).T
    parts = partition_queries(score[np.newaxis], expected, size)
    least, most = parts.uninformative, parts.ideal
    assert len(set(least)) == len(set(most)) == size
    values = informativeness(score[np.newaxis], expected)
    assert values[least].max() <= np.delete(values, least).min(initial=np.inf)
    assert values[most].min() >= np.delete(values, most).max(initial=-np.inf)


def test_percentage_absolute_difference_is_equation_8():
    scores = np.random.default_rng(6).random((5, 7))
    means = scores.mean(axis=1)
    expected = [
        abs(means[i] - means[j]) / max(means[i], means[j]) * 100 for i, j in oracle.pairs(5)
    ]
    assert_allclose(percentage_absolute_difference(scores), expected, rtol=1e-12)


def test_percentages_where_means_are_zero_or_less():
    assert percentage_absolute_difference([[0.0], [0.0]]) == 0
    assert percentage_absolute_difference([[-0.1], [0.1]]) == pytest.approx(200)
    assert percentage_absolute_difference([[5e-324], [1e-323]]).tolist() == [50]
