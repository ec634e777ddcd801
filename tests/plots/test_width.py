"""Pictures of a given width: what they show fits them, and their captions are kept."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from numpy.testing import assert_allclose

from irx_measures import InputError, ScoreMatrix, meta, parse_measure, plots
from irx_measures.plots.canvas import SAVED_DPI
from tests.plots.test_comparison import matrix_of, names, scores_of
from tests.plots.test_hostile_names import added, correlated, holes, power

LONG = [f"a system with a long name, {number}" for number in range(12)]


def tables():
    return matrix_of(scores_of(12), LONG)


def front(values, **options):
    cost = np.geomspace(1, 1000, 12)
    found = meta.pareto_front(cost, values[0].mean(axis=1), LONG)
    return plots.pareto_front(found, measure="nDCG@10", **options)


def both(matrix):
    """The scores as those of two measures, as `test_hostile_names` correlates them."""
    return {"AP": matrix.scores[0], "nDCG@10": matrix.scores[0][::-1]}


PLOTS = {
    "leaderboard": lambda m, **k: plots.leaderboard(m.compare(baseline=LONG[3]), **k),
    "pairs": lambda m, **k: plots.significance_pairs(m.compare(), **k),
    "topics": lambda m, **k: plots.topic_differences(m.compare(), *LONG[:2], **k),
    "front": lambda m, **k: front(m.scores, **k),
    "histogram": lambda m, **k: plots.score_histogram(m, "nDCG@10", **k),
    "distributions": lambda m, **k: plots.score_distributions(
        {query: [0.2, 0.6] for query in m.query_ids}, m, **k
    ),
    "asl": lambda m, **k: plots.asl_curves(dict.fromkeys(LONG[:3], power(OfOneMeasure(m))), **k),
    "heat map": lambda m, **k: plots.significance_heatmap(power(OfOneMeasure(m)), **k),
    "bars": lambda m, **k: plots.correlation_bars({LONG[0]: correlated(both(m))}, **k),
    "curves": lambda m, **k: plots.correlation_curves({LONG[0]: {1.0: correlated(both(m))}}, **k),
    "residual gain": lambda m, **k: plots.residual_gain_matrix(added(Given(m)), **k),
    "unjudged": lambda m, **k: plots.unjudged_by_rank(holes(m), **k),
}


class OfOneMeasure:
    """The scores under the name that `power` takes."""

    def __init__(self, matrix):
        self.systems, self.scores = matrix.systems, matrix.scores[0]

    def __getitem__(self, measure):
        return self.scores


class Given(OfOneMeasure):
    """Scores of each system, given each other: one per topic is enough."""

    def __getitem__(self, measure):
        return self.scores[:, : len(self.systems)]


@pytest.mark.slow
@pytest.mark.parametrize("plot", PLOTS)
def test_a_picture_fits_its_width_and_a_narrow_one_leaves_its_caption_to_the_paper(plot):
    narrow, wide = (PLOTS[plot](tables(), width=width) for width in (3.3, 7.0))
    for ax, width in [(narrow, 3.3), (wide, 7.0)]:
        assert ax.figure.get_figwidth() == width
        assert_inside(ax.figure)
    assert narrow.get_title(loc="left") == ""
    assert narrow.irx_caption
    said = " ".join(wide.get_title(loc="left").replace(r"\$", "$").split())
    assert said == " ".join(wide.irx_caption.split())


@pytest.mark.slow
@pytest.mark.parametrize(("plot", "width"), [("topics", 7.0), ("asl", 3.3), ("residual gain", 3.3)])
def test_texts_are_inside_a_saved_figure_of_the_caller(plot, width):
    figure = Figure(figsize=(width, 0.75 * width), layout="constrained")
    PLOTS[plot](tables(), ax=figure.add_subplot())
    figure.set_dpi(SAVED_DPI)  # as in a file, where letters are wider than on the screen
    assert_inside(figure)


def assert_inside(figure):
    """All texts of a figure are inside it."""
    figure.draw_without_rendering()
    inside = figure.get_tightbbox().transformed(figure.dpi_scale_trans)
    assert inside.x0 >= -1
    assert inside.y0 >= -1
    assert inside.x1 <= figure.bbox.x1 + 1
    assert inside.y1 <= figure.bbox.y1 + 1


def test_names_without_room_are_counted_in_the_caption():
    many = [f"system {place}" for place in range(40)]
    ax = Figure(figsize=(3.3, 2.5), layout="constrained").add_subplot()
    plots.residual_gain_matrix(added(Given(matrix_of(scores_of(40, 40), many))), ax)
    ax.figure.draw_without_rendering()
    named = [text for text in ax.get_yticklabels() if text.get_text()]
    assert f"There is room for the names of {len(named)} of 40 systems." in ax.irx_caption
    boxes = [text.get_window_extent() for text in named]
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))


@pytest.mark.parametrize("plot", ["heat map", "residual gain", "unjudged"])
def test_a_matrix_or_strip_of_the_first_systems_says_so(plot):
    ax = PLOTS[plot](tables(), top=5)
    assert len(ax.get_yticklabels()) == 5
    assert "Shown: the best 5 of 12 systems by" in ax.irx_caption
    with pytest.raises(InputError, match="`top` must be a whole number of at least 2; got 1"):
        PLOTS[plot](tables(), top=1)


@pytest.mark.parametrize("width", [0, 1.9, 41, float("nan")])
def test_widths_that_no_picture_has_are_refused(width):
    with pytest.raises(InputError, match=r"`width` must lie in \[2, 40\]; got"):
        PLOTS["histogram"](tables(), width=width)


def test_given_axes_have_a_width():
    with pytest.raises(InputError, match="`width` must be None if `ax` is given"):
        PLOTS["histogram"](tables(), width=3.3, ax=Figure().add_subplot())


def test_narrow_panels_of_a_figure_have_no_caption_above_and_no_frame():
    panels = Figure(figsize=(7, 3), layout="constrained").subplots(1, 2)
    for ax in panels:
        PLOTS["histogram"](tables(), ax=ax)
        assert ax.get_title(loc="left") == ""
        assert ax.irx_caption.startswith("a system")
        assert not ax.spines["top"].get_visible()
        assert not ax.spines["right"].get_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "seed"), [(3.3, 0), (7.0, 2)])
def test_a_name_of_the_front_is_nearer_to_its_point_than_to_any_other(width, seed):
    rng = np.random.default_rng(seed)
    cost = np.exp(rng.normal(2, 1.2, 37))
    systems = [f"system {place}" for place in range(37)]
    found = meta.pareto_front(cost, cost**0.1 + rng.normal(0, 0.1, 37), systems)
    ax = plots.pareto_front(found, width=width)
    ax.figure.draw_without_rendering()
    points = ax.transData.transform(np.column_stack([found.cost, found.score]))
    labels = [text for text in ax.texts if text.get_text()]
    assert labels
    for text in labels:
        own = systems.index(text.get_text())
        assert text.xy == (found.cost[own], found.score[own])
        box = Text.get_window_extent(text)
        beyond = np.maximum([box.x0, box.y0] - points, points - [box.x1, box.y1])
        apart = np.hypot(*np.maximum(beyond, 0).T)
        assert apart[own] <= apart.min() + 1


def test_costs_of_all_sizes_have_a_logarithmic_axis():
    def scale(cost):
        return plots.pareto_front(meta.pareto_front(cost, [1, 2, 3], list("abc"))).get_xscale()

    assert scale([1, 5, 30]) == "log"
    assert scale([1, 5, 29]) == scale([0, 5, 3000]) == "linear"


def test_the_axis_of_curves_ends_where_they_enter_and_where_all_have_come_down():
    result = power(OfOneMeasure(matrix_of(scores_of(12, 40))))
    curve = result.asl_curve
    ax = plots.asl_curves({"AP": result}, up_to=curve[9])
    left, right = ax.get_xlim()
    above, seen = np.count_nonzero(curve > curve[9]), np.count_nonzero(curve > 0.02 * curve[9])
    assert above - 0.1 * (seen - above) < left < above
    assert seen < right <= len(curve)
    assert "Left of the axis, every level is above" in ax.irx_caption


@pytest.mark.parametrize("plot", [plots.leaderboard, plots.significance_pairs])
def test_top_shows_the_best_systems_and_says_so(plot):
    result = tables().compare()
    ax = plot(result, top=5)
    shown = [text.get_text() for text in (*ax.get_yticklabels(), *ax.texts)]
    assert [name for name in shown if name in LONG] == list(result.board().systems[:5])
    assert "the best 5 of 12 systems by nDCG@10" in ax.irx_caption
    assert "Shown:" not in plot(result, top=12).irx_caption
    with pytest.raises(InputError, match="`top` must be a whole number of at least 2; got 1"):
        plot(result, top=1)


def test_the_best_systems_of_a_scatter_are_drawn_and_all_are_counted():
    matrix = matrix_of(scores_of(12), LONG)
    both = ScoreMatrix(
        (*matrix.measures, parse_measure("AP")), matrix.systems, matrix.query_ids,
        np.concatenate([matrix.scores, 1 - matrix.scores]),
    )  # fmt: skip
    ax = plots.system_scatter(both, "nDCG@10", "AP", top=3)
    means = matrix.scores[0].mean(axis=1)
    shown = np.sort(ax.collections[0].get_offsets()[:, 0])
    assert_allclose(shown, np.sort([means.min(), *np.sort(means)[-3:]]))
    assert "Means of 12 systems" in ax.irx_caption
    said = "Shown: the best 3 of 12 systems by nDCG@10 and the best by AP."
    assert ax.irx_caption.endswith(said)
    with pytest.raises(InputError, match="`top` must be a whole number of at least 2; got 1"):
        plots.system_scatter(both, "nDCG@10", "AP", top=1)


def test_a_narrow_caption_has_names_whole():
    found = meta.pareto_front([1.0, 2.0], [0.5, 0.6], [LONG[0], LONG[1]])
    caption = plots.pareto_front(found, width=2.0).irx_caption
    assert f"by rising cost {LONG[0]} and {LONG[1]}." in caption


def test_the_best_point_of_low_axes_is_named():
    cost = np.r_[1.0, np.tile(np.geomspace(1, 1000, 12), 4)]
    score = np.r_[0.77, np.repeat([0.76, 0.72, 0.6, 0.1], 12)]
    found = meta.pareto_front(cost, score, [f"system {place}" for place in range(len(cost))])
    ax = Figure(figsize=(3.3, 2.5), layout="constrained").add_subplot()
    assert "system 0" in names(plots.pareto_front(found, ax=ax).texts)


def test_the_key_of_pairs_covers_no_name():
    ax = plots.significance_pairs(tables().compare(), width=3.3)
    ax.figure.draw_without_rendering()
    key = ax.get_legend().get_window_extent()
    assert names(ax.get_legend().get_texts())[0] == "above 0.05"
    assert not any(key.overlaps(text.get_window_extent()) for text in ax.texts)
