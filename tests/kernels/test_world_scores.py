"""Kernels of scores in worlds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.kernels import worlds as kernel

seeds = st.integers(0, 10**6)


def random_ranks(seed, systems=4, documents=12):
    rng = np.random.default_rng(seed)
    rank = np.array([rng.permutation(documents) + 1 for _ in range(systems)])
    return np.where(rank <= rng.integers(0, documents, (systems, 1)), rank, 0)


def test_missing_documents_have_the_position_after_the_last():
    assert_array_equal(kernel.top_documents(np.array([[2, 0, 1], [0, 4, 0]]), 3),
                       [[2, 0, 3], [3, 3, 3]])  # fmt: skip


@given(seed=seeds, cutoff=st.integers(1, 12))
def test_weighted_gains_are_sums_over_ranks_and_equal_for_equal_rankings(seed, cutoff):
    rank = random_ranks(seed)
    rank[-1] = rank[0]
    rng = np.random.default_rng(seed)
    weight, gain = rng.random(cutoff), rng.random((rank.shape[1], 3))
    got = kernel.weighted_gains(kernel.top_documents(rank, cutoff), weight, gain)
    at_rank = np.concatenate(([0.0], weight, np.zeros(12)))[rank]
    assert_allclose(got, at_rank @ gain, rtol=1e-12, atol=1e-14)
    assert_array_equal(got[0], got[-1])
