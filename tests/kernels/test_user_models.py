"""Gains and browsing models against the definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.kernels.user_models import (
    BASES,
    DCGS,
    binary_gain,
    browsing_weights,
    discount_sums,
    graded_gain,
    nonzero_ranks,
    truncate_ranks,
)
from tests.oracles import residual_gain as oracle

GRADES = np.array([-2, -1, 0, 1, 2, 3, 10])


@pytest.mark.parametrize("base", BASES)
@given(depth=st.integers(0, 50), phi=st.floats(0.01, 0.99))
def test_seen_equals_the_oracle_at_every_rank(base, depth, phi):
    expected = [0.0, *(oracle.seen(rank, base, phi) for rank in range(1, depth + 1))]
    assert_allclose(browsing_weights(base, depth, phi), expected, rtol=1e-12)


def test_gains_equal_the_oracle():
    for dcg in DCGS:
        expected = [oracle.gain(grade, "nDCG", dcg) for grade in GRADES]
        assert_array_equal(graded_gain(GRADES, dcg), expected)
    for rel in (1, 2, 3):
        expected = [oracle.gain(grade, "P", rel=rel) for grade in GRADES]
        assert_array_equal(binary_gain(GRADES, rel), expected)


def test_sums_of_discounts():
    assert discount_sums(0).tolist() == [0.0]
    expected = [0.0, 1.0, 1.0 + 1 / math.log2(3), 1.5 + 1 / math.log2(3)]
    assert discount_sums(3).tolist() == pytest.approx(expected)


def test_cut_forgets_the_ranks_below_the_cutoff_only():
    rank = np.array([[3, 0, 1], [2, 4, 5]])
    assert_array_equal(truncate_ranks(rank, 3), [[3, 0, 1], [2, 0, 0]])
    assert_array_equal(truncate_ranks(rank, None), rank)


def test_found_are_the_ranks_that_are_not_0_by_run():
    rank = np.array([[[0, 2, 0], [1, 0, 0]], [[0, 0, 0], [0, 0, 0]], [[3, 0, 0], [0, 0, 1]]])
    run, cell, at = nonzero_ranks(rank)
    assert_array_equal(run, [0, 0, 2, 2])
    assert_array_equal(cell, [1, 3, 0, 5])
    assert_array_equal(at, [2, 1, 3, 1])
    for nothing in (rank[:0], rank[:, :0], rank[1:2]):
        assert [len(entries) for entries in nonzero_ranks(nothing)] == [0, 0, 0]
