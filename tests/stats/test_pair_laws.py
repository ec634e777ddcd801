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
