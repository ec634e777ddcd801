"""Kernels of worlds, and of scores in them, against loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.kernels.worlds import (
    levels_of_draws,
    mean_by_document,
    tilted_below,
    top_documents,
    weighted_gains,
    world_counts,
)
from tests.oracles.worlds import tilted

seeds = st.integers(0, 10_000)


def random_entries(seed, levels=4, documents=5, runs=3):
    """Probabilities of entries sorted by document; each document has 1 to 3 entries."""
    rng = np.random.default_rng(seed)
    entries = rng.integers(1, 4, documents)
    start = np.cumsum(entries) - entries
    probability = rng.dirichlet(np.ones(levels), entries.sum())
    return probability, start, rng.integers(0, runs, entries.sum())


@given(seed=seeds, levels=st.integers(1, 5))
def test_a_level_has_all_draws_of_its_interval(seed, levels):
    rng = np.random.default_rng(seed)
    probability = rng.dirichlet(np.ones(levels), 3)
    draws = rng.random((3, 50), dtype=np.float32)
    got = levels_of_draws(np.cumsum(probability[:, :-1], axis=1), draws)
    for document, world in np.ndindex(draws.shape):
        below = [sum(probability[document, :level]) for level in range(1, levels)]
        assert got[document, world] == sum(draws[document, world] >= edge for edge in below)


def test_impossible_levels_are_never_drawn():
    draws = np.random.default_rng(1).random((1, 10_000), dtype=np.float32)
    assert set(levels_of_draws(np.array([[0.0, 0.5, 0.5]]), draws)[0]) == {1, 3}


@given(seed=seeds)
def test_the_probability_of_a_document_is_the_mean_of_its_entries(seed):
    probability, start, _ = random_entries(seed)
    end = [*start[1:], len(probability)]
    expected = [probability[a:b].mean(axis=0) for a, b in zip(start, end, strict=True)]
    assert_allclose(mean_by_document(probability, start), expected, rtol=1e-12)


@given(seed=seeds, levels=st.integers(2, 5), scale=st.sampled_from([0.0, 0.5, 30.0]))
def test_tilted_probabilities_equal_the_oracle(seed, levels, scale):
    probability, start, run = random_entries(seed, levels)
    tilt = np.random.default_rng(seed).normal(0, scale, (3, 7)) if scale else np.zeros((3, 7))
    got = tilted_below(probability.astype(np.float32), tilt.astype(np.float32), run, start)
    end = [*start[1:], len(probability)]
    for document, (first, last) in enumerate(zip(start, end, strict=True)):
        for world in range(7):
            mean = np.mean(
                [tilted(probability[e], tilt[run[e], world]) for e in range(first, last)], axis=0
            )
            assert_allclose(got[document, :, world], np.cumsum(mean)[:-1], atol=2e-5)


def test_without_a_tilt_the_probabilities_stay():
    probability, start, run = random_entries(5)
    got = tilted_below(probability.astype(np.float32), np.zeros((3, 1), np.float32), run, start)
    expected = np.cumsum(mean_by_document(probability, start), axis=1)[:, :-1]
    assert_allclose(got[:, :, 0], expected, atol=1e-6)


@pytest.mark.parametrize("levels", [1, 3])
def test_counts_are_those_of_each_world(levels):
    level = np.random.default_rng(2).integers(0, levels, (6, 9))
    expected = [np.bincount(level[:, world], minlength=levels) for world in range(9)]
    assert_array_equal(world_counts(level, levels), expected)


# Scores in worlds


def random_ranks(seed, systems=4, documents=12):
    rng = np.random.default_rng(seed)
    rank = np.array([rng.permutation(documents) + 1 for _ in range(systems)])
    return np.where(rank <= rng.integers(0, documents, (systems, 1)), rank, 0)


def test_missing_documents_have_the_position_after_the_last():
    assert_array_equal(top_documents(np.array([[2, 0, 1], [0, 4, 0]]), 3),
                       [[2, 0, 3], [3, 3, 3]])  # fmt: skip


@given(seed=seeds, cutoff=st.integers(1, 12))
def test_weighted_gains_are_sums_over_ranks_and_equal_for_equal_rankings(seed, cutoff):
    rank = random_ranks(seed)
    rank[-1] = rank[0]
    rng = np.random.default_rng(seed)
    weight, gain = rng.random(cutoff), rng.random((rank.shape[1], 3))
    got = weighted_gains(top_documents(rank, cutoff), weight, gain)
    at_rank = np.concatenate(([0.0], weight, np.zeros(12)))[rank]
    assert_allclose(got, at_rank @ gain, rtol=1e-12, atol=1e-14)
    assert_array_equal(got[0], got[-1])
