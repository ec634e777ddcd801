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
        (RISING, {}, "equal nDCG@10 on all 6 topics; not significant (p = 1.000)."),
        (np.array(RISING) - 0.3, {}, "; significant (p <.001). Higher on 6 topics, low"),
        (
            RISING[::-1],
            {},
            "; not significant (p = 1.000). Higher on 3 topics, lower on 3, ",
        ),
        (
            [*RISING[:5], 0.4],
            {},
            "; not significant (p = 0.363). Higher on 1 topic, lower on 0, ",
        ),
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
        ({"correction": "bh"}, " after correction over 3 comparisons"),
    ],
)
def test_the_sentence_names_the_family_of_the_decision(options, family):
    rng = np.random.default_rng(0)
    scores = [rng.random(9), rng.random(9), rng.random(9) + 3.0]
    result = compared(scores, **options)
    same, other = result.difference("s0", "s1"), result.difference("s2", "s1")
    p = "adjusted p" if family else "p"
    assert same.verdict().startswith(f"not significant{family} ({p} = 0.")
    assert other.verdict().startswith(f"significant{family} ({p} ")


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.048, "significant (p = 0.048)"),
        (0.0005, "significant (p = 0.001)"),
        (0.0004, "significant (p <.001)"),
        (1.0, "not significant (p = 1.000)"),
    ],
)
def test_the_verdict_has_the_p_value_as_the_tables_do(p, said):
    found = compared([RISING, RISING[::-1]]).difference("s0", "s1")
    assert replace(found, p_adjusted=p, significant=p <= 0.05).verdict() == said


def test_topics_stand_by_falling_difference_and_noise_is_no_difference():
    found = compared([RISING, [0.9, 0.1, 0.8 - 1e-15, 0.9, 0.6, 0.5]]).difference("s0", "s1")
    assert found.by_topic[2] == 0
    assert found.order.tolist() == [1, 0, 2, 4, 5, 3]
    assert (found.wins, found.ties, found.losses) == (1, 4, 1)


def test_the_sentence_has_the_interval_of_the_table(matrix):
    for result, name in (
        (matrix.compare(), "simultaneous 95% interval"),
        (matrix.compare(correction="none"), "95% interval"),
    ):
        row = result.to_frame().iloc[0]
        found = result.difference(row["system"], row["baseline"])
        assert f"({name} {row['lower']:+.3f} to {row['upper']:+.3f}); " in found.sentence("AP")


def test_an_interval_that_contains_0_beside_a_significant_difference_is_explained(matrix):
    found = matrix.compare().difference("s0", "s1")
    holm = replace(found, lower=-0.01, upper=0.2, significant=True)
    assert holm.finding("AP").endswith("less strict than the interval, which contains 0.")
    for clear in (replace(holm, lower=0.01), replace(holm, significant=False)):
        assert clear.finding("AP").endswith("equal on 0.")


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
