"""Work in blocks, and division where the denominator may be 0."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from irx_measures.common.numeric import safe_divide, slices


@pytest.mark.parametrize("elements", [0, 1, 1000, 1 << 19, 1 << 25])
@pytest.mark.parametrize("queries", [0, 1, 7, 2000])
def test_blocks_cover_the_queries_in_order(queries, elements):
    blocks = list(slices(queries, elements))
    covered = [query for block in blocks for query in range(block.start, block.stop)]
    assert covered == list(range(queries))
    assert all((block.stop - block.start - 1) * elements < 1 << 19 for block in blocks)


def test_a_limit_of_elements_replaces_the_usual_one():
    assert list(slices(7, 10, 30)) == [slice(0, 3), slice(3, 6), slice(6, 7)]


@pytest.mark.parametrize(
    ("part", "whole", "quotient"),
    [
        ([1.0, -3.0, 0.0], [2.0, 4.0, 5.0], [0.5, -0.75, 0.0]),
        ([1.0, 0.0], [0.0, 0.0], [0.0, 0.0]),
        ([1, 3], [2, 0], [0.5, 0.0]),
        (1.0, [4.0, 0.0], [0.25, 0.0]),
        ([2.0, 0.0], 4, [0.5, 0.0]),
        ([[1.0], [2.0]], [2.0, 0.0], [[0.5, 0.0], [1.0, 0.0]]),
        ([1.0], [-1.0], [0.0]),
        ([], [], []),
    ],
)
def test_the_quotient_is_0_where_the_whole_is_not_above_0(part, whole, quotient):
    got = safe_divide(np.asarray(part), np.asarray(whole))
    assert got.dtype == np.float64
    assert_array_equal(got, quotient)
