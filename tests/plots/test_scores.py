"""Plots of scores: they draw the values of the result, and nothing else."""

from itertools import pairwise

import ir_measures
import numpy as np
import pytest
from matplotlib.colors import same_color
from matplotlib.text import Text

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
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["lexical", "dense"]
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


def test_distributions_have_intervals_per_query_sorted_by_median_and_a_mark_per_measure(matrix):
    first, second = matrix.query_ids[:2]
    wide = np.linspace(0.5, 1.0, 101)
    samples = {first: wide, second: np.full(9, 0.25)}
    ax = score_distributions(samples, matrix.select([MEASURES[0]]), system=matrix.systems[1])
    assert [label.get_text() for label in ax.get_xticklabels()] == [second, first]
    thin, thick, median, equal, marks = ax.collections
    for lines, ends in ((thin, (0.525, 0.975)), (thick, (0.625, 0.875))):
        (segment,) = lines.get_segments()
        assert segment.tolist() == [[1, pytest.approx(ends[0])], [1, pytest.approx(ends[1])]]
    assert thick.get_linewidth()[0] > thin.get_linewidth()[0]
    assert median.get_segments()[0][:, 1].tolist() == pytest.approx([0.75] * 2)
    (dash,) = equal.get_segments()
    assert dash[:, 1].tolist() == [0.25] * 2
    assert dash[:, 0].mean() == 0
    scores = matrix[MEASURES[0]][1]
    assert np.asarray(marks.get_offsets()).tolist() == [[0, scores[1]], [1, scores[0]]]
    said = ax.get_title(loc="left").replace("\n", " ")
    assert said.startswith(matrix.systems[1])
    assert "all samples are equal (1 of 2 queries)" in said


@pytest.mark.slow
def test_many_distributions_are_not_higher_than_few_and_too_many_are_an_error():
    rng = np.random.default_rng(0)
    many = {f"q{number}": rng.random(5) for number in range(1000)}
    ax = score_distributions(many, measure="nDCG@10")
    assert ax.get_ylabel() == "nDCG@10"
    assert (
        ax.figure.get_size_inches()[1] == score_distributions({"q": [0.5]}).figure.get_figheight()
    )
    assert len(ax.collections[0].get_segments()) == 1000
    ax.figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert len(boxes) > 20
    assert all(one.x1 <= other.x0 for one, other in pairwise(boxes))
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
    ax = score_distributions({"q": [1.0 + 2**-52, 1.0 + 2**-52, 0.21], "r": [1.0 + 2**-52]})
    assert ax.collections[1].get_segments()[0][1, 1] == 1.0
    assert ax.collections[3].get_segments()[0][1, 1] == 1.0


def test_actual_scores_are_marked_and_named_so(matrix):
    queries = matrix.query_ids[:2]
    samples = {query: [0.5] for query in queries}  # equal medians keep their order
    actual = matrix.select([MEASURES[0]])
    ax = score_distributions(samples, matrix, actual=actual)
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == [*MEASURES, f"actual {MEASURES[0]}"]
    drawn = np.asarray(ax.collections[-1].get_offsets())
    assert drawn[:, 1].tolist() == matrix[MEASURES[0]][0][:2].tolist()
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


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml")])
def test_save_writes_the_format_of_the_ending(matrix, tmp_path, ending, start):
    path = tmp_path / f"picture{ending}"
    save(system_scatter(matrix, *MEASURES), path)
    assert path.read_bytes().startswith(start)
    assert list(tmp_path.iterdir()) == [path]
    save(system_scatter(matrix, *MEASURES), str(path))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.slow
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


def named(ax):
    return {text.get_text() for text in ax.texts if text.get_text()}


def test_a_front_is_a_step_line_and_only_its_points_are_named():
    result = front([1, 2, 3, 4], [0.5, 0.7, 0.6, 0.9], list("abcd"))
    ax = pareto_front(result, measure="nDCG@10", cost="seconds per query")
    (steps,) = ax.get_lines()
    drawn = list(zip(steps.get_xdata(), steps.get_ydata(), strict=True))
    assert drawn[1:4] == [(1, 0.5), (2, 0.7), (4, 0.9)]
    assert (steps.get_drawstyle(), drawn[-1]) == ("steps-post", (ax.get_xlim()[1], 0.9))
    assert named(ax) == {"a", "b", "d"}
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("seconds per query", "nDCG@10")
    (dots,) = ax.collections
    filled = [not same_color(colour, "white") for colour in dots.get_facecolors()]
    assert filled == result.on_front.tolist()


@pytest.mark.slow
def test_names_of_a_front_cover_neither_its_line_nor_its_points():
    rng = np.random.default_rng(0)
    cost = rng.random(37)
    result = front(cost, cost**0.3 + rng.normal(0, 0.1, 37), [f"system {n}" for n in range(37)])
    ax = pareto_front(result)
    ax.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert 3 < len(boxes) <= len(result.order)
    (steps,) = ax.get_lines()
    across, up = (np.repeat(values, 2) for values in steps.get_data())
    corners = ax.transData.transform(np.column_stack([across[1:], up[:-1]]))
    line = np.concatenate([np.linspace(*ends, 200) for ends in pairwise(corners)])
    points = ax.transData.transform(np.column_stack([result.cost, result.score]))
    for box in boxes:
        assert not any(box.contains(*place) for place in [*line, *points])


@pytest.mark.slow
@pytest.mark.parametrize("systems", [37, 129])
def test_a_scatter_of_many_systems_names_the_extremes(systems):
    rng = np.random.default_rng(1)
    first = rng.random(systems)
    second = np.abs(first + rng.normal(0, 0.1, systems))
    names = [f"s{place}" for place in range(systems)]
    ax = system_scatter(scored(np.array([first, second])[..., np.newaxis], names), "P@1", "P@5")
    ranks = [np.argsort(np.argsort(-scores)) for scores in (first, second)]
    best = {names[int(np.argmax(scores))] for scores in (first, second)}
    move = dict(zip(names, (ranks[1] - ranks[0]).tolist(), strict=True))
    others = sorted(move[name] for name in set(names) - best)
    assert best < named(ax)
    assert sorted(move[name] for name in named(ax) - best) == others[:4] + others[-4:]
    assert (ax.get_xlim()[0], ax.get_ylim()[0]) == (0, 0)
    said = ax.get_title(loc="left").replace("\n", " ")
    assert f"Means of {systems} systems; Kendall's tau_b of the two rankings is 0." in said
    ax.figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in ax.texts if text.get_text()]
    points = ax.transData.transform(np.column_stack([first, second]))
    frame = ax.get_window_extent()
    for place, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:place])
        assert not any(box.contains(*point) for point in points)
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1


def test_the_axis_goes_below_0_only_where_scores_do():
    ax = system_scatter(scored([[[0.0], [0.4]], [[-0.2], [0.5]]]), "P@1", "P@5")
    assert ax.get_xlim()[0] == 0
    assert ax.get_ylim()[0] < -0.2


def test_groups_differ_in_colour_and_marker():
    names = [f"s{place}" for place in range(20)]
    values = np.random.default_rng(0).random((2, 20, 1))
    matrix = scored(values, names)
    grouped = ScoreMatrix(matrix.measures, matrix.systems, matrix.query_ids, values, tuple(names))
    ax = system_scatter(grouped, "P@1", "P@5")
    looks = {
        (tuple(dots.get_facecolors()[0]), dots.get_paths()[0].vertices.tobytes())
        for dots in ax.collections
    }
    assert len(looks) == 20
