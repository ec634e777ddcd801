"""The simulations' own parts, on made-up scores; their tables need real data and minutes."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures.stats.pairs import Pairs
from tests.simulations import equal_means, error_rates, planning, prediction_powered, rank_intervals
from tests.simulations.material import residuals, square
from tests.stats.scores import campaign


@pytest.mark.parametrize("null", sorted(error_rates.NULLS.keys() - {"weights"}))
def test_nulls_keep_the_means_that_they_say(null):
    scores = campaign(8, 4000, spread=0.5) - 0.3
    mean = error_rates.NULLS[null](scores, np.random.default_rng(1)).mean(axis=1)
    own = scores.mean(axis=1) if null == "half" else np.full(8, 0.0)
    changed = error_rates.noisiest(scores) if null == "half" else np.ones(8, bool)
    assert np.count_nonzero(changed) == (4 if null == "half" else 8)
    noise = 5 * 0.5 / np.sqrt(4000)
    assert np.ptp(mean[changed]) < noise
    assert_allclose(mean[~changed], own[~changed], atol=noise)


@pytest.mark.slow
@pytest.mark.parametrize("null", ["labels", "signs", "half"])
def test_holm_and_max_t_keep_their_error_where_differences_are_symmetric(null):
    rates = error_rates.error_rates(campaign(6, 20, spread=2), null, 200, 199, 99, seed=3)
    assert {"t + holm", "max-t", "tukey-blocks", "randomisation + holm"} < rates.keys()
    assert rates["moderated-t + holm"] <= rates["t + holm"]
    # 99.9% bound of a binomial of 200 simulations where a twentieth is wrong.
    most = stats.binom.isf(0.001, 200, 0.05) / 200
    assert max(rates["t + holm"], rates["max-t"]) <= most


def test_weights_make_systems_equal_and_change_no_score():
    scores = np.round(campaign(6, 60, spread=0.05), 1)
    weights = equal_means.equalising_weights(scores)
    assert weights.min() > 0
    assert_allclose(scores @ weights, (scores @ weights)[0], atol=1e-4)
    far = scores + np.arange(6)[:, np.newaxis] * 9
    assert equal_means.equalising_weights(far) is None
    drawn = equal_means.draw_equal_systems(scores, np.random.default_rng(1), count=3)
    topics = {tuple(topic) for topic in scores.T}
    assert drawn.shape == (3, 60)
    assert any(
        {tuple(topic) for topic in drawn.T} <= {tuple(np.take(topic, kept)) for topic in topics}
        for kept in permutations(range(6), 3)
    )


def test_true_differences_are_no_errors():
    scores = campaign(6, 20, spread=50)
    spread = np.where(np.arange(6) < 3, 1, 9)[:, np.newaxis]
    scores = scores.mean(axis=1, keepdims=True) + residuals(scores) * spread
    assert_array_equal(error_rates.noisiest(scores), np.arange(6) >= 3)
    simulated = error_rates.flipped_signs_of_half(scores, np.random.default_rng(1))
    assert error_rates.holm(simulated)[:3].all()  # the pairs of the first system: all differ
    rates = error_rates.error_rates(scores, "half", 100, 199, 0, seed=3)
    assert max(rates["t + holm"], rates["max-t"]) < 0.2


def test_rank_intervals_of_systems_far_apart_always_hold():
    _, draw = rank_intervals.TRUTHS["real"]
    held = rank_intervals.coverage(campaign(6, 30, spread=9), draw, 20, 199, seed=1)
    assert held == (1, 1, 1, 1, 1, 1)


def test_truth_of_tied_systems_is_every_rank_of_their_group():
    truth = rank_intervals.Truth.of(np.array([[3.0], [1.0], [3.0], [2.0]]))
    assert truth.low.tolist() == [1, 4, 1, 3]
    assert truth.high.tolist() == [2, 4, 2, 3]
    assert truth.held_by(np.array([1, 4, 2, 2]), np.array([2, 4, 2, 4])).tolist() == [
        True, True, False, True,
    ]  # fmt: skip


def test_decisions_about_pairs_say_who_is_better():
    better = square(np.array([True, False, True]), np.array([2.0, -5.0, -3.0]), 3)
    assert np.argwhere(better).tolist() == [[0, 1], [2, 1]]


def test_fresh_t_is_scipys_on_the_drawn_topics():
    differences = Pairs.of(3).differences(campaign(3, 12))
    topics = np.array([5, 12, 70])
    drawn = np.random.default_rng(4).multinomial(topics, np.full(12, 1 / 12))
    peer = [
        stats.ttest_1samp(np.repeat(row, counts), 0).statistic
        for row, counts in zip(differences, drawn, strict=True)
    ]
    got = planning.fresh_t(differences, topics, np.random.default_rng(4))
    assert_allclose(got, peer, rtol=1e-10)


def test_plans_have_a_row_per_split_and_pair():
    results = planning.plans(campaign(4, 20, spread=0.3), splits=3, seed=1)
    assert {plan: rows.shape for plan, rows in results.items()} == {
        "topics": (3, 18), "topics_safe": (3, 18),
    }  # fmt: skip
    assert (results["topics"][0] <= results["topics_safe"][0]).all()
    assert not (results["topics"][2] > results["topics"][1]).any()


def test_coverage_of_a_machine_that_agrees_and_of_one_that_does_not():
    rng = np.random.default_rng(2)
    human = rng.beta(2, 2, (20, 40))
    for machine, low, high in ((human + 0.3, 0.25, 0.4), (rng.uniform(size=(20, 40)), 0.9, 1.05)):
        held, width = prediction_powered.coverage(human, machine, 30, 100, seed=1)
        assert list(held) == ["human", "ppi++"]
        # Draws with replacement from few topics: a t interval covers a little less than its level.
        assert 0.9 < held["human"] < 0.98
        assert abs(held["ppi++"] - held["human"]) < 0.03
        assert low < width < high
