"""Division where the denominator may be 0."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from irx_measures.common.division import safe_divide


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
