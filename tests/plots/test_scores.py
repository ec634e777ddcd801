"""Plots of scores: they draw the values of the result, and nothing else."""

import numpy as np
import pytest

from irx_measures import evaluate, simulate_campaign
from irx_measures.meta import pareto_front as front
from irx_measures.plots import (
    pareto_front,
    save,
    score_distributions,
    score_histogram,
    system_scatter,
)
from tests.doubts import MISSED_QUERIES

pytestmark = [MISSED_QUERIES]

MEASURES = ["P@5", "UniqueRel(prior=others)@5"]


@pytest.fixture(scope="module")
def matrix():
    campaign = simulate_campaign(systems=5, queries=3, depth=20)
    return evaluate(campaign.runs, campaign.qrels, MEASURES, campaign.groups)


def test_scatter_has_a_point_per_system_and_a_marker_per_group(matrix):
    ax = system_scatter(matrix, *MEASURES)
    points = np.concatenate([np.asarray(marker.get_offsets()) for marker in ax.collections])
    assert len(ax.collections) == len(set(matrix.groups)) == 2
    assert points == pytest.approx(matrix.means().to_numpy())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["family1", "family2"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == tuple(MEASURES)


def test_histogram_counts_every_query_of_a_system_once():
    qrels = {"q1": {"A": 3, "B": 0}, "q2": {"A": 1}, "q3": {"B": 0}}
    runs = {"a": {"q1": {"B": 1.0}}, "b": {"q1": {"A": 1.0}, "q2": {"A": 1.0}}}
    measure = "UpperBound(candidates=run)@5"
    ax = score_histogram(evaluate(runs, qrels, measure), measure, system="b")
    bars = [(bar.get_x(), bar.get_x() + bar.get_width(), bar.get_height()) for bar in ax.patches]
    assert sum(height for *_, height in bars) == 3
    assert [bars[0][0], bars[-1][1]] == pytest.approx([0, 7])
    assert [bars[0][2], bars[-1][2]] == [1, 1]
    (mean,) = ax.get_lines()
    assert mean.get_xdata()[0] == pytest.approx(8 / 3)


def test_histogram_refuses_an_unknown_system(matrix):
    with pytest.raises(ValueError, match=r"`system` must be one of .*; got 'nobody'"):
        score_histogram(matrix, MEASURES[0], system="nobody")


def test_distributions_have_a_row_per_query_and_a_mark_per_measure(matrix):
    queries = matrix.query_ids[:2]
    samples = {query: np.repeat([0.1, 0.6], [1, 3]) for query in reversed(queries)}
    ax = score_distributions(samples, matrix.select([MEASURES[0]]), system=matrix.systems[1])
    assert [label.get_text() for label in ax.get_yticklabels()] == list(reversed(queries))
    heights = [-bar.get_height() for bar in ax.patches if bar.get_height()]
    assert sorted(heights) == pytest.approx(sorted([0.8, 0.8 / 3] * 2))
    (marks,) = ax.collections
    scores = matrix[MEASURES[0]][1]
    assert np.asarray(marks.get_offsets()).tolist() == [[scores[1], 0], [scores[0], 1]]


def test_samples_above_1_by_rounding_are_drawn_at_1():
    ax = score_distributions({"q": [1.0 + 2**-52, 0.21]})
    drawn = [bar.get_x() for bar in ax.patches if bar.get_height()]
    assert drawn == pytest.approx([0.2, 0.975])


def test_actual_scores_are_marked_and_named_so(matrix):
    queries = matrix.query_ids[:2]
    samples = {query: [0.5] for query in queries}
    actual = matrix.select([MEASURES[0]])
    ax = score_distributions(samples, matrix, actual=actual)
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == [*MEASURES, f"actual {MEASURES[0]}"]
    drawn = np.asarray(ax.collections[2].get_offsets())
    assert drawn[:, 0].tolist() == matrix[MEASURES[0]][0][:2].tolist()
    with pytest.raises(ValueError, match=r"`actual` must score every query .*; missing \['x'\]"):
        score_distributions({"x": [0.5]}, actual=actual)


@pytest.mark.parametrize(
    ("samples", "system", "words"),
    [
        ({}, None, "`samples` must hold at least one query"),
        ({"nowhere": [0.5]}, None, r"`marks` must score every query .*; missing \['nowhere'\]"),
        ({"nowhere": [0.5]}, "nobody", "`system` must be one of"),
    ],
)
def test_distributions_refuse_what_does_not_fit(matrix, samples, system, words):
    with pytest.raises(ValueError, match=words):
        score_distributions(samples, matrix, system)


@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_save_writes_the_format_of_the_ending(matrix, tmp_path, ending, start):
    path = tmp_path / f"picture{ending}"
    save(system_scatter(matrix, *MEASURES), path)
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]
    save(system_scatter(matrix, *MEASURES), str(path))
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_nothing_behind(matrix, tmp_path):
    with pytest.raises(ValueError, match="xyz"):
        save(system_scatter(matrix, *MEASURES), tmp_path / "picture.xyz")
    assert list(tmp_path.iterdir()) == []


def test_names_are_written_as_they_are(matrix, tmp_path):
    names = [r"$\frac{$", "a$b$c", "a_b", "100%", "~"]
    runs = {name: {"q": {"A": 1.0 + place}} for place, name in enumerate(names)}
    scores = evaluate(runs, {"q": {"A": 1}}, MEASURES, {name: name for name in names})
    ax = system_scatter(scores, *MEASURES, labelled=names)
    save(ax, str(tmp_path / "it.svg"))
    written = {text.get_text().replace(r"\$", "$") for text in ax.get_legend().get_texts()}
    assert written == set(names)


@pytest.mark.parametrize("samples", [[], [np.nan], [5.0], [-0.5, 0.5]])
def test_samples_that_no_axis_shows_are_refused(samples):
    with pytest.raises(ValueError, match=r"`samples` must lie in \[0, 1\], at least one; got"):
        score_distributions({"q": samples})


def test_every_point_of_a_front_has_a_label():
    with pytest.raises(ValueError, match=r"`labels` must have one label per point \(2\); got 1"):
        pareto_front(front([1, 2], [1, 2]), ["a"])
