"""Scores of subsets of systems, as if they were alone."""

import pytest
from numpy.testing import assert_allclose

from irx_measures import RunSet, SubsetScorer, evaluate, simulate_campaign
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
    scorer = SubsetScorer(campaign.qrels, campaign.runs, measure, campaign.groups)
    assert scorer.systems == tuple(campaign.runs)
    for chosen in ([0, 4], [1, 3, 4, 8], range(9)):
        some = {scorer.systems[position]: campaign.runs[scorer.systems[position]]
                for position in chosen}  # fmt: skip
        groups = {name: campaign.groups[name] for name in some}
        expected = evaluate(campaign.qrels, some, measure, groups).scores[0]
        assert_allclose(scorer(chosen), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("measure", ["P_Rareness(systems=others)@1", "P@1"])
@pytest.mark.parametrize("positions", [[5], [-1], [0, 0], [1.5], ["a"], [True]])
def test_positions_that_are_no_systems_are_refused(measure, positions):
    runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"A": 1.0}}, "c": {"q": {"X": 1.0}}}
    scorer = SubsetScorer({"q": {"A": 1}}, runs, measure)
    with pytest.raises((ValueError, TypeError), match=r"positions of runs must be .*; got \["):
        scorer(positions)


def test_a_scorer_of_subsets_reads_each_run_once(monkeypatch):
    reads = []
    source = RunSet.source
    monkeypatch.setattr(RunSet, "source", lambda self, at: reads.append(at) or source(self, at))
    runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"B": 1.0}}, "c": {"q": {"A": 1.0}}}
    score = SubsetScorer({"q": {"A": 1, "B": 1}}, runs, "P_Rareness(systems=others)@1")
    assert score([0, 1]).tolist() == [[1.5], [1.5]]
    assert reads == [0, 1, 2]
