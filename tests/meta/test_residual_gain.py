"""What each system adds to each other system."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import RunSet, evaluate, simulate_campaign
from irx_measures.meta import ResidualGainMatrix, residual_gain_matrix

CAMPAIGN = simulate_campaign(systems=5, queries=6, depth=40)
MEASURE = "NRG(prior=others)@5"


@pytest.fixture(scope="module")
def result():
    return residual_gain_matrix(CAMPAIGN.qrels, CAMPAIGN.runs, MEASURE)


def test_scores_are_those_with_one_prior_and_with_all(result):
    assert np.isnan(result.given.diagonal()).all()
    for pair in permutations(CAMPAIGN.runs, 2):
        runs = RunSet({name: CAMPAIGN.runs[name] for name in pair}, name="others")
        expected = evaluate(CAMPAIGN.qrels, runs, MEASURE).scores[0, 0].mean()
        row, column = map(result.systems.index, pair)
        assert result.given[row, column] == pytest.approx(expected, abs=1e-12)
    given_all = evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, MEASURE).aggregates[0]
    assert_allclose(result.given_all, given_all)
    assert result.summary.startswith("NRG(prior=others)@5 of 5 systems. Given all others, these")


def test_an_identical_run_adds_least_and_is_a_neighbour(result):
    twin = {**CAMPAIGN.runs, "twin": dict(CAMPAIGN.runs["dense-a"])}
    with_twin = residual_gain_matrix(CAMPAIGN.qrels, twin)
    one, other = (with_twin.systems.index(name) for name in ("dense-a", "twin"))
    least = np.nanmin(with_twin.given[one])
    assert with_twin.given[one, other] == with_twin.given[other, one] == least
    order = with_twin.order.tolist()
    assert sorted(order) == list(range(6))
    assert abs(order.index(one) - order.index(other)) == 1
    gain = result.given_all[result.order]  # what adds more comes first
    assert gain[:2].mean() >= gain[-2:].mean()


def test_two_systems_have_an_order_and_a_table():
    runs = {"a": {"q": {"X": 1.0}}, "b": {"q": {"A": 1.0}}}
    result = residual_gain_matrix({"q": {"A": 1, "X": 0}}, runs, "UniqueRel(prior=others)@1")
    assert result.order.tolist() == [1, 0]
    table = result.to_columns()
    assert list(zip(table["system"], table["given"], table["score"], strict=True)) == [
        ("a", "b", 0.0), ("b", "a", 1.0),
    ]  # fmt: skip


def matrix_of(given, given_all=(0.3, 0.2, 0.1)):
    given = np.array(given, float)
    np.fill_diagonal(given, np.nan)
    names = tuple("abcdefghijklmnopqrstuvw"[: len(given)])
    return ResidualGainMatrix(names, "NRG@5", given, np.array(given_all))


GIVEN = [[0, 0.4, 0.5], [0.3, 0, 0.6], [0.5, 0.6, 0]]


@pytest.mark.parametrize(
    ("given_all", "said"),
    [
        ((0.3, 0.2, 0.1), "these add most: a (0.300), b (0.200), c (0.100)."),
        ((0.2, 0.2 + 1e-15, 0.0), "these add most: a (0.200), b (0.200)."),
        ((0.0, 0.0, 0.0), "no system adds anything."),
        ((np.nan, 0.2, 0.1), "these add most: b (0.200), c (0.100)."),
    ],
)
def test_the_sentence_says_which_systems_add_most(given_all, said):
    assert matrix_of(GIVEN, given_all).sentence() == f"Given all others, {said}"
