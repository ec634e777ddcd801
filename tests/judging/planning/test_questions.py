"""Questions, their answers, and how many judgments are left."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import kendalltau

from irx_measures import InputError
from irx_measures.judging.planning.questions import (
    Best,
    Pair,
    Ranking,
    question_of,
    tau_with_worlds,
)
from irx_measures.judging.planning.state import JudgingState, remaining

NAMES = ("a", "b", "c", "d")


@pytest.fixture
def means():
    rng = np.random.default_rng(2)
    return np.array([0.5, 0.48, 0.3, 0.2])[:, np.newaxis] + rng.normal(0, 0.05, (4, 500))


def test_tau_equals_scipys(means):
    mean = means.mean(axis=1)
    expected = [kendalltau(mean, means[:, world])[0] for world in range(500)]
    assert_allclose(tau_with_worlds(mean, means), expected)


def test_the_ranking_holds_where_tau_is_high(means):
    tau = tau_with_worlds(means.mean(axis=1), means)
    assert Ranking().probability(means) == (tau > 0.9).mean()
    assert Ranking(tau=0.5).probability(means) == (tau >= 0.5).mean()
    assert Ranking().answer(NAMES, means) == "a > b > c > d"
    assert Ranking().holds(means, np.array([4.0, 3.0, 2.0, 1.0]))
    assert not Ranking().holds(means, np.array([3.0, 4.0, 2.0, 1.0]))


def test_the_best_system_holds_where_none_is_better_by_more_than_the_tolerance(means):
    for tolerance in (0.0, 0.03):
        loss = means.max(axis=0) - means[0]
        assert Best(tolerance).probability(means) == pytest.approx((loss <= tolerance).mean())
    assert Best(0).answer(NAMES, means) == "a"
    assert Best(0.01).holds(means, np.array([0.50, 0.505, 0.3, 0.2]))
    assert not Best(0.0).holds(means, np.array([0.50, 0.505, 0.3, 0.2]))


def test_equal_systems_are_both_the_best():
    assert Best(0.0).probability(np.full((3, 10), 0.4)) == 1.0


@pytest.mark.parametrize("pair", [(0, 1), (1, 0)])
def test_of_two_systems_ties_count_half(pair):
    means = np.array([[0.5, 0.6, 0.4, 0.4], [0.4, 0.4, 0.4, 0.5], [0, 0, 0, 0], [1, 1, 1, 1]])
    assert Pair(*pair).probability(means) == (1 + 1 + 0.5 + 0) / 4
    assert Pair(*pair).answer(NAMES, means) == "a"
    assert Pair(*pair).holds(means, np.array([0.2, 0.1, 0, 0]))
    assert not Pair(*pair).holds(means, np.array([0.1, 0.2, 0, 0]))


def test_only_documents_that_can_change_the_answer_disagree():
    weight = np.array([[1.0, 0.5, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.5]])
    assert (Ranking().disagreement(weight) > 0).tolist() == [False, True, True]
    assert Pair(0, 1).disagreement(weight).tolist() == [0, 0.25, 0]


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("worst", "'ranking', 'best', or the names of two systems; got 'worst'"),
        (("a", "z"), "must name two of the systems; got 'z'"),
        (("a", "a"), "the names of two systems; got"),
        (("a", "b", "c"), "the names of two systems; got"),
    ],
)
def test_other_questions_are_refused(asked, text):
    with pytest.raises(InputError, match=text):
        question_of(asked, NAMES)


def test_a_tolerance_goes_with_the_best_system():
    assert question_of("best", NAMES, 0.05) == Best(0.05)
    with pytest.raises(InputError, match="`tolerance` goes with question='best'"):
        question_of("ranking", NAMES, 0.05)


def test_the_number_of_judgments_to_go_is_extrapolated():
    chances = [1 / (1 + np.exp(-logit)) for logit in (-1.0, 0.0, 1.0)]
    # The logit of .95 is 2.94: 1.94 steps of 100 judgments.
    assert remaining([100, 200, 300], chances, 0.95, 495) == 195
    assert remaining([100, 200, 300], chances, 0.95, 494) is None
    assert remaining([100, 200], chances[:2], 0.95, 495) is None
    assert remaining([100, 200, 300], chances[::-1], 0.95, 495) is None


def test_progress_in_one_line():
    state = JudgingState("best", "no system is better", "a", 0.71, 0.95, 212, 2257, 4, 400)
    assert state.summary == "212 of 2257 judged (9%); P(no system is better) 0.71; about 400 to go"
    assert not state.settled
    done = JudgingState("best", "no system is better", "a", 0.96, 0.95, 900, 2257, 9, None)
    assert done.settled
    assert done.summary.endswith("0.96; enough")
