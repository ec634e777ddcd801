"""The difference of two systems: equal to its row of the table, whichever way it is asked for."""

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
