"""Pairs of systems by hand."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from irx_measures.stats.pairs import ROUNDING, Pairs, pair_columns, rounded


def test_every_pair_is_there_once_with_the_earlier_system_first():
    assert list(zip(*(side.tolist() for side in Pairs.of(4)), strict=True)) == [
        (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3),
    ]  # fmt: skip
    assert [len(side) for side in Pairs.of(1)] == [0, 0]


def test_differences_are_the_first_system_less_the_second():
    values = np.array([[1.0, 5.0], [4.0, 4.0], [9.0, 0.0]])
    pairs = Pairs.of(3)
    assert_array_equal(pairs.differences(values), [[-3, 1], [-8, 5], [-5, 4]])
    assert_array_equal(pairs.differences(values[:, 0]), [-3, -8, -5])


def test_columns_name_the_systems_of_every_pair():
    columns = pair_columns(["a", "b", "c"], difference=np.array([1.0, 2.0, 3.0]))
    assert list(columns) == ["first", "second", "difference"]
    assert columns["first"] == ["a", "a", "b"]
    assert columns["second"] == ["b", "c", "c"]
    assert_array_equal(columns["difference"], [1, 2, 3])


@pytest.mark.parametrize(("apart", "tied"), [(1e-14, True), (0.4 * ROUNDING, True), (2e-12, False)])
def test_means_tie_where_they_differ_by_rounding_alone(apart, tied):
    one, other = rounded(np.array([0.3, 0.3 + apart]))
    assert (one == other) == tied


def test_the_order_of_a_sum_makes_no_difference():
    one, other = rounded(np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1]))
    assert one == other
