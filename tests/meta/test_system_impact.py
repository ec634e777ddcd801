"""The impact of the number of systems."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures.meta import system_impact


def lonely(chosen):
    """Mean scores that depend on the subset: in a proper subset, the first system scores 0."""
    scores = np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])[chosen]
    if len(chosen) < 6:
        scores[0] = 0.0
    return scores


def test_algorithm_1_step_by_step():
    result = system_impact(lonely, list("abcdef"), sizes=[2, 4, 6], trials=8, seed=3)
    rng = np.random.default_rng(3)
    for row, size in zip(result.correlation, (2, 4, 6), strict=True):
        for value in row:
            chosen = np.sort(rng.choice(6, size, replace=False))
            peer = stats.kendalltau(lonely(np.arange(6))[chosen], lonely(chosen)).statistic
            assert value == pytest.approx(peer)
    assert_allclose(result.mean, [-1, 0, 1], atol=1e-12)
    assert_array_equal(result.error, 0)
    assert result.to_frame()["systems"].tolist() == [2, 4, 6]
    assert result.summary == (
        "mean tau_b to the ranking among all 6 systems: -1.000 with 2, 0.000 with 4, "
        "1.000 with 6 (8 trials)"
    )


def test_the_error_is_that_of_the_mean():
    scores = np.random.default_rng(1).random((9, 6))

    def score(chosen):
        return scores[chosen] * len(chosen) ** np.arange(6)  # later topics count more with more

    how = {"coefficient": "spearman", "seed": 2}
    result = system_impact(score, list("abcdefghi"), trials=50, **how)
    assert result.sizes.tolist() == [2, 4, 8]
    assert (result.error[:2] > 0).all()
    assert_allclose(result.error, stats.sem(result.correlation, axis=1, nan_policy="omit"))
    assert system_impact(score, list("abcdefghi"), trials=1).error.tolist() == [0, 0, 0]


def test_trials_in_which_all_systems_tie_are_left_out_and_counted():
    scores = np.array([0.5, 0.5, 0.5, 0.9])
    result = system_impact(scores.__getitem__, list("abcd"), sizes=[2, 4], trials=40, seed=1)
    rng = np.random.default_rng(1)
    tied = sum(3 not in rng.choice(4, 2, replace=False) for _ in range(40))
    assert 0 < tied < 40
    assert result.undefined.tolist() == result.to_frame()["undefined"].tolist() == [tied, 0]
    assert_allclose([result.mean, result.error], [[1, 1], [0, 0]])
    assert f"(40 trials; left out, because all systems tie: {tied} with 2)" in result.summary
    never = system_impact(np.ones(4).__getitem__, list("abcd"), trials=5)
    assert np.isnan([never.mean, never.error]).all()
    assert never.undefined.tolist() == [5, 5]
    assert "- with 2, - with 4 (5 trials; left out" in never.summary
