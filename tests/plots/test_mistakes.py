"""What plots refuse, and what they leave out with a warning."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from irx_measures import EvaluationWarning, InputError, ScoreMatrix, meta, plots
from irx_measures.meta.residual_gain import ResidualGainMatrix
from tests.plots.scenes import collections_of, impact, in_groups, looks, matrix_of, systems

M = matrix_of(systems(4))
GROUPS = {query: "long" if query < "q2" else "short" for query in M.query_ids}
MACRO = collections_of(M).compare(macro="queries", baseline="s3")
TIED = np.full((4, 6), 0.5)

COMPARISON = "must be a Comparison, which irx_measures.compare gives"

KINDS = [
    (plots.leaderboard, COMPARISON),
    (partial(plots.forest, system="s0"), COMPARISON),
    (plots.significance_pairs, COMPARISON),
    (plots.residual_gain_matrix, "a ResidualGainMatrix, which meta.residual_gain_matrix gives"),
    (plots.unjudged_by_rank, "an UnjudgedByRank, which meta.unjudged_by_rank gives"),
    (plots.judge_calibration, r"an Agreement, which judging.audit_judges\(...\)\[judge\] gives"),
    (plots.pareto_front, "a ParetoFront, which meta.pareto_front gives"),
    *((plot, "`results` must be a dict of the results to draw") for plot in (
        plots.asl_curves, plots.correlation_curves, plots.impact_curves, plots.stability_curves,
        plots.swap_curves,
    )),
    (plots.judging_progress, "must hold the results to draw"),
    (plots.score_distributions, "`samples` must be a dict of the results to draw"),
    (lambda given: plots.asl_curves({"x": given}), r"`results\['x'\]` must be a Discriminative.*"),
    (lambda given: plots.impact_curves({"x": given}), r"`results\['x'\]` must be a SystemImp.*"),
    (lambda given: plots.stability_curves({"x": given}), r"`results\['x'\]` must be a Stability.*"),
    (lambda given: plots.swap_curves({"x": given}), r"`results\['x'\]` must be a SwapCurve.*"),
    (lambda given: plots.correlation_curves({"x": given}), r"`results\['x'\]` must be a dict.*"),
    (
        lambda given: plots.correlation_curves({"x": {0.5: given}}),
        r"`results\['x'\]\[0.5\]` must be a RankCorrelation, which meta.rank_correlation gives",
    ),
    (
        lambda given: plots.judging_progress([*looks(), given]),
        r"`history\[\d+\]` must be a JudgingState, which JudgingPlan.history gives",
    ),
    (lambda given: plots.save(given, "it.png"), "`ax` must be Axes of matplotlib"),
    (lambda given: plots.leaderboard(M.compare(), "AP", given), "`ax` must be Axes of matplotlib"),
]  # fmt: skip


@pytest.mark.parametrize(("plot", "words"), KINDS)
def test_scores_in_place_of_a_result_are_refused(plot, words):
    with pytest.raises(TypeError, match=f"{words}; got ScoreMatrix"):
        plot(M)


OF_SCORES = {
    "matrix of a histogram": lambda given: plots.score_histogram(given, "AP"),
    "matrix of a scatter": lambda given: plots.system_scatter(given, "AP", "nDCG@10"),
    "marks": lambda given: plots.score_distributions({"q0": [0.5]}, given),
    "actual": lambda given: plots.score_distributions({"q0": [0.5]}, actual=given),
}
NO_SCORES = ["x", {}, {"a": M}, [M], pd.DataFrame({"AP": [0.5]}), M.compare(), M.by(GROUPS), 3]


@pytest.mark.parametrize("given", NO_SCORES, ids=lambda given: type(given).__name__)
@pytest.mark.parametrize("plot", OF_SCORES)
def test_other_things_in_place_of_scores_are_refused(plot, given):
    name = plot.partition(" ")[0]
    with pytest.raises(TypeError, match=f"`{name}` must be a ScoreMatrix, which irx_measures.eval"):
        OF_SCORES[plot](given)


def scored(values, names=("a", "b")):
    """Scores of two measures, (measures, systems, queries)."""
    scores = np.array(values, float)
    queries = tuple(f"q{place}" for place in range(scores.shape[2]))
    return ScoreMatrix(M.measures, tuple(names), queries, scores)


def undefined():
    nothing = np.full((3, 3), np.nan)
    return ResidualGainMatrix(tuple("abc"), "NRG@5", nothing, nothing[0])


MISTAKES = [
    (lambda: plots.leaderboard(M.compare(), "RR"), "`measure` must be one of nDCG@10, AP; got RR"),
    (lambda: plots.leaderboard(M.compare(), "AP", top=1), "`top` must be .* at least 2; got 1"),
    (lambda: plots.significance_pairs(M.compare(baseline="s1")), "a baseline; got one with s1"),
    (
        lambda: plots.topic_differences(M.compare(baseline="s3"), "s1", "s2", "AP"),
        "must be two systems that were compared",
    ),
    (lambda: plots.forest(M.compare(), "s1", "s2", "AP"), "must compare macro means, as Grouped"),
    (lambda: plots.forest(in_groups(M), "s1", "s2", "AP"), "must compare macro means, as Grouped"),
    (lambda: plots.forest(MACRO, "s1", "s2", "AP"), "must be two systems that were compared"),
    (lambda: plots.forest(MACRO, "s9", "s3", "AP"), "`system` must name one of the 4 systems"),
    (lambda: plots.score_histogram(M, "AP", "nobody"), "`system` must be one of .*; got 'nobody'"),
    (lambda: plots.score_histogram(scored(np.zeros((2, 2, 0))), "AP"), "at least one; got none"),
    (lambda: plots.score_histogram(scored(np.zeros((2, 0, 3)), ()), "AP"), "`matrix` must hold"),
    (lambda: plots.score_histogram(scored([[[0.5, np.inf]] * 2] * 2), "AP"), "one; got inf"),
    (lambda: plots.score_distributions({}), "`samples` must hold at least one"),
    (lambda: plots.score_distributions({"q": []}), r"must lie in \[0, 1\], at least one; got"),
    (lambda: plots.score_distributions({"q": M}), "`samples` must hold numbers; got others for 'q"),
    (lambda: plots.score_distributions({"q": [-0.5]}), r"must lie in \[0, 1\], at least one; got"),
    (lambda: plots.score_distributions({"x": [0.5]}, M), r"`marks` must score .*; missing \['x'\]"),
    (lambda: plots.score_distributions({"x": [0.5]}, actual=M), "`actual` must score every query"),
    (lambda: plots.system_scatter(scored(np.zeros((2, 0, 1)), ()), "AP", "nDCG@10"), "`matrix`"),
    (
        lambda: plots.system_scatter(scored([[[np.nan]] * 2] * 2), "AP", "nDCG@10"),
        "all that was to be drawn is undefined: a, b",
    ),
    (lambda: plots.system_scatter(M, "AP", "map"), "must name two measures; got AP and map"),
    (lambda: plots.pareto_front(meta.pareto_front([], [])), "`front` must hold at least one"),
    (lambda: plots.residual_gain_matrix(undefined()), "`result` must hold at least one result"),
    *(
        (lambda width=width: plots.score_histogram(M, "AP", width=width), r"must lie in \[2, 40\]")
        for width in (0, 1.9, 41, np.nan)
    ),
    (lambda: plots.judging_progress([]), "`history` must hold at least one result to draw"),
    (lambda: plots.judging_progress(looks(), Axes(Figure(), (0, 0, 1, 1)), width=3), "`width`"),
    *((lambda plot=plot: plot({}), "`results` must hold at least one result to draw") for plot in (
        plots.asl_curves, plots.correlation_curves, plots.impact_curves, plots.stability_curves,
        plots.swap_curves,
    )),
    (lambda: plots.correlation_curves({"P": {}}), r"`results\['P'\]` must hold at least one"),
]  # fmt: skip


@pytest.mark.parametrize(("draw", "words"), MISTAKES)
def test_what_cannot_be_drawn_is_refused(draw, words):
    with pytest.raises(InputError, match=words):
        draw()


def test_axes_that_left_their_figure_are_refused():
    ax = Figure().add_subplot()
    ax.remove()
    for use in (lambda: plots.save(ax, "it.png"), lambda: plots.leaderboard(M.compare(), "AP", ax)):
        with pytest.raises(InputError, match="`ax` must belong to a figure"):
            use()


@pytest.mark.parametrize(
    ("plot", "study", "named"),
    [
        (plots.swap_curves, lambda scores: meta.split_swap_rate(scores, trials=5), "tied"),
        (
            plots.impact_curves,
            lambda scores: impact(scores, sizes=[2, 4]),
            "tied at 2, tied at 4",
        ),
        (
            plots.correlation_curves,
            lambda scores: {0.5: meta.rank_correlation(scores, scores, samples=5)},
            "tied at 0.5",
        ),
    ],
)
def test_undefined_results_are_left_out_and_named(plot, study, named):
    good, tied = study(M["AP"]), study(TIED)
    with pytest.warns(EvaluationWarning, match=f"leaves out what is undefined: {named}$"):
        assert plot({"good": good, "tied": tied}).get_lines()
    with pytest.raises(InputError, match=f"all that was to be drawn is undefined: {named}"):
        plot({"tied": tied})


@pytest.mark.slow
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_scatter_names_the_systems_that_it_leaves_out(value):
    values = [[[0.4], [value], [0.6]], [[0.1], [0.2], [0.3]]]
    with pytest.warns(EvaluationWarning, match="leaves out what is undefined: b$") as caught:
        ax = plots.system_scatter(scored(values, "abc"), "AP", "nDCG@10")
    assert caught[0].filename == __file__
    assert np.asarray(ax.collections[0].get_offsets()).tolist() == [[0.1, 0.4], [0.3, 0.6]]


@pytest.mark.slow
def test_undefined_marks_are_left_out_and_named():
    marks = scored([[[np.nan], [0.5]], [[0.5], [0.5]]])
    with pytest.warns(EvaluationWarning, match=r"leaves out what is undefined: nDCG@10$"):
        ax = plots.score_distributions({"q0": [0.5]}, marks)
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["AP"]


@pytest.mark.slow
def test_a_system_without_a_score_in_a_group_has_no_row_there():
    scores = M.scores.copy()
    scores[0, 1, 0] = np.nan
    with pytest.warns(match="not compared: 's1'"):
        ax = plots.leaderboard(in_groups(ScoreMatrix(M.measures, M.systems, M.query_ids, scores)),
                               "nDCG@10")  # fmt: skip
    assert len(ax.get_yticklabels()) == (1 + 3) + (1 + 4)
