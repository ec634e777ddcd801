"""Of many systems, pages and pictures show the best ones, as they are among all."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import irx_measures
from irx_measures import EvaluationWarning
from irx_measures.cli.main import main
from irx_measures.comparison.compare import against
from irx_measures.comparison.excerpt import MOST_SHOWN, excerpt_of
from irx_measures.comparison.findings import may_be_best, pairs_differ
from irx_measures.plots import leaderboard, significance_pairs
from tests.comparison.results import score_matrix, without
from tests.doubts import NO_PRIOR
from tests.examples import examples
from tests.reporting.report.pages import campaign, written

ROWS = (
    "systems", "mean", "lower", "upper", "best", "order", "scores",
)  # fmt: skip

SQUARES = ("p_adjusted", "rejected", "steps")


@pytest.fixture
def four_shown(monkeypatch):
    monkeypatch.setattr("irx_measures.comparison.excerpt.MOST_SHOWN", 4)


@given(st.integers(3, 9), st.sets(st.integers(0, 8)), st.integers(0, 3), st.integers(0, 99))
@settings(max_examples=examples(25))
def test_rows_are_those_of_the_leaderboard_of_all(systems, kept, baselines, seed):
    matrix = score_matrix(systems, topics=8, seed=seed)
    result = matrix.compare(baseline=matrix.systems[:baselines] or None)
    whole = result.boards[1]
    chosen = {reference.name for reference in whole.references}
    chosen |= {matrix.systems[place] for place in kept if place < systems}
    board, rows = whole.only(chosen), [name in chosen for name in whole.systems]
    assert set(board.systems) == chosen
    for name in ROWS:
        assert_array_equal(getattr(board, name), np.asarray(getattr(whole, name))[rows])
    for name in SQUARES:
        assert_array_equal(getattr(board, name), getattr(whole, name)[rows][:, rows])
    for one, other in zip(board.references, whole.references, strict=True):
        assert (one.name, one.is_baseline) == (other.name, other.is_baseline)
        assert board.systems[one.place] == one.name
        for name in ("compared", "difference", "p_adjusted", "significant"):
            assert_array_equal(getattr(one, name), getattr(other, name)[rows])


def test_up_to_200_systems_are_shown_without_a_word():
    matrix = score_matrix(MOST_SHOWN, topics=3)
    excerpt = excerpt_of(matrix.compare())
    assert (excerpt.systems, excerpt.sentence) == (matrix.systems, "")


def test_of_more_systems_the_best_are_shown():
    matrix = score_matrix(MOST_SHOWN + 9, topics=3, measures=1)
    result = matrix.compare()
    excerpt = excerpt_of(result)
    best = set(result.leaderboard().system[:MOST_SHOWN])
    assert excerpt.systems == tuple(name for name in matrix.systems if name in best)
    assert excerpt.sentence.startswith("Shown: the best 200 of 209 systems by nDCG@10. Tests,")


def test_baselines_and_the_best_by_every_measure_are_shown(four_shown):
    matrix = without(score_matrix(9, seed=3), 0, 0)  # system0, the best, has AP only
    with pytest.warns(EvaluationWarning, match="no score on nDCG@10"):
        both = matrix.compare()
    by_both = excerpt_of(both)
    assert set(by_both.systems) == {"system0", *both.boards[0].systems[:4]}
    assert "by nDCG@10 and the best one by each other measure. Tests" in by_both.sentence
    with_baselines = excerpt_of(against(both, ["system8", "system1"]))
    assert set(with_baselines.systems) == {"system8", "system1", *both.boards[0].systems[:4]}
    assert "by nDCG@10 and every baseline. Tests" in with_baselines.sentence


@pytest.mark.parametrize("plot", [leaderboard, significance_pairs])
def test_pictures_show_the_excerpt_and_say_so(plot, four_shown):
    result = score_matrix(9, measures=1).compare()
    ax, board = plot(result), result.board()
    found = may_be_best(board) if plot is leaderboard else pairs_differ(board.tested)
    said = " ".join(ax.get_title(loc="left").split()).replace("\N{NO-BREAK SPACE}", " ")
    assert said.count(excerpt_of(result).sentence) == 1
    assert found in said
    names = [text.get_text() for text in (*ax.get_yticklabels(), *ax.texts)]
    assert [name for name in names if name.startswith("system")] == [
        name for name in board.systems if name in excerpt_of(result).systems
    ]


@NO_PRIOR
def test_the_report_shows_the_excerpt_and_counts_all_systems(tmp_path, monkeypatch):
    runs, qrels = campaign(systems=9)
    result = irx_measures.compare(runs, qrels, ["nDCG@10", "AP"], baseline="hybrid-c")
    whole = written(tmp_path / "all.html", runs, qrels, compared={"baseline": "hybrid-c"})
    monkeypatch.setattr("irx_measures.comparison.excerpt.MOST_SHOWN", 4)
    excerpt = excerpt_of(result)
    page = written(tmp_path / "some.html", runs, qrels, compared={"baseline": "hybrid-c"})
    assert page.count(excerpt.sentence) == 1
    assert "Shown: " not in whole
    for kept in (
        'class="lead m m1">(.*?)</p>', "<dd>(.*?)</dd>",
        "adds nothing. (.*?)</p>", '<section id="unjudged".*?<p>(.*?)</p>',
    ):  # fmt: skip
        found = re.findall(kept, page, re.DOTALL)
        assert found
        assert found == re.findall(kept, whole, re.DOTALL)
    for table in re.findall(r"<tbody role.*?</tbody>", page, re.DOTALL):
        assert set(re.findall(r'<th scope="row".*?title="(.*?)"', table)) == set(excerpt.systems)
    rows, drawn = _rows(whole), _rows(page)
    assert drawn == [row for row in rows if any(f'"{name}"' in row for name in excerpt.systems)]


def _rows(page):
    """The rows of leaderboards without pictures, which fit what is shown."""
    rows = re.findall(r"<tr role.*?</tr>", page, re.DOTALL)
    return [re.sub("<svg.*?</svg>", "", row, flags=re.DOTALL) for row in rows if "<td" in row]


@NO_PRIOR
def test_the_script_of_the_report_has_the_numbers_of_the_excerpt(tmp_path, four_shown):
    runs, qrels = campaign(systems=9)
    result = irx_measures.compare(runs, qrels, ["nDCG@10", "AP"])
    page = written(tmp_path / "some.html", runs, qrels, measures=["nDCG@10", "AP"])
    data = json.loads(
        re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1]
    )
    systems = list(excerpt_of(result).systems)
    assert data["systems"] == systems
    assert len(data["documents"]["top"]) == len(systems)
    for measure, board in zip(data["measures"], result.boards, strict=True):
        order = [name for name in board.systems if name in systems]
        assert [systems[place] for place in measure["order"]] == order
        places = [board.place[name] for name in order]
        rejected = board.steps[np.ix_(places, places)] > 0
        below = rejected[np.tril_indices(len(order), -1)].astype(int)
        assert measure["tests"]["of"]["rejected"] == "".join(map(str, below))
    assert [systems[place] for place in data["measures"][0]["pair"]] == list(
        result.boards[0].systems[:2]
    )


@pytest.mark.parametrize("command", ["report -o out.html", "compare --plot out.svg"])
def test_the_command_line_shows_the_excerpt(tmp_path, monkeypatch, four_shown, command):
    made = irx_measures.simulate_campaign(systems=6, queries=8, depth=30, seed=1)
    made.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    name, *options = command.split()
    runs = sorted(map(str, Path("runs").iterdir()))
    assert main([name, "qrels.txt", *runs, "-m", "nDCG@10", *options]) == 0
    text = " ".join(re.sub("<[^>]*>", " ", Path(options[-1]).read_text(encoding="utf-8")).split())
    sentence = excerpt_of(irx_measures.compare(made.runs, made.qrels, "nDCG@10")).sentence
    assert text.count(sentence) == 1
