"""Bootstrap intervals of a mean: against the normal one, and their laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures.stats.intervals import topic_interval

SCORES = np.random.default_rng(0).normal(0.4, 0.1, (3, 400))


@pytest.mark.parametrize(("level", "errors"), [(95, 1.96), (50, 0.674)])
def test_of_many_topics_it_is_the_normal_interval(level, errors):
    low, high = topic_interval(SCORES, level)
    mean, error = SCORES.mean(axis=1), SCORES.std(axis=1) / np.sqrt(400)
    assert_allclose((low - mean) / error, -errors, rtol=0.15)
    assert_allclose((high - mean) / error, errors, rtol=0.15)


def test_a_batch_equals_its_rows_and_repeats():
    together = np.array(topic_interval(SCORES, 95))
    for row, scores in enumerate(SCORES):
        alone = np.array(topic_interval(scores[np.newaxis], 95))[:, 0]
        assert_allclose(together[:, row], alone, rtol=1e-12)
    assert_array_equal(together, topic_interval(SCORES, 95))


def test_scores_turned_round_have_the_interval_turned_round():
    low, high = topic_interval(SCORES, 90)
    turned_low, turned_high = topic_interval(1 - SCORES, 90)
    assert_allclose((turned_low, turned_high), (1 - high, 1 - low), rtol=1e-12)


def test_systems_that_never_vary_have_intervals_of_one_point():
    low, high = topic_interval(np.full((2, 5), 0.25), 95)
    assert_array_equal((low, high), np.full((2, 2), 0.25))
