"""Of many systems, pages and pictures show the best ones, as they are among all."""

import re
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import irx_measures
from irx_measures import EvaluationWarning
from irx_measures.comparison.board import steps_of
from irx_measures.comparison.shown import MOST_SHOWN, shown_systems
from tests.comparison.results import score_matrix, without
from tests.doubts import NO_PRIOR
from tests.examples import examples
from tests.reporting.report.pages import campaign, written

ROWS = ("systems", "mean", "lower", "upper", "best", "scores")


@given(st.integers(3, 9), st.sets(st.integers(0, 8)), st.integers(0, 3), st.integers(0, 99))
@settings(max_examples=examples(25))
def test_rows_are_those_of_the_leaderboard_of_all(systems, kept, baselines, seed):
    matrix = score_matrix(systems, topics=8, seed=seed)
    result = matrix.compare(baseline=matrix.systems[:baselines] or None)
    whole = result.boards[1]
    chosen = {*whole.references}
    chosen |= {*(matrix.systems[n] for n in kept if n < systems)}
    board, rows = whole.only(chosen), [name in chosen for name in whole.systems]
    assert set(board.systems) == chosen
    for name in ROWS:
        assert_array_equal(getattr(board, name), np.asarray(getattr(whole, name))[rows])
    for square in (attrgetter("p_adjusted"), steps_of):
        assert_array_equal(square(board), square(whole)[rows][:, rows])
    assert board.references == whole.references
    for name in whole.references:
        one, other = board.minus(name), whole.minus(name)
        for number in ("difference", "lower", "upper", "p_adjusted"):
            assert_array_equal(one[number], other[number][rows])


def test_of_more_than_200_systems_the_best_are_shown():
    assert shown_systems(score_matrix(MOST_SHOWN, topics=3).compare()).sentence == ""
    matrix = score_matrix(MOST_SHOWN + 9, topics=3, measures=1)
    result = matrix.compare()
    shown = shown_systems(result)
    best = set(result.leaderboard().system[:MOST_SHOWN])
    assert shown.systems == tuple(name for name in matrix.systems if name in best)
    assert shown.sentence.startswith("Shown: the best 200 of 209 systems by nDCG@10. Tests,")


def test_baselines_and_the_best_by_every_measure_are_shown(monkeypatch):
    monkeypatch.setattr("irx_measures.comparison.shown.MOST_SHOWN", 4)
    matrix = without(score_matrix(9, seed=3), 0, 0)  # system0, the best, has AP only
    with pytest.warns(EvaluationWarning, match="no score on nDCG@10"):
        both = matrix.compare()
    best = both.boards[0].systems[:4]
    assert set(shown_systems(both).systems) == {"system0", *best}
    assert "and the best one by each other measure or group. Tests" in shown_systems(both).sentence
    assert len(shown_systems(both, 2, "nDCG@10").systems) == 3
    with pytest.warns(EvaluationWarning, match="no score on"):
        with_baselines = shown_systems(both.matrix.compare(baseline=["system8", "system1"]))
    assert set(with_baselines.systems) == {"system8", "system1", *best}
    assert "by nDCG@10 and every baseline. Tests" in with_baselines.sentence


@NO_PRIOR
def test_the_report_shows_them_and_counts_all_systems(tmp_path, monkeypatch):
    qrels, runs = campaign(systems=9)
    result = irx_measures.compare(qrels, runs, ["nDCG@10", "AP"], baseline="hybrid-c")
    whole = written(tmp_path / "all.html", qrels, runs, baseline="hybrid-c")
    monkeypatch.setattr("irx_measures.comparison.shown.MOST_SHOWN", 4)
    shown = shown_systems(result)
    page = written(tmp_path / "some.html", qrels, runs, baseline="hybrid-c")
    assert page.count(shown.sentence) == 1
    assert "Shown: " not in whole
    for kept in ('class="lead m m1">(.*?)</p>', "<dd>(.*?)</dd>"):
        found = re.findall(kept, page, re.DOTALL)
        assert found == re.findall(kept, whole, re.DOTALL) != []
    for table in re.findall(r"<tbody role.*?</tbody>", page, re.DOTALL):
        assert set(re.findall(r'<th scope="row".*?title="(.*?)"', table)) == set(shown.systems)
