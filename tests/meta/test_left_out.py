"""Errors of estimates for groups that are left out of the pool, against plain loops."""

from math import isnan, sqrt
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures import RunSet, evaluate, simulate_campaign
from irx_measures.meta import leave_group_out, left_out_scores
from tests.campaigns import campaigns
from tests.doubts import ANY_DOUBT
from tests.oracles.ranking import ranking

pytestmark = ANY_DOUBT

METHODS = {"naive": "nDCG@10", "condensed": "nDCG(judged_only=True)@10"}


def pooled_campaign():
    """The runs of the groups that were pooled, and their groups."""
    campaign = simulate_campaign(systems=12, queries=10, depth=50, seed=1)
    pooled = [name for name in campaign.runs if not name.startswith("reranker")]
    runs = {name: campaign.runs[name] for name in pooled}
    return runs, {name: campaign.groups[name] for name in pooled}, campaign.qrels


def found(runs, groups, qrels, depth=10):
    return left_out_scores(RunSet(runs, groups=groups), qrels, METHODS, depth=depth)


def test_a_run_that_was_never_pooled_does_not_count_against_a_method():
    runs, groups, qrels = pooled_campaign()
    alone = found(runs, groups, qrels)
    assert alone.judged.all()
    new = {query: {f"new{rank}": -float(rank) for rank in range(20)} for query in qrels}
    together = found({**runs, "new": new}, {**groups, "new": "new"}, qrels)
    assert together.judged.tolist() == [*alone.judged.tolist(), [False] * len(qrels)]
    numbers = ["rmse", "bias", "rmse_of_means"]
    assert together.errors()[numbers].to_numpy() == pytest.approx(
        alone.errors()[numbers].to_numpy()
    )


@pytest.mark.parametrize("measure", ["BootNDCG(prior=learned, b=20)@5", "NRG(prior=others)@5"])
def test_others_are_all_runs_as_in_evaluate(measure):
    runs, groups, qrels = pooled_campaign()
    runset = RunSet(runs, groups=groups)
    result = left_out_scores(runset, qrels, {"asked": measure})
    for group, left in leave_group_out(runset, qrels, 10):
        members = [place for place, other in enumerate(runset.groups) if other == group]
        matrix = evaluate(runset, left, measure)
        assert result.predicted["asked"][members] == pytest.approx(
            matrix.scores[0][members], abs=1e-12
        )


def expected(campaign, depth, result):
    """rmse, bias and rmse_of_means of the first method, query by query."""
    errors = {}
    for system, run in campaign.runs.items():
        for row, (query, judged) in enumerate(campaign.qrels.items()):
            if all(doc in judged for doc in ranking(run.get(query, {}), depth)):
                place = list(campaign.runs).index(system), row
                error = float(result.predicted["naive"][place] - result.truth[place])
                errors.setdefault(system, []).append(error)
    every = [error for of_system in errors.values() for error in of_system]
    if not every:
        return None
    return (
        sqrt(fmean(error**2 for error in every)),
        fmean(every),
        sqrt(fmean(fmean(of_system) ** 2 for of_system in errors.values())),
    )


@given(campaign=campaigns(), depth=st.integers(1, 4))
def test_errors_are_those_of_rankings_that_are_fully_judged(campaign, depth):
    result = found(campaign.runs, campaign.groups, campaign.qrels, depth)
    columns = result.errors()
    got = [float(columns[name][0]) for name in ("rmse", "bias", "rmse_of_means")]
    wanted = expected(campaign, depth, result)
    if wanted is None:
        assert all(map(isnan, got))
    else:
        assert got == pytest.approx(wanted, abs=1e-12)
