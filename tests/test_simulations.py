"""The simulations behind the pages, in small: what each says of campaigns whose truth is known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from irx_measures import evaluate, simulate_campaign
from irx_measures.unjudged.model import pool
from simulations import (
    equal_means,
    error_rates,
    planning,
    prediction_powered,
    rank_intervals,
    unjudged,
)
from tests.stats.scores import campaign


@pytest.mark.slow
def test_holm_and_max_t_keep_their_error_where_differences_are_symmetric():
    rates = error_rates.error_rates(campaign(6, 20, spread=2), "signs", 200, 199, 99, seed=3)
    assert {"t + holm", "max-t", "tukey-blocks", "randomisation + holm"} < rates.keys()
    # 99.9% bound of a binomial of 200 simulations where a twentieth is wrong.
    most = stats.binom.isf(0.001, 200, 0.05) / 200
    assert max(rates["t + holm"], rates["max-t"]) <= most


def test_weights_make_systems_equal():
    scores = np.round(campaign(6, 60, spread=0.05), 1)
    weights = equal_means.equalising_weights(scores)
    assert weights.min() > 0
    assert_allclose(scores @ weights, (scores @ weights)[0], atol=1e-4)
    assert equal_means.equalising_weights(scores + np.arange(6)[:, np.newaxis] * 9) is None


def test_rank_intervals_of_systems_far_apart_always_hold():
    _, draw = rank_intervals.TRUTHS["real"]
    held = rank_intervals.coverage(campaign(6, 30, spread=9), draw, 20, 199, seed=1)
    assert held == (1, 1, 1, 1, 1, 1)


def test_plans_have_a_row_per_split_and_pair():
    results = planning.plans(campaign(4, 20, spread=0.3), splits=3, seed=1)
    assert {rows.shape for rows in results.values()} == {(3, 18)}
    assert (results["topics"][0] <= results["topics_safe"][0]).all()


def test_intervals_of_a_machine_that_agrees_are_narrower():
    human = np.random.default_rng(2).beta(2, 2, (20, 40))
    held, width = prediction_powered.coverage(human, human + 0.3, 30, 100, seed=1)
    # Draws with replacement from few topics: a t interval covers a little less than its level.
    assert 0.9 < held["human"] < 0.98
    assert width < 0.4


def test_scores_without_unjudged_documents_equal_the_measure():
    made = simulate_campaign(systems=12, queries=5, depth=40, seed=2)
    pooled = pool(made.runs, made.qrels, made.groups)
    ndcg = evaluate(made.runs, made.qrels, "nDCG@10").scores[0]
    assert_allclose(unjudged.truth_of(pooled), ndcg, atol=1e-12)


@pytest.mark.slow
def test_calibrated_intervals_hold_more_means(data):
    folder = data / "trec-dl-2019-passage"
    full = pool(f"{folder}/runs/*.gz", folder / "qrels.txt.gz", folder / "groups.csv")
    coverage = unjudged.Coverage.of(full, None, 100)
    assert coverage.systems == 35  # two runs of a group have no document of their own
    assert coverage.tilts < coverage.calibrated
    assert coverage.calibrated >= 0.85
    assert coverage.width <= 1.25
