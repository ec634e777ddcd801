"""Random sets of topics, and the chunks in which samples are drawn."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from irx_measures.stats.resampling import random_orders, sample_chunks


def test_a_topic_set_holds_each_topic_once_and_all_alike():
    orders = random_orders(10, 4000, np.random.default_rng(0))
    assert_array_equal(np.sort(orders, axis=1), np.tile(np.arange(10), (4000, 1)))
    chosen = np.bincount(orders[:, :5].ravel(), minlength=10)
    # 5 standard deviations of a binomial of 4000 draws by halves.
    assert np.abs(chosen - 2000).max() < 5 * np.sqrt(1000)


@pytest.mark.parametrize(
    ("samples", "queries", "sizes"),
    # At most 1024 samples, and at most 2^21 numbers where there are more than 2048 queries.
    [(10, 50, [10]), (2500, 2048, [1024, 1024, 452]), (800, 6980, [300, 300, 200]), (0, 5, [])],
)
def test_samples_are_drawn_in_chunks_of_a_fixed_size(samples, queries, sizes):
    assert list(sample_chunks(samples, queries, lambda size: size)) == sizes
