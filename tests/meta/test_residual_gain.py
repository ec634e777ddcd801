"""What each system adds to each other system."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import InputError, RunSet, evaluate, simulate_campaign
from irx_measures.meta import residual_gain_matrix

CAMPAIGN = simulate_campaign(systems=5, queries=6, depth=40)


@pytest.fixture(scope="module")
def result():
    return residual_gain_matrix(CAMPAIGN.runs, CAMPAIGN.qrels, "NRG(prior=others)@5")


def test_scores_are_those_with_one_prior(result):
    names = list(CAMPAIGN.runs)
    for row, system in enumerate(names):
        for column, prior in enumerate(names):
            if row == column:
                assert np.isnan(result.given[row, column])
                continue
            runs = {name: CAMPAIGN.runs[name] for name in (system, prior)}
            scores = evaluate(RunSet(runs, name="others"), CAMPAIGN.qrels, "NRG(prior=others)@5")
            assert result.given[row, column] == pytest.approx(scores.scores[0, 0].mean(), abs=1e-12)


def test_scores_given_all_are_those_of_evaluate(result):
    scores = evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, "NRG(prior=others)@5").aggregates[0]
    assert_allclose(result.given_all, scores)
    assert result.summary.startswith("NRG(prior=others)@5 of 5 systems; given all others the most")


def test_an_identical_run_adds_least_and_is_a_neighbour():
    twin = {**CAMPAIGN.runs, "twin": dict(CAMPAIGN.runs["family2-a"])}
    result = residual_gain_matrix(twin, CAMPAIGN.qrels)
    one, other = (result.systems.index(name) for name in ("family2-a", "twin"))
    least = np.nanmin(result.given[one])
    assert result.given[one, other] == result.given[other, one] == least
    order = result.order.tolist()
    assert sorted(order) == list(range(6))
    assert abs(order.index(one) - order.index(other)) == 1


def test_the_order_starts_with_what_adds_more(result):
    gain = result.given_all[result.order]
    assert gain[:2].mean() >= gain[-2:].mean()


def test_two_systems_have_an_order_and_a_table():
    runs = {"a": {"q": {"X": 1.0}}, "b": {"q": {"A": 1.0}}}
    result = residual_gain_matrix(runs, {"q": {"A": 1}}, "UniqueRel(prior=others)@1")
    assert result.order.tolist() == [1, 0]
    table = result.to_columns()
    assert list(zip(table["system"], table["given"], table["score"], strict=True)) == [
        ("a", "b", 0.0), ("b", "a", 1.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("runs", "measure", "words"),
    [
        (CAMPAIGN.runs, "nDCG@10", "`measure` must have prior=others.*; got nDCG@10"),
        (CAMPAIGN.runs, "P_Rareness(systems=others)@5", "`measure` must have prior=others"),
        (CAMPAIGN.runs, "NRG(prior=others,select=earlier)@5", "prior=others and select='all'"),
        ({"a": CAMPAIGN.runs["family1-a"]}, "UniqueRel(prior=others)@5", "at least two runs"),
    ],
)
def test_other_measures_and_a_single_run_are_refused(runs, measure, words):
    with pytest.raises(InputError, match=words):
        residual_gain_matrix(runs, CAMPAIGN.qrels, measure)
