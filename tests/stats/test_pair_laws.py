"""Pairs of systems by hand."""

from numpy import array
from numpy.testing import assert_array_equal

from irx_measures.stats.pairs import Pairs


def test_every_pair_is_there_once_with_the_earlier_system_first():
    pairs = Pairs.of(4)
    assert pairs.first.tolist() == [0, 0, 0, 1, 1, 2]
    assert pairs.second.tolist() == [1, 2, 3, 2, 3, 3]
    assert [len(side) for side in Pairs.of(1)] == [0, 0]


def test_differences_are_the_first_system_minus_the_second():
    values = array([[1.0, 5.0], [4.0, 4.0], [9.0, 0.0]])
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
