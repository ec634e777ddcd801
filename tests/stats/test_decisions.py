"""Corrections by hand and against statsmodels; ranks by hand and against loops."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_allclose
from statsmodels.stats.multitest import multipletests

from irx_measures.stats.decisions import corrected, rank_intervals


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        ("none", [0.01, 0.04, 0.03, 0.5]),
        ("bonferroni", [0.04, 0.16, 0.12, 1.0]),
        # By size: 4 x .01, 3 x .03, 2 x .04 (less than the one before), 1 x .5.
        ("holm", [0.04, 0.09, 0.09, 0.5]),
    ],
)
def test_corrections_by_hand(correction, expected):
    got = corrected(np.array([0.01, 0.04, 0.03, 0.5]), correction)
    assert_allclose(got, expected, rtol=1e-12)


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
