"""Confusion matrices and kappas: equal to scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.judging.agreement import confusion, kappa

metrics = pytest.importorskip("sklearn.metrics")

LABELS = st.sampled_from([0, 1, 2, 3, 10])

POWERS = {0: None, 1: "linear", 2: "quadratic"}


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=30))
def test_as_scikit_learn(pairs):
    first, second = np.array(pairs).T
    rows, columns, counts = confusion(first, second)
    labels = np.union1d(rows, columns)
    assert counts.sum() == len(pairs)
    for place in np.ndindex(counts.shape):
        both = (first == rows[place[0]]) & (second == columns[place[1]])
        assert counts[place] == np.count_nonzero(both)
    for power, weights in POWERS.items():
        got = kappa(rows, columns, counts, power)
        if len(labels) == 1:
            assert np.isnan(got)
        else:
            expected = metrics.cohen_kappa_score(first, second, weights=weights)
            assert got == pytest.approx(expected, abs=1e-12)


def test_kappa_of_equal_and_of_independent_labels():
    labels = np.array([0, 1, 2])
    for power in POWERS:
        assert kappa(labels, labels, np.diag([3, 4, 5]), power) == 1
        assert kappa(labels, labels, np.ones((3, 3), np.int64), power) == pytest.approx(0)
