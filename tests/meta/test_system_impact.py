"""The impact of the number of systems, and scores for subsets of the systems."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from irx_measures import RunSet, SubsetScorer, evaluate, simulate_campaign
from irx_measures.meta import system_impact
from tests.doubts import MISSED_QUERIES, NO_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR]

MEASURES = [
    "P_Rareness(systems=others)@10",
    "AP_Rareness(systems=others)@20",
    "NRG(prior=others)@10",
    "NRG(prior=others, select=best-per-group)@10",
    "TaSC(prior=others, select=other-groups)@10",
    "UniqueRel(prior=others, select=earlier)@10",
    "nDCG@10",
]


@pytest.fixture(scope="module")
def campaign():
    return simulate_campaign(systems=9, queries=6, depth=40, seed=2)


@pytest.mark.parametrize("measure", MEASURES)
def test_systems_in_smaller_company_are_scored_as_if_alone_there(campaign, measure):
    scorer = SubsetScorer(campaign.runs, campaign.qrels, measure, campaign.groups)
    assert scorer.systems == tuple(campaign.runs)
    for chosen in ([0, 4], [1, 3, 4, 8], range(9)):
        some = {scorer.systems[position]: campaign.runs[scorer.systems[position]]
                for position in chosen}  # fmt: skip
        groups = {name: campaign.groups[name] for name in some}
        expected = evaluate(some, campaign.qrels, measure, groups).scores[0]
        assert_allclose(scorer(chosen), expected, rtol=1e-12, atol=1e-15)


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


def test_the_error_is_that_of_the_mean(campaign):
    scorer = SubsetScorer(campaign.runs, campaign.qrels, MEASURES[0])
    result = system_impact(scorer, scorer.systems, trials=50, coefficient="spearman")
    assert result.sizes.tolist() == [2, 4, 8]
    assert_allclose(result.error, stats.sem(result.correlation, axis=1, nan_policy="omit"))
    assert system_impact(scorer, scorer.systems, trials=1).error.tolist() == [0, 0, 0]


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


@pytest.mark.parametrize("measure", ["P_Rareness(systems=others)@1", "P@1"])
@pytest.mark.parametrize("positions", [[5], [-1], [0, 0], [1.5], ["a"], [True]])
def test_positions_that_are_no_systems_are_refused(measure, positions):
    runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"A": 1.0}}, "c": {"q": {"X": 1.0}}}
    scorer = SubsetScorer(runs, {"q": {"A": 1}}, measure)
    with pytest.raises((ValueError, TypeError), match=r"positions of runs must be .*; got \["):
        scorer(positions)


def test_a_scorer_of_subsets_reads_each_run_once(monkeypatch):
    reads = []
    source = RunSet.source
    monkeypatch.setattr(RunSet, "source", lambda self, at: reads.append(at) or source(self, at))
    runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"B": 1.0}}, "c": {"q": {"A": 1.0}}}
    score = SubsetScorer(runs, {"q": {"A": 1, "B": 1}}, "P_Rareness(systems=others)@1")
    assert score([0, 1]).tolist() == [[1.5], [1.5]]
    assert reads == [0, 1, 2]
