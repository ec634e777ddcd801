"""What each system adds to each other system."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import InputError, RunSet, evaluate, simulate_campaign
from irx_measures.meta import ResidualGainMatrix, residual_gain_matrix

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
    twin = {**CAMPAIGN.runs, "twin": dict(CAMPAIGN.runs["dense-a"])}
    result = residual_gain_matrix(twin, CAMPAIGN.qrels)
    one, other = (result.systems.index(name) for name in ("dense-a", "twin"))
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
    result = residual_gain_matrix(runs, {"q": {"A": 1, "X": 0}}, "UniqueRel(prior=others)@1")
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
        ({"a": CAMPAIGN.runs["lexical-a"]}, "UniqueRel(prior=others)@5", "at least two runs"),
    ],
)
def test_other_measures_and_a_single_run_are_refused(runs, measure, words):
    with pytest.raises(InputError, match=words):
        residual_gain_matrix(runs, CAMPAIGN.qrels, measure)


def matrix_of(given, given_all=(0.3, 0.2, 0.1), alone=(0.8, 0.8, 0.8)):
    given = np.array(given, float)
    np.fill_diagonal(given, np.nan)
    names = tuple("abcdefgh"[: len(given)])
    return ResidualGainMatrix(names, "NRG@5", given, np.array(given_all), np.array(alone))


GIVEN = [[0, 0.4, 0.5], [0.3, 0, 0.6], [0.5, 0.6, 0]]


@pytest.mark.parametrize(
    ("given_all", "said"),
    [
        ((0.3, 0.2, 0.1), "a (0.300) adds most, then b (0.200), then c (0.100)."),
        ((0.2, 0.2, 0.1), "a and b (0.200 each) add most, then c (0.100)."),
        ((0.3, 0.2, 0.2), "a (0.300) adds most, then b and c (0.200 each)."),
        ((0.2, 0.2, 0.2), "a, b and c (0.200 each) add most."),
        ((0.2, 0.2 + 1e-15, 0.0), "a and b (0.200 each) add most."),
        ((0.3, 0.0, 0.0), "a (0.300) adds most."),
        ((0.0, 0.0, 0.0), "no system adds anything."),
        ((np.nan, 0.2, 0.1), "b (0.200) adds most, then c (0.100)."),
    ],
)
def test_the_sentence_says_which_systems_add_most(given_all, said):
    assert matrix_of(GIVEN, given_all).sentence().startswith(f"Given all others, {said}")


def test_many_systems_that_add_as_much_are_counted():
    found = matrix_of(np.full((5, 5), 0.1), (0.3, 0.2, 0.2, 0.2, 0.1), np.full(5, 0.8))
    assert found.sentence().startswith(
        "Given all others, a (0.300) adds most, then 3 systems (0.200 each). "
        "10 pairs are equally alike, such as a and b: "
    )


@pytest.mark.parametrize(
    ("given", "alone", "pairs", "said"),
    [
        (GIVEN, (0.8, 0.8, 0.8), [(0, 1)], "a and b: given the second, the first keeps 0.400 of"),
        (np.transpose(GIVEN), (0.8, 0.8, 0.8), [(1, 0)], "The two most alike are b and a: given"),
        (GIVEN, (0.8, 0.4, 8.0), [(0, 2)], "a and c: given the second, the first keeps 0.500 of"),
        (GIVEN, (0.0, 0.8, 0.8), [(1, 2)], "The two most alike are b and c"),
        (GIVEN, (0.0, 0.0, 0.8), [], None),
        (np.full((3, 3), 0.5), (0.8,) * 3, [(0, 1), (0, 2), (1, 2)], "3 pairs are equally alike"),
        (np.full((3, 3), np.nan), (0.8,) * 3, [], None),
    ],
)
def test_the_most_alike_have_no_score_of_0_and_are_one_pair_or_counted(given, alone, pairs, said):
    found = matrix_of(given, alone=alone)
    assert found.most_alike == pairs
    assert said in found.sentence() if said else "alike" not in found.sentence()


def test_of_two_systems_nobody_asks_which_are_most_alike():
    found = matrix_of([[0, 0.1], [0.2, 0]], (0.1, 0.2), (0.5, 0.5))
    assert found.sentence() == "Given all others, b (0.200) adds most, then a (0.100)."


def test_copies_are_the_most_alike():
    twin = {**CAMPAIGN.runs, "twin": dict(CAMPAIGN.runs["dense-a"])}
    found = residual_gain_matrix(twin, CAMPAIGN.qrels)
    ((one, other),) = found.most_alike
    assert {found.systems[one], found.systems[other]} == {"dense-a", "twin"}


@pytest.mark.parametrize(
    ("measure", "alone", "factor"),
    [("NRG(base=P", "P@5", 1), ("UniqueRel(rel=1", "P@5", 5), ("TaSC(base=RR", "RR@5", 1)],
)
def test_the_values_alone_are_those_without_priors(measure, alone, factor):
    found = residual_gain_matrix(CAMPAIGN.runs, CAMPAIGN.qrels, f"{measure},prior=others)@5")
    scores = evaluate(CAMPAIGN.runs, CAMPAIGN.qrels, alone).aggregates[0]
    assert_allclose(found.alone, factor * scores, atol=1e-12)


@pytest.mark.parametrize(
    ("low", "high", "step"),
    [(0.1, 0.12, 0.01), (0.0, 1.0, 0.2), (0.3, 0.62, 0.05), (0.0, 9.0, 2.0), (0.0, 400.0, 100.0)],
)
def test_class_limits_are_round_and_hold_the_central_scores(low, high, step):
    side = np.linspace(low, high, 20 * 20).reshape(20, 20)
    found = matrix_of(side, np.zeros(20), np.ones(20))
    limits = found.limits
    assert_allclose(np.diff(limits), step)
    assert_allclose(limits / step, np.round(limits / step), atol=1e-9)
    inside = np.mean((side >= limits[0]) & (side < limits[-1]))
    assert inside > 0.6
    assert found.classes[0, 0] == -1
    expected = (side[1, 2] >= limits).sum()
    assert found.classes[1, 2] == expected


def test_undefined_scores_have_no_class():
    found = matrix_of(np.full((3, 3), np.nan))
    assert np.isnan(found.limits).all()
    assert (found.classes == -1).all()
