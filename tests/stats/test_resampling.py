"""Random sets of topics: what they hold, how often, in what chunks, and the means over them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.stats import resampling


def test_every_topic_is_drawn_as_often_as_any_other():
    # A count has the mean 1 and the variance 1 - 1/5. Each fails once in 1.7 million times.
    samples = 20_000
    counts = resampling.topic_counts(5, samples, np.random.default_rng(1))
    assert_array_equal(counts.sum(axis=1), 5)
    assert_allclose(counts.mean(axis=0), 1.0, atol=5 * np.sqrt(0.8 / samples))
    assert counts.var() == pytest.approx(0.8, abs=0.05)


def test_random_orders_have_every_topic_once_and_first_as_often_as_any_other():
    trials = 20_000
    orders = resampling.random_orders(4, trials, np.random.default_rng(2))
    assert_array_equal(np.sort(orders, axis=1), np.tile(np.arange(4), (trials, 1)))
    # Five standard errors of a share of 1/4; each fails once in 1.7 million times.
    shares = np.bincount(orders[:, 0], minlength=4) / trials
    assert_allclose(shares, 0.25, atol=5 * np.sqrt(0.25 * 0.75 / trials))


def test_means_over_topics_by_hand():
    scores = np.array([[0.0, 0.5, 1.0], [1.0, 0.0, 0.25]])
    got = resampling.means_over(scores, np.array([[0, 1], [2, 0], [2, 1]]))
    assert_allclose(got, [[0.25, 0.5], [0.5, 0.625], [0.75, 0.125]], rtol=1e-12)


def test_means_over_all_topics_do_not_depend_on_their_order():
    scores = np.random.default_rng(3).random((3, 9))
    orders = resampling.random_orders(9, 20, np.random.default_rng(4))
    got = resampling.means_over(scores, orders)
    assert_array_equal(got, np.broadcast_to(got[0], got.shape))
    assert_allclose(got[0], scores.mean(axis=1), atol=1e-12)


@pytest.mark.parametrize(("apart", "tied"), [(1e-14, True), (4e-13, True), (2e-12, False)])
def test_means_tie_where_only_rounding_separates_them(apart, tied):
    scores = np.array([[0.3], [0.3 + apart], [1.0]])  # the largest score is the unit
    for unit in (1.0, 100.0, 1e-9):
        one, other, _ = resampling.means_over(unit * scores, np.array([[0]]))[0]
        assert (one == other) == tied


@pytest.mark.parametrize(
    ("samples", "queries", "sizes"),
    # At most 1024 samples, and at most 2^21 numbers where there are more than 2048 queries.
    [(10, 50, [10]), (2500, 2048, [1024, 1024, 452]), (800, 6980, [300, 300, 200]), (0, 5, [])],
)
def test_samples_are_drawn_in_chunks_of_a_fixed_size(samples, queries, sizes):
    assert list(resampling.sample_chunks(samples, queries, lambda size: size)) == sizes
