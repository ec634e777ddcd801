"""Questions, their answers, and how many judgments are left."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import kendalltau

from irx_measures import RunSet
from irx_measures.judging.planning.questions import question_of, systems_of, tau_with_worlds
from irx_measures.judging.planning.records import JudgingState

NAMES = ("a", "b", "c", "d")


@pytest.fixture
def means():
    rng = np.random.default_rng(2)
    return np.array([0.5, 0.48, 0.3, 0.2])[:, np.newaxis] + rng.normal(0, 0.05, (4, 500))


def test_tau_equals_scipys(means):
    mean = means.mean(axis=1)
    expected = [kendalltau(mean, means[:, world])[0] for world in range(500)]
    assert_allclose(tau_with_worlds(mean, means), expected)


def test_systems_that_are_always_tied_agree():
    mean = np.array([0.3, 0.2, 0.2])
    in_worlds = np.array([[0.3, 0.1, 0.3], [0.2, 0.2, 0.1], [0.2, 0.2, 0.2]])
    assert_allclose(tau_with_worlds(mean, in_worlds), [1, -1 / 3, 2 / 3])


def test_means_that_differ_by_float_noise_only_are_tied():
    """Means of P@k: .1 + .2 and .3 are the same share."""
    mean = np.array([0.1 + 0.2, 0.3, 0.2])
    in_worlds = np.array([[0.3, 0.6 - 0.3, 0.4], [0.3, 0.3, 0.3], [0.2, 0.2, 0.2]])
    assert_allclose(tau_with_worlds(mean, in_worlds), [1, 1, 2 / 3])
    assert_allclose(tau_with_worlds(100 * mean, 100 * in_worlds), [1, 1, 2 / 3])
    question = question_of("ranking", "P@5", 3)
    assert question.answer(NAMES[:3], mean) == "a = b > c"
    assert question_of("best", "P@5", 3).answer(NAMES[:3], mean[[1, 0, 2]]) == "a"


def test_the_ranking_holds_where_tau_is_high(means):
    question, mean = question_of("ranking", "P@5", 4), means.mean(axis=1)
    assert question.probability(means) == (tau_with_worlds(mean, means) > 0.9).mean()
    assert question.answer(NAMES, np.array([0.1, 0.4, 0.2, 0.2])) == "b > c = d > a"
    assert question.holds(mean, np.array([4.0, 3.0, 2.0, 1.0]))
    assert not question.holds(mean, np.array([3.0, 4.0, 2.0, 1.0]))


def best(tolerance):
    return question_of("best", "P@5", 4, tolerance)


def test_the_best_system_holds_where_none_is_better_by_more_than_the_tolerance(means):
    mean = means.mean(axis=1)
    for tolerance in (0.0, 0.03):
        loss = means.max(axis=0) - means[0]
        assert best(tolerance).probability(means) == pytest.approx((loss <= tolerance).mean())
    assert best(0).answer(NAMES, mean) == "a"
    assert best(0.01).holds(mean, np.array([0.50, 0.505, 0.3, 0.2]))
    assert not best(0.0).holds(mean, np.array([0.50, 0.505, 0.3, 0.2]))
    assert best(0.0).probability(np.full((3, 10), 0.4)) == 1.0, "equal systems are both the best"


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
@pytest.mark.parametrize("asked", ["ranking", "best", ("a", "b")])
def test_of_two_systems_every_question_is_which_one_is_better_and_ties_count_half(asked, order):
    means = np.array([[0.5, 0.6, 0.4, 0.4], [0.4, 0.4, 0.4, 0.5]])[order]
    names, question = np.array(["a", "b"])[order], question_of(asked, "P@5", 2)
    assert question.probability(means) == (1 + 1 + 0.5 + 0) / 4
    assert question.answer(names, means.mean(axis=1)) == "a"
    for true, holds in (([0.2, 0.1], True), ([0.1, 0.2], False), ([0.1, 0.1], True)):
        assert question.holds(means.mean(axis=1), np.array(true)[order]) == holds


def test_a_question_about_two_systems_is_about_no_others():
    runs = RunSet({name: {"q": {"d": 1.0}} for name in NAMES})
    assert systems_of(("c", "a"), runs).names == ("c", "a")
    assert systems_of("best", runs).names == NAMES


def test_a_tolerance_goes_with_the_best_system():
    claims = [question_of("best", f"{of}@5", 3, given).claim for of, given in
              (("P", 0.05), ("P", None), ("RBP", None), ("RBP", 0))]  # fmt: skip
    usual = "no system is better than it"
    assert claims == [f"{usual} by more than 0.05", f"{usual} by more than 0.01", usual, usual]


@pytest.mark.parametrize(
    ("probability", "claimed", "judged", "end"),
    [
        (0.71, False, 212, "0.71"),
        (0.96, False, 212, "0.96; too early to stop"),
        (0.96, True, 212, "0.96; enough"),
        (0.71, False, 2257, "0.71; enough"),
    ],
)
def test_progress_in_one_line(probability, claimed, judged, end):
    about = "best", "no system is better", "a", probability, 0.95, judged, 2257, 4, claimed
    state = JudgingState(*about)
    assert state.summary.startswith(f"{judged} of 2257 judged (")
    assert state.summary.endswith(f"P(no system is better) {end}")
    assert state.settled == end.endswith("enough")
