"""Uninformative and ideal queries by hand, and their laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.meta import informativeness, partition_queries

SCORES = np.array([[0.9, 0.5, 0.2, 0.6], [0.7, 0.7, 0.0, 0.6]])
EXPECTED = np.array([0.4, 0.6, 0.3, 0.1])


def test_informativeness_by_hand():
    assert_allclose(informativeness(SCORES, EXPECTED), [0.4, 0.0, -0.2, 0.5], atol=1e-15)


def test_sets_by_hand():
    parts = partition_queries(SCORES, EXPECTED, 2)
    assert parts.uninformative.tolist() == [2, 1]
    assert parts.ideal.tolist() == [3, 0]


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


def test_ties_keep_the_order_of_the_queries():
    parts = partition_queries(np.ones((1, 4)), np.zeros(4), 2)
    assert_array_equal(parts.uninformative, [0, 1])
    assert_array_equal(parts.ideal, [0, 1])


@pytest.mark.parametrize(
    ("scores", "expected", "size", "error", "words"),
    [
        (SCORES, EXPECTED[:3], 1, ValueError, "same queries; got 4 and 3"),
        (SCORES, EXPECTED, 5, ValueError, "`size` must be a whole number from 1 to 4; got 5"),
        (SCORES, EXPECTED, 0, ValueError, "got 0"),
        (SCORES, EXPECTED, 1.5, ValueError, "`size` must be a whole number from 1 to 4; got 1.5"),
        (SCORES[0], EXPECTED, 1, ValueError, "`scores` must hold numbers in at least 2 dimensions"),
        (SCORES * np.nan, EXPECTED, 1, ValueError, "`scores` must hold finite numbers; got nan"),
    ],
)
def test_refusals(scores, expected, size, error, words):
    with pytest.raises(error, match=words):
        partition_queries(scores, expected, size)
