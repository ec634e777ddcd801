"""Errors of predicted scores and reconstructed preferences against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures.meta import prediction_error, reconstructed_preferences
from irx_measures.meta.prediction import Preferences

scores = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


@given(st.lists(st.tuples(scores, scores), min_size=1, max_size=9))
def test_errors_by_definition(pairs):
    predicted, actual = zip(*pairs, strict=True)
    got = prediction_error(predicted, actual)
    squares = [(p - a) ** 2 for p, a in pairs]
    over = sum(s for s, (p, a) in zip(squares, pairs, strict=True) if p > a)
    under = sum(s for s, (p, a) in zip(squares, pairs, strict=True) if p < a)
    n = len(pairs)
    assert_allclose(
        [got.lower, got.actual, got.upper],
        [(over / n) ** 0.5, (sum(squares) / n) ** 0.5, (under / n) ** 0.5],
    )


@given(
    st.lists(st.tuples(scores, scores, scores), min_size=1, max_size=4).flatmap(
        lambda rows: st.tuples(
            st.just(rows),
            st.lists(
                st.lists(scores, min_size=len(rows), max_size=len(rows)), min_size=1, max_size=3
            ),
        )
    )
)
def test_preferences_by_definition(drawn):
    rows, others = drawn
    lower, upper = np.sort(np.array(rows)[:, :2], axis=1).T
    actual = np.array(rows)[:, 2]
    predicted = right = true = 0
    for other in others:
        for query, score in enumerate(other):
            said = int(score > upper[query]) - int(score < lower[query])
            is_so = int(score > actual[query]) - int(score < actual[query])
            predicted += said != 0
            true += is_so != 0
            right += said != 0 and said == is_so
    got = reconstructed_preferences(lower, upper, actual, others)
    assert got == Preferences(predicted, right, true)


def test_shares_of_preferences():
    both = Preferences(4, 3, 6)
    assert (both.precision, both.recall, both.f1) == (0.75, 0.5, pytest.approx(0.6))
    none = Preferences(0, 0, 0)
    assert np.isnan([none.precision, none.recall, none.f1]).all()
    assert np.isnan(Preferences(0, 0, 1).precision)
    assert np.isnan(Preferences(1, 0, 0).recall)
    assert Preferences(0, 0, 1).f1 == Preferences(1, 0, 0).f1 == 0.0
    assert Preferences(2, 0, 2).f1 == 0.0


@pytest.mark.parametrize(
    ("predicted", "actual", "words"),
    [([1], [1, 2], r"one shape .*; got \(1,\) and \(2,\)"), ([], [], "not be empty")],
)
def test_error_refusals(predicted, actual, words):
    with pytest.raises(ValueError, match=words):
        prediction_error(predicted, actual)


@pytest.mark.parametrize(
    ("lower", "upper", "actual", "others", "words"),
    [
        ([1], [1], [1], [[1, 2]], "same queries"),
        ([0.5], [0.4], [1], [[1]], "`lower` must not exceed `upper`; got 0.5 and 0.4"),
        ([np.nan], [1], [1], [[1]], "`lower` must hold finite numbers; got nan"),
    ],
)
def test_preference_refusals(lower, upper, actual, others, words):
    with pytest.raises(ValueError, match=words):
        reconstructed_preferences(lower, upper, actual, others)
