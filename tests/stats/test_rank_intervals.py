"""Intervals of ranks: by hand, and against loops over the decisions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_array_equal

from irx_measures.stats.decisions import rank_intervals

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


def test_without_decisions_every_rank_is_possible():
    low, high = rank_intervals(np.zeros((4, 4), bool))
    assert_array_equal(low, [1, 1, 1, 1])
    assert_array_equal(high, [4, 4, 4, 4])


def test_ranks_by_hand():
    # The first beats the third; everything beats the last.
    better = np.zeros((4, 4), bool)
    better[0, 2] = better[:3, 3] = True
    low, high = rank_intervals(better)
    assert_array_equal(low, [1, 1, 2, 4])
    assert_array_equal(high, [2, 3, 3, 4])
