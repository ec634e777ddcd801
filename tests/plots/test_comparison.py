"""Plots of comparisons: they draw the values of the result."""

import ir_measures
import numpy as np
import pytest
from matplotlib import colors
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from irx_measures import InputError, ScoreMatrix
from irx_measures.plots import leaderboard, save, significance_pairs, topic_differences
from irx_measures.plots.style import ABOVE, BELOW, NOT_SIGNIFICANT, P_RAMP, thinned


def matrix_of(scores, names=None):
    """A ScoreMatrix of nDCG@10 from (systems, topics) scores."""
    systems, topics = np.shape(scores)
    names = names or [f"s{number}" for number in range(systems)]
    topic_ids = tuple(f"t{number}" for number in range(topics))
    return ScoreMatrix((ir_measures.nDCG @ 10,), tuple(names), topic_ids, np.array([scores]))


def scores_of(systems, topics=40, seed=0):
    """Scores of systems that get better, on topics of different difficulty."""
    rng = np.random.default_rng(seed)
    quality = rng.permutation(np.linspace(0.3, 0.6, systems))[:, np.newaxis]
    return np.clip(
        quality + rng.normal(0, 0.1, topics) + rng.normal(0, 0.1, (systems, topics)), 0, 1
    )


@pytest.fixture(scope="module")
def result():
    return matrix_of(scores_of(9)).compare(baseline="s4")


def names(labels):
    return [label.get_text() for label in labels]


def inside(ax):
    """Whether all texts of the figure are inside it."""
    figure = ax.figure
    figure.draw_without_rendering()
    box, tight = figure.bbox, figure.get_tightbbox().transformed(figure.dpi_scale_trans)
    return tight.x0 >= -1 and tight.y0 >= -1 and tight.x1 <= box.x1 + 1 and tight.y1 <= box.y1 + 1


def test_leaderboard_shows_means_intervals_and_ranks(tmp_path):
    result = matrix_of(scores_of(9)).compare()
    ax, board = leaderboard(result), result.board()
    lines, dots = ax.collections
    ends = np.array(lines.get_segments())
    assert_allclose(ends[:, :, 0], np.column_stack([board.lower, board.upper]))
    assert_allclose(dots.get_offsets(), np.column_stack([board.mean, np.arange(9)]))
    filled = [colors.same_color(colour, ABOVE) for colour in dots.get_facecolors()]
    assert filled == board.best.tolist()
    assert 0 < sum(filled) < 9
    assert names(ax.get_yticklabels()) == list(board.systems)
    (ranks,) = ax.child_axes
    expected = [str(a) if a == b else f"{a}–{b}" for a, b in zip(*board.ranks, strict=True)]
    assert names(ranks.get_yticklabels()) == expected
    assert ax.get_xlabel() == "nDCG@10, mean and 95% interval"
    assert inside(ax)
    save(ax, tmp_path / "board.png")
    assert (tmp_path / "board.png").stat().st_size > 5000


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_with_a_baseline_it_shows_the_differences_to_it(result, correction):
    result = result.matrix.compare(baseline="s4", correction=correction)
    ax, frame = leaderboard(result), result.to_frame().set_index("system")
    frame = frame.sort_values("difference", ascending=False)
    lines, dots = ax.collections
    assert_allclose(dots.get_offsets(), np.column_stack([frame.difference, np.arange(8)]))
    if correction == "holm":
        ends = np.array(lines.get_segments())
        assert_allclose(ends[:, :, 0], frame[["lower", "upper"]])
    filled = [colors.same_color(colour, ABOVE) for colour in dots.get_facecolors()]
    assert filled == (frame.p_adjusted <= 0.05).tolist()
    assert names(ax.get_yticklabels()) == list(frame.index)
    (right,) = ax.child_axes
    shown = ["<.001" if p < 0.0005 else f"{p:.3f}" for p in frame.p_adjusted]
    assert names(right.get_yticklabels()) == shown
    assert ax.get_xlabel().startswith("nDCG@10 minus that of s4")
    assert ("interval" in ax.get_xlabel()) == (correction == "holm")
    assert f"{result.findings[0]}." in ax.get_title(loc="left").replace("\n", " ")


def test_each_of_several_baselines_has_its_rows():
    result = matrix_of(scores_of(4)).compare(baseline=["s1", "s3"])
    order, expected = result.board().systems, []
    for base in ("s1", "s3"):
        expected += [f"minus {base}", *(name for name in order if name != base)]
    assert names(leaderboard(result).get_yticklabels()) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"correction": "none"},
            "paired t test, no correction for 36 comparisons, confidence level 95%",
        ),
        ({"correction": "bh", "level": 0.9}, "Benjamini-Hochberg over 36 comparisons, confid"),
    ],
)
def test_pictures_name_the_measure_and_the_test(options, words):
    result = matrix_of(scores_of(9)).compare(**options)
    texts = [
        leaderboard(result),
        significance_pairs(result),
        topic_differences(result, "s1", "s2"),
    ]
    for ax in texts:
        said = ax.get_title(loc="left").replace("\n", " ")
        assert words in said
        assert "nDCG@10" in said + ax.get_xlabel() + ax.get_ylabel()


def test_a_pair_has_the_colour_of_its_adjusted_p():
    result = matrix_of(scores_of(9)).compare()
    ax, (tested,) = significance_pairs(result), result.tested
    order = result.board().systems
    (cells,) = ax.collections
    shown = np.ma.filled(cells.get_array().astype(float), np.nan)
    assert np.isnan(shown[np.triu_indices(9)]).all()
    reached = []
    for first, second, p in zip(*tested.pairs, tested.p_adjusted, strict=True):
        row, column = (order.index(tested.systems[place]) for place in (first, second))
        steps = sum(p <= step for step in (0.05, 0.01, 0.001))
        assert shown[max(row, column), min(row, column)] == steps
        reached.append(steps)
    assert set(reached) == {0, 1, 2, 3}
    ramp = [colors.to_hex(cells.to_rgba(step)) for step in range(4)]
    assert ramp == [NOT_SIGNIFICANT, *P_RAMP]
    assert names(ax.texts) == list(order)
    assert f"{np.count_nonzero(tested.rejected)} of 36 pairs of systems differ" in ax.get_title(
        loc="left"
    )
    keys = names(ax.get_legend().get_texts())
    assert keys == ["above 0.05", "at most 0.05", "at most 0.01", "at most 0.001"]


@pytest.mark.slow
@pytest.mark.parametrize("plot", [leaderboard, significance_pairs])
@pytest.mark.parametrize("systems", [2, 37, 129])
def test_names_do_not_overlap_and_none_leaves_the_picture(plot, systems):
    long = [f"a system with a long name, {number}" for number in range(systems)]
    ax = plot(matrix_of(scores_of(systems, 12), long).compare())
    assert inside(ax)
    texts = ax.get_yticklabels() if plot is leaderboard else ax.texts
    assert len(texts) >= min(systems, 37)
    boxes = [text.get_window_extent() for text in texts]
    heights = sorted((box.y0 + box.y1) / 2 for box in boxes)
    size = texts[0].get_fontsize() * ax.figure.dpi / 72
    assert np.diff(heights).min() >= 0.95 * size


def test_names_are_thinned_around_those_that_are_always_written():
    assert thinned(5, 10.0) == [0, 1, 2, 3, 4]
    assert thinned(7, 3.0) == [0, 3, 6]
    assert thinned(7, 3.0, [4]) == [0, 4]


def test_topic_differences_are_sorted_bars(result):
    ax = topic_differences(result, "s1")
    (bars, *_) = ax.collections
    scores = result.matrix["nDCG@10"]
    expected = np.sort(scores[1] - scores[4])[::-1]
    assert_allclose([path.vertices[1, 1] for path in bars.get_paths()], expected)
    above = [colors.same_color(colour, ABOVE) for colour in bars.get_facecolors()]
    assert above == (expected > 0).tolist()
    assert all(colors.same_color(c, BELOW) for c in bars.get_facecolors()[~np.array(above)])
    assert 0 < sum(above) < 40
    low, high = ax.get_ylim()
    assert low < expected.min() < expected.max() < high
    order = np.argsort(-(scores[1] - scores[4]))
    assert names(ax.get_xticklabels()) == [f"t{topic}" for topic in order]


def test_topic_differences_say_what_the_test_found(result):
    ax = topic_differences(result, "s1")
    found = result.difference("s1")
    said = ax.get_title(loc="left").replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ")
    assert said.startswith(f"s1 minus s4: {found.sentence('nDCG@10')}")
    assert f"Higher on {found.wins} topics, lower on {found.losses}, equal on 0." in said
    assert "Holm over 8 comparisons" in said
    assert said.lower().count("adjusted p") == 1
    assert ("not significant after correction over 8 comparisons" in said) == (
        not found.significant
    )
    _, mean = ax.get_lines()
    assert mean.get_ydata()[0] == pytest.approx(found.difference)
    (band,) = ax.patches
    assert (band.get_y(), band.get_y() + band.get_height()) == pytest.approx(
        (found.lower, found.upper)
    )
    assert ax.get_yticks().tolist() == found.ticks
    assert ax.get_ylabel() == "difference in nDCG@10"


def test_many_topics_are_not_named():
    ax = topic_differences(matrix_of(scores_of(2, 300)).compare(), "s0", "s1")
    assert ax.get_xlabel() == "300 topics, by falling difference"
    assert not names(ax.get_xticklabels())
    assert len(ax.collections[0].get_paths()) == 300


def test_systems_that_were_not_compared_are_an_error(result):
    with pytest.raises(InputError, match="must be two systems that were compared"):
        topic_differences(result, "s1", "s2")
    with pytest.raises(InputError, match="without a baseline; got one with s4"):
        significance_pairs(result)
    with pytest.raises(InputError, match="`measure` must be one of nDCG@10; got AP"):
        leaderboard(result, "AP")


@pytest.mark.slow
def test_dollars_in_names_are_written(tmp_path):
    result = matrix_of(scores_of(3), ["$a$", "$b", "c_1^"]).compare(baseline="$a$")
    every = significance_pairs(result.matrix.compare())
    for ax in (leaderboard(result), every, topic_differences(result, "$b")):
        save(ax, tmp_path / "it.svg")


@pytest.mark.parametrize("plot", [leaderboard, significance_pairs])
def test_given_axes_are_drawn_on_and_keep_their_style(plot):
    result = matrix_of(scores_of(9)).compare()
    given = Figure(figsize=(6, 6)).add_subplot()
    size = given.xaxis.label.get_fontsize()
    assert plot(result, ax=given) is given
    assert given.xaxis.label.get_fontsize() == size
