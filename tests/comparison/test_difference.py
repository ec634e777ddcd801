"""The difference of two systems: equal to its row of the table, whichever way it is asked for."""

from dataclasses import replace

import ir_measures
import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import ScoreMatrix
from irx_measures.measures.naming.labels import short_labels
from tests.comparison.results import matrix_of

OF_ROW = ("difference", "lower", "upper", "effect", "p", "p_adjusted", "wins", "ties", "losses")

RISING = [0.9, 0.8, 0.8, 0.7, 0.6, 0.5]


@pytest.fixture(scope="module")
def matrix():
    return matrix_of(np.random.default_rng(0).beta(2, 2, (3, 12)))


@pytest.mark.parametrize(("system", "other"), [("s0", "s2"), ("s2", "s0")])
def test_a_difference_is_its_row_of_the_table(matrix, system, other):
    found = matrix.compare(baseline=other).difference(system)
    (row,) = matrix.compare(baseline=other).to_frame().query("system == @system").to_dict("records")
    among_all = matrix.compare().difference(system, other)
    row["significant"] = row["p_adjusted"] <= 0.05
    assert [getattr(found, name) for name in OF_ROW] == pytest.approx([row[n] for n in OF_ROW])
    for name in ("difference", "effect", "wins", "ties", "losses", "p"):
        assert getattr(among_all, name) == pytest.approx(row[name])
    assert among_all.upper - among_all.lower > found.upper - found.lower  # 3 hypotheses, not 2
    assert_allclose(found.by_topic.mean(), found.difference)


def test_a_leaderboard_is_that_of_its_measure_where_a_baseline_lacks_another_measure():
    scores = np.random.default_rng(1).beta(2, 2, (2, 3, 12))
    scores[0, 0] = np.nan  # the baseline has no AP
    measures = (ir_measures.AP, ir_measures.nDCG @ 10)
    matrix = ScoreMatrix(measures, ("a", "b", "c"), tuple(map(str, range(12))), scores)
    with pytest.warns(UserWarning, match="not tested: 'a' has no score on AP"):
        board = matrix.compare(baseline="a").board("nDCG@10")
    assert_allclose(board.mean, np.sort(scores[1].mean(axis=1))[::-1])
    assert sorted(board.systems) == ["a", "b", "c"]


def test_topics_stand_by_falling_difference_and_noise_is_no_difference():
    other = [0.9, 0.1, 0.8 - 1e-15, 0.9, 0.6, 0.5]
    found = matrix_of(np.array([RISING, other])).compare().difference("s0", "s1")
    assert found.by_topic[2] == 0
    assert found.order.tolist() == [1, 0, 2, 4, 5, 3]
    assert (found.wins, found.ties, found.losses) == (1, 4, 1)


@pytest.mark.parametrize(("system", "other"), [("s0", "s2"), ("s2", "s1")])
def test_the_frame_lists_the_topics_with_both_scores_by_falling_difference(matrix, system, other):
    found = matrix.compare().difference(system, other)
    frame = found.to_frame()
    assert list(frame) == ["query_id", system, other, "difference"]
    assert sorted(frame.query_id) == sorted(matrix.query_ids)
    assert frame.difference.is_monotonic_decreasing
    rows = [matrix.query_ids.index(query) for query in frame.query_id]
    for name in (system, other):
        assert (frame[name] == matrix.scores[0][matrix.systems.index(name)][rows]).all()
    assert_allclose(frame.difference, frame[system] - frame[other], atol=1e-15)
    some = [column.listed for column in found.columns([2, 0])]
    assert some[0] == [matrix.query_ids[2], matrix.query_ids[0]]


def test_the_frame_of_macro_means_lists_the_groups(matrix):
    groups = {query: "ab"[row % 2] for row, query in enumerate(matrix.query_ids)}
    frame = matrix.by(groups).compare(macro="queries").difference("s0", "s1").to_frame()
    assert list(frame) == ["group", "s0", "s1", "difference"]
    assert sorted(frame.group) == ["a", "b"]


@pytest.mark.parametrize(
    ("options", "interval", "family", "p"),
    [
        ({}, "simultaneous 95% interval", " after correction over 3 comparisons", "adjusted p"),
        ({"correction": "none", "level": 0.9}, "90% interval", "", "p"),
        ({"correction": "bh"}, None, " after correction over 3 comparisons", "adjusted p"),
    ],
)
def test_the_sentence_follows_from_the_row(matrix, options, interval, family, p):
    found = matrix.compare(**options).difference("s0", "s1")
    row = matrix.compare(**options).to_frame().iloc[0]
    ends = "" if interval is None else f" ({interval} {row.lower:+.3f} to {row.upper:+.3f})"
    unclear = replace(found, significant=False)
    assert unclear.sentence("AP") == (
        f"mean difference {row.difference:+.3f} in AP{ends}; not significant{family} "
        f"({p} = {row.p_adjusted:.3f}). Higher on {row.wins} topics, lower on {row.losses}, equal "
        "on 0."
    )
    clear = replace(found, significant=True, p_adjusted=0.0004, lower=0.01, upper=0.2)
    assert f"; significant{family} ({p} <.001)" in clear.sentence("AP")
    assert clear.sentence("AP").endswith("equal on 0.")
    contained = replace(clear, lower=-0.01)
    assert contained.sentence("AP").endswith("may find a difference whose interval contains 0.")
    same = replace(unclear, wins=0, losses=0).sentence("AP")
    assert same.startswith(f"equal AP on all 12 topics; not significant{family}")


def test_it_shows_itself_as_a_sentence(matrix):
    found = matrix.compare().difference("s0", "s1")
    (label,) = short_labels([matrix.measures[0]])
    assert repr(found) == f"Difference: s0 minus s1: {found.sentence(label)}"
