"""Plots of scores: they draw the values of the result, and nothing else."""

import ir_measures
import numpy as np
import pytest

from irx_measures import EvaluationWarning, ScoreMatrix, evaluate, simulate_campaign
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
    bars, marks = ax.collections
    boxes = [bar.get_extents() for bar in bars.get_paths()]
    heights = [box.height for box in boxes]
    assert heights == pytest.approx([0.8 / 3, 0.8] * 2)
    assert [box.y1 for box in boxes] == pytest.approx([0.4, 0.4, 1.4, 1.4])
    assert [box.x0 for box in boxes] == pytest.approx([0.1, 0.575] * 2)  # 0.6 by float noise
    scores = matrix[MEASURES[0]][1]
    assert np.asarray(marks.get_offsets()).tolist() == [[scores[1], 0], [scores[0], 1]]


def test_distributions_of_many_queries_are_one_collection_and_of_too_many_an_error():
    many = {f"q{number}": [0.5] for number in range(1000)}
    ax = score_distributions(many)
    assert len(ax.patches) == 0
    (bars,) = ax.collections
    assert len(bars.get_paths()) == 1000
    with pytest.raises(ValueError, match=r"`samples` must hold at most 1000 queries, .*; got 1001"):
        score_distributions({**many, "one more": [0.5]})


def scored(values, systems=("a", "b")):
    """Scores of two measures, (measures, systems, queries)."""
    scores = np.array(values, float)
    queries = [f"q{place}" for place in range(scores.shape[2])]
    measures = tuple(ir_measures.parse_measure(name) for name in ("P@1", "P@5"))
    return ScoreMatrix(measures, tuple(systems), tuple(queries), scores)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (scored(np.zeros((2, 2, 0))), "finite scores of 'a' by P@1, at least one; got none"),
        (scored(np.zeros((2, 0, 3)), ()), "must hold at least one system; got none"),
        (scored([[[0.5, np.inf]] * 2] * 2), "finite scores of 'a' by P@1, at least one; got inf"),
        (scored([[[np.nan] * 2] * 2] * 2), "finite scores of 'a' by P@1, at least one; got nan"),
    ],
)
def test_a_histogram_needs_finite_scores(matrix, words):
    with pytest.raises(ValueError, match=words):
        score_histogram(matrix, "P@1")


@pytest.mark.parametrize("undefined", [np.nan, np.inf])
def test_a_scatter_names_the_systems_that_it_leaves_out(undefined):
    values = [[[0.1], [0.2], [0.3]], [[0.4], [undefined], [0.6]]]
    with pytest.warns(EvaluationWarning, match="leaves out what is undefined: b$") as caught:
        ax = system_scatter(scored(values, "abc"), "P@1", "P@5", labelled="abc")
    assert caught[0].filename == __file__
    (points,) = ax.collections
    assert np.asarray(points.get_offsets()).tolist() == [[0.1, 0.4], [0.3, 0.6]]
    assert {text.get_text() for text in ax.texts} - {""} == {"a", "c"}


def test_a_scatter_of_no_defined_system_is_refused():
    with pytest.raises(ValueError, match="all that was to be drawn is undefined: a, b"):
        system_scatter(scored([[[np.nan]] * 2] * 2), "P@1", "P@5")
    with pytest.raises(ValueError, match="`matrix` must hold at least one result to draw"):
        system_scatter(scored(np.zeros((2, 0, 1)), ()), "P@1", "P@5")


def test_undefined_marks_are_left_out_and_named():
    marks = scored([[[0.5], [0.5]], [[np.nan], [0.5]]])
    with pytest.warns(EvaluationWarning, match="leaves out what is undefined: P@5$"):
        ax = score_distributions({"q0": [0.5]}, marks)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["P@1"]


def test_samples_above_1_by_rounding_are_drawn_at_1():
    ax = score_distributions({"q": [1.0 + 2**-52, 0.21]})
    drawn = [bar.get_extents().x0 for bar in ax.collections[0].get_paths()]
    assert drawn == pytest.approx([0.2, 0.975])


def test_actual_scores_are_marked_and_named_so(matrix):
    queries = matrix.query_ids[:2]
    samples = {query: [0.5] for query in queries}
    actual = matrix.select([MEASURES[0]])
    ax = score_distributions(samples, matrix, actual=actual)
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == [*MEASURES, f"actual {MEASURES[0]}"]
    drawn = np.asarray(ax.collections[3].get_offsets())
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


def test_every_point_of_a_front_has_a_label_and_there_is_a_point():
    with pytest.raises(ValueError, match="`front` must hold at least one result to draw; got none"):
        pareto_front(front([], []), [])
    with pytest.raises(ValueError, match=r"`labels` must have one label per point \(2\); got 1"):
        pareto_front(front([1, 2], [1, 2]), ["a"])
