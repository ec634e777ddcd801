"""Corrections by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures.stats.corrections import corrected


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
