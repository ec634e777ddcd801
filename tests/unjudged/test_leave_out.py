"""Qrels without the documents that only one group found, against the definition."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import BootNDCG, RunSet, evaluate
from irx_measures.meta import leave_group_out
from tests.campaigns import campaigns
from tests.oracles.ranking import ranking


@given(campaign=campaigns(), depth=st.integers(1, 5))
def test_only_what_one_group_alone_found_is_left_out(campaign, depth):
    runset = RunSet(campaign.runs, groups=campaign.groups)
    left_out = dict(leave_group_out(runset, campaign.qrels, depth))
    assert list(left_out) == list(dict.fromkeys(campaign.groups.values()))
    for group, qrels in left_out.items():
        expected = set()
        for query, grades in campaign.qrels.items():
            for doc, grade in grades.items():
                finders = {
                    campaign.groups[name]
                    for name, run in campaign.runs.items()
                    if doc in ranking(run.get(query, {}), depth)
                }
                if finders != {group}:
                    expected.add((query, doc, grade))
        assert set(qrels.itertuples(index=False, name=None)) == expected
        assert len(qrels) == len(expected)


def test_a_group_left_out_returns_unjudged_documents():
    qrels = {"q": {"A": 1, "B": 1, "C": 0}}
    runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}
    runset = RunSet(runs, groups={"a": "X", "b": "Y"})
    without = dict(leave_group_out(runset, qrels, 2))["X"]
    assert isinstance(without, pd.DataFrame)
    scores = evaluate(runs, without, ["Judged@2", BootNDCG(stat="std", prior="pool") @ 2]).scores
    assert scores[0, :, 0].tolist() == [0.5, 1.0]
    # No relevant document is left, so every sample is the same.
    assert scores[1, :, 0].tolist() == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("depth", [0, 1.5, True, "10"])
def test_depth_must_be_a_positive_whole_number(depth):
    runset = RunSet({"a": {"q": {"A": 1.0}}}, groups={"a": "X"})
    with pytest.raises(ValueError, match="`depth` must be"):
        leave_group_out(runset, {"q": {"A": 1}}, depth)


def test_groups_are_needed():
    with pytest.raises(ValueError, match="`runset` must have groups"):
        leave_group_out(RunSet({"a": {"q": {"A": 1.0}}}), {"q": {"A": 1}}, 10)
