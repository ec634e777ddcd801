"""The difference of two systems: equal to its row of the table, whichever way it is asked for."""

from dataclasses import replace

import ir_measures
import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import InputError, ScoreMatrix
from tests.plots.test_comparison import matrix_of

SYSTEMS = ("a", "b", "c")


@pytest.fixture(scope="module")
def matrix():
    return matrix_of(np.random.default_rng(0).beta(2, 2, (3, 12)))


@pytest.mark.parametrize(("system", "other"), [("s0", "s2"), ("s2", "s0")])
def test_a_difference_is_its_row_of_the_table(matrix, system, other):
    found = matrix.compare(baseline=other).difference(system)
    (row,) = matrix.compare(baseline=other).to_frame().query("system == @system").to_dict("records")
    among_all = matrix.compare().difference(system, other)
    for name in ("effect", "wins", "ties", "losses", "p"):
        assert getattr(found, name) == pytest.approx(row[name])
        assert getattr(among_all, name) == pytest.approx(row[name])
    assert (found.mean, found.lower, found.upper) == pytest.approx(
        (row["difference"], row["lower"], row["upper"])
    )
    assert found.p_adjusted == pytest.approx(row["p_adjusted"])
    assert found.significant == (row["p_adjusted"] <= 0.05)
    assert among_all.mean == pytest.approx(found.mean)
    assert among_all.upper - among_all.lower > found.upper - found.lower  # 3 hypotheses, not 2
    assert_allclose(found.by_topic.mean(), found.mean)


def test_only_compared_systems_have_a_difference(matrix):
    result = matrix.compare(baseline="s0")
    with pytest.raises(InputError, match=r"must be two systems that were compared on .*'s1' and"):
        result.difference("s1", "s2")
    with pytest.raises(InputError, match=r"`system` must name one of the 3 systems, .*got 'x'"):
        result.difference("x")
    with pytest.raises(InputError, match=r"`baseline` may be omitted only if .* it has 0"):
        matrix.compare().difference("s1")


def test_a_leaderboard_is_that_of_its_measure_where_a_baseline_lacks_another_measure():
    scores = np.random.default_rng(1).beta(2, 2, (2, 3, 12))
    scores[0, 0] = np.nan  # the baseline has no AP
    measures = (ir_measures.AP, ir_measures.nDCG @ 10)
    matrix = ScoreMatrix(measures, SYSTEMS, tuple(map(str, range(12))), scores)
    with pytest.warns(UserWarning, match="left out AP"):
        result = matrix.compare(baseline="a")
    board = result.board("nDCG@10")
    assert_allclose(board.mean, np.sort(scores[1].mean(axis=1))[::-1])
    assert sorted(board.systems) == list(SYSTEMS)


def compared(scores, **options):
    return matrix_of(np.array(scores, float)).compare(**options)


RISING = [0.9, 0.8, 0.8, 0.7, 0.6, 0.5]


@pytest.mark.parametrize(
    ("other", "options", "said"),
    [
        (RISING, {}, "equal nDCG@10 on all 6 topics; not significant."),
        (np.array(RISING) - 0.3, {}, "; significant (p at most 0.001). Higher on 6 topics, low"),
        (RISING[::-1], {}, "; not significant. Higher on 3 topics, lower on 3, equal on 0."),
        ([*RISING[:5], 0.4], {}, "; not significant. Higher on 1 topic, lower on 0, equal on 5."),
    ],
)
def test_the_sentence_of_a_pair(other, options, said):
    found = compared([RISING, other], **options).difference("s0", "s1")
    sentence = found.sentence("nDCG@10")
    assert sentence.startswith("s0 minus s1: ")
    assert said in sentence
    assert "no difference" not in sentence
    assert ("not significant" in sentence) == (not found.significant)


@pytest.mark.parametrize(
    ("options", "family"),
    [
        ({}, " after correction over 3 comparisons"),
        ({"baseline": "s1"}, " after correction over 2 comparisons"),
        ({"correction": "none"}, ""),
        ({"test": "tukey-blocks"}, " after correction over 3 comparisons"),
        ({"correction": "maxt"}, " after correction over 3 comparisons"),
    ],
)
def test_the_sentence_names_the_family_of_the_decision(options, family):
    rng = np.random.default_rng(0)
    scores = [rng.random(9), rng.random(9), rng.random(9) + 3.0]
    result = compared(scores, **options)
    same, other = result.difference("s0", "s1"), result.difference("s2", "s1")
    assert same.verdict() == f"not significant{family}"
    p = "adjusted p" if family else "p"
    assert other.verdict().startswith(f"significant{family} ({p} at most 0.0")


@pytest.mark.parametrize(
    ("p", "level", "said"),
    [
        (0.05, 0.95, "significant (p at most 0.05)"),
        (0.0500001, 0.95, "not significant"),
        (0.01, 0.95, "significant (p at most 0.01)"),
        (0.0009, 0.95, "significant (p at most 0.001)"),
        (0.1, 0.9, "significant (p at most 0.1)"),
        (0.004, 0.995, "significant (p at most 0.005)"),
    ],
)
def test_the_verdict_names_the_smallest_step_that_p_reaches(p, level, said):
    found = compared([RISING, RISING[::-1]], level=level).difference("s0", "s1")
    changed = replace(found, p_adjusted=p, significant=p <= round(1 - level, 12))
    assert changed.verdict() == said


def test_a_single_topic_has_a_difference_and_no_interval():
    found = compared([RISING, RISING[::-1]]).difference("s0", "s1")
    one = replace(found, by_topic=np.array([0.2]), mean=0.2, wins=1, ties=0, losses=0)
    assert np.isnan(one.alone).all()
    assert one.sentence("AP") == (
        "s0 minus s1: mean difference +0.200 in AP (one topic has no interval); not significant. "
        "Higher on 1 topic, lower on 0, equal on 0."
    )
    equal = replace(one, by_topic=np.array([0.0]), wins=0, ties=1)
    assert equal.finding("AP") == "equal AP on the only topic; not significant."


def test_topics_stand_by_falling_difference_and_noise_is_no_difference():
    found = compared([RISING, [0.9, 0.1, 0.8 - 1e-15, 0.9, 0.6, 0.5]]).difference("s0", "s1")
    assert found.by_topic[2] == 0
    assert found.order.tolist() == [1, 0, 2, 4, 5, 3]
    assert (found.wins, found.ties, found.losses) == (1, 4, 1)


def test_the_interval_is_that_of_the_pair_alone(matrix):
    all_pairs, alone = matrix.compare(), matrix.compare(correction="none")
    found, own = (result.difference("s0", "s1") for result in (all_pairs, alone))
    assert found.alone == pytest.approx((own.lower, own.upper))
    assert found.upper > found.alone.upper


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 0.0, [0]),
        (-0.16, 0.71, [0, 0.2, 0.4, 0.6]),
        (-0.3, 0.0, [-0.3, -0.2, -0.1, 0]),
        (0.01, 0.03, [0, 0.01, 0.02, 0.03]),
        (-0.25, 0.0, [-0.25, -0.2, -0.15, -0.1, -0.05, 0]),
        (-3.0, 12.0, [0, 5, 10]),
        (0.0, 700.0, [0, 200, 400, 600]),
    ],
)
def test_ticks_are_round_and_zero_is_among_them(low, high, ticks):
    found = compared([RISING, RISING[::-1]]).difference("s0", "s1")
    assert replace(found, by_topic=np.array([low, high])).ticks == pytest.approx(ticks)
