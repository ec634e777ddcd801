"""Errors of predicted scores, preferences, and groups left out, against their definitions."""

from itertools import permutations
from math import isnan, sqrt
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.testing import assert_allclose

from irx_measures import RunSet, evaluate, simulate_campaign
from irx_measures.meta import (
    leave_group_out,
    left_out_scores,
    prediction_error,
    reconstructed_preferences,
)
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
    arrays.arrays(
        float, st.tuples(st.just(3), st.integers(1, 4), st.integers(1, 3)), elements=scores
    ),
    st.lists(st.sampled_from("ab"), min_size=4, max_size=4),
)
def test_preferences_by_definition(drawn, groups):
    lower, upper = np.sort(drawn[:2], axis=0)
    actual, groups = drawn[2], groups[: drawn.shape[1]]
    predicted = right = true = 0
    for one, other in permutations(range(len(actual)), 2):
        for query, score in enumerate(actual[other]):
            if groups[one] != groups[other]:
                said = int(score > upper[one, query]) - int(score < lower[one, query])
                is_so = int(score > actual[one, query]) - int(score < actual[one, query])
                predicted += said != 0
                true += is_so != 0
                right += said != 0 and said == is_so
    shares = [(right, predicted), (right, true), (2 * right, predicted + true)]
    expected = [part / whole if whole else np.nan for part, whole in shares]
    assert_allclose(reconstructed_preferences(lower, upper, actual, groups), expected)


def test_every_system_is_its_own_group_by_default():
    ranges, actual = ([[0.2], [0.1], [0.1]], [[0.4], [0.3], [0.1]]), [[0.3], [0.5], [0.1]]
    alone = reconstructed_preferences(*ranges, actual)
    assert alone == reconstructed_preferences(*ranges, actual, list("abc"))
    assert alone != reconstructed_preferences(*ranges, actual, list("aab"))


METHODS = {"naive": "nDCG@10", "condensed": "nDCG(judged_only=True)@10"}


def pooled_campaign():
    """The runs of the groups that were pooled, and their groups."""
    campaign = simulate_campaign(systems=12, queries=10, depth=50, seed=1)
    pooled = [name for name in campaign.runs if not name.startswith("reranker")]
    runs = {name: campaign.runs[name] for name in pooled}
    return runs, {name: campaign.groups[name] for name in pooled}, campaign.qrels


def found(runs, groups, qrels, depth=10):
    return left_out_scores(qrels, RunSet(runs, groups=groups), METHODS, depth=depth)


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
    result = left_out_scores(qrels, runset, {"asked": measure})
    for group, left in leave_group_out(qrels, runset, 10):
        members = [place for place, other in enumerate(runset.groups) if other == group]
        matrix = evaluate(left, runset, measure)
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


@given(campaign=campaigns(), depth=st.integers(1, 5))
def test_only_what_one_group_alone_found_is_left_out(campaign, depth):
    runset = RunSet(campaign.runs, groups=campaign.groups)
    left_out = dict(leave_group_out(campaign.qrels, runset, depth))
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
