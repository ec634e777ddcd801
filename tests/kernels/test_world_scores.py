"""Kernels of scores in worlds: laws, and ideals by sorting all documents."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.kernels import world_scores as kernel
from irx_measures.kernels.user_models import discount

seeds = st.integers(0, 10**6)


def random_ranks(seed, systems=4, documents=12):
    rng = np.random.default_rng(seed)
    rank = np.array([rng.permutation(documents) + 1 for _ in range(systems)])
    return np.where(rank <= rng.integers(0, documents, (systems, 1)), rank, 0)


def test_missing_documents_have_the_position_after_the_last():
    assert_array_equal(kernel.top_documents(np.array([[2, 0, 1], [0, 4, 0]]), 3),
                       [[2, 0, 3], [3, 3, 3]])  # fmt: skip


@given(seed=seeds, cutoff=st.integers(1, 15), outside=st.integers(0, 3))
def test_residual_ideals_are_those_of_all_documents_sorted(seed, cutoff, outside):
    rng = np.random.default_rng(seed)
    rank = random_ranks(seed)
    seen = np.where((rank > 0) & (rank <= cutoff), 1 / np.log2(np.maximum(rank, 1) + 1), 0)
    by_all = np.prod(1 - seen, axis=0)
    unseen = np.array([np.prod(np.delete(1 - seen, system, 0), 0) for system in range(len(rank))])
    gain = rng.integers(0, 4, (rank.shape[1], 5)).astype(float)
    other = np.sort(rng.integers(1, 4, min(outside, cutoff)).astype(float))[::-1]
    top = kernel.top_documents(rank, cutoff)
    got = kernel.residual_ideals(unseen, by_all, top, gain, other)
    for system, world in np.ndindex(got.shape):
        every = np.sort([*(unseen[system] * gain[:, world]), *other])[::-1][:cutoff]
        assert_allclose(got[system, world], every @ discount(len(every)), rtol=1e-12, atol=1e-14)


@given(seed=seeds, cutoff=st.integers(1, 12))
def test_a_world_alone_scores_as_among_others(seed, cutoff):
    top = kernel.top_documents(random_ranks(seed), cutoff)
    relevant = np.random.default_rng(seed).random((12, 6)) < 0.4
    for score in (
        kernel.reciprocal_rank,
        lambda top, relevant: kernel.average_precision(top, relevant, 2),
    ):
        alone = [score(top, relevant[:, [world]])[:, 0] for world in range(6)]
        assert_array_equal(score(top, relevant), np.transpose(alone))


def test_perfect_rankings_score_1_and_queries_without_relevant_documents_0():
    top = np.array([[0, 1, 2]])
    relevant = np.array([[True, False], [True, False], [False, False]])
    assert_array_equal(kernel.average_precision(top, relevant, 0), [[1, 0]])
    assert_array_equal(kernel.reciprocal_rank(top, relevant), [[1, 0]])


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
