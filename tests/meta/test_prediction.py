"""Errors of predicted scores, preferences, and groups left out, against their definitions."""

from math import isnan, sqrt
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from irx_measures import RunSet, evaluate, simulate_campaign
from irx_measures.meta import (
    leave_group_out,
    left_out_scores,
    prediction_error,
    reconstructed_preferences,
)
from irx_measures.meta.prediction import Preferences
from tests.campaigns import campaigns
from tests.doubts import ANY_DOUBT
from tests.oracles.ranking import ranking

pytestmark = ANY_DOUBT

scores = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


@given(st.lists(st.tuples(scores, scores), min_size=1, max_size=9))
def test_errors_by_definition(pairs):
    predicted, actual = zip(*pairs, strict=True)
    got = prediction_error(predicted, actual)
    squares = [(p - a) ** 2 for p, a in pairs]
    over = sum(s for s, (p, a) in zip(squares, pairs, strict=True) if p > a)
    under = sum(s for s, (p, a) in zip(squares, pairs, strict=True) if p < a)
    n = len(pairs)
    assert_allclose(
        [got.lower, got.actual, got.upper],
        [(over / n) ** 0.5, (sum(squares) / n) ** 0.5, (under / n) ** 0.5],
    )


@given(
    st.lists(st.tuples(scores, scores, scores), min_size=1, max_size=4).flatmap(
        lambda rows: st.tuples(
            st.just(rows),
            st.lists(
                st.lists(scores, min_size=len(rows), max_size=len(rows)), min_size=1, max_size=3
            ),
        )
    )
)
def test_preferences_by_definition(drawn):
    rows, others = drawn
    lower, upper = np.sort(np.array(rows)[:, :2], axis=1).T
    actual = np.array(rows)[:, 2]
    predicted = right = true = 0
    for other in others:
        for query, score in enumerate(other):
            said = int(score > upper[query]) - int(score < lower[query])
            is_so = int(score > actual[query]) - int(score < actual[query])
            predicted += said != 0
            true += is_so != 0
            right += said != 0 and said == is_so
    got = reconstructed_preferences(lower, upper, actual, others)
    assert got == Preferences(predicted, right, true)


def test_shares_of_preferences():
    both = Preferences(4, 3, 6)
    assert (both.precision, both.recall, both.f1) == (0.75, 0.5, pytest.approx(0.6))
    none = Preferences(0, 0, 0)
    assert np.isnan([none.precision, none.recall, none.f1]).all()
    assert np.isnan(Preferences(0, 0, 1).precision)
    assert np.isnan(Preferences(1, 0, 0).recall)
    assert Preferences(0, 0, 1).f1 == Preferences(1, 0, 0).f1 == 0.0
    assert Preferences(2, 0, 2).f1 == 0.0


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
