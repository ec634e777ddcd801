"""Plots of meta-evaluation: they draw the values of the result."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures import EvaluationWarning, InputError, evaluate, simulate_campaign
from irx_measures.meta import (
    discriminative_power,
    rank_correlation,
    split_swap_rate,
    stability,
    system_impact,
)
from irx_measures.plots import (
    asl_curves,
    correlation_bars,
    correlation_curves,
    impact_curves,
    save,
    score_distributions,
    significance_heatmap,
    stability_curves,
    swap_curves,
    system_scatter,
)
from irx_measures.plots.labels import label_points
from irx_measures.plots.style import new_axes

NAMES = [f"system {number}" for number in range(8)]


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(0)
    quality = rng.permutation(np.linspace(0.2, 0.7, 8))[:, np.newaxis]
    return quality + rng.normal(0, 0.15, (3, 8, 30))


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def written(tmp_path, ax):
    path = tmp_path / "picture.png"
    save(ax, path)
    return path.stat().st_size > 5000


def test_asl_curves_are_the_results(scores, tmp_path):
    results = {
        name: discriminative_power(table, test="t")
        for name, table in zip("abc", scores, strict=True)
    }
    ax = asl_curves(results)
    *curves, line = ax.get_lines()
    assert len(curves) == 3
    for curve, result in zip(curves, results.values(), strict=True):
        assert_array_equal(curve.get_ydata(), result.asl_curve)
        assert_array_equal(curve.get_xdata(), np.arange(1, 29))
    assert_allclose(line.get_ydata(), 0.05)
    assert legend(ax) == ["a", "b", "c"]
    assert written(tmp_path, ax)


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 14])
def test_asl_curves_are_told_apart_and_not_covered_by_their_names(scores, count):
    result = discriminative_power(scores[0], test="t")
    long = "NRG(prior=others,ideal=all,select=best-per-group)@10, tukey-randomised"
    ax = asl_curves({f"{long} {number}": result for number in range(count)})
    *curves, _ = ax.get_lines()
    assert len({(curve.get_color(), curve.get_linestyle()) for curve in curves}) == count
    assert names_fit_below(ax)


def names_fit_below(ax):
    """Whether the legend is inside the figure and below the x label."""
    ax.figure.draw_without_rendering()
    names, axes = ax.get_legend().get_window_extent(), ax.get_window_extent()
    figure = ax.figure.bbox
    assert figure.x0 <= names.x0 < names.x1 <= figure.x1
    assert figure.y0 <= names.y0
    assert axes.width > 0.7 * figure.width
    return names.y1 < ax.xaxis.label.get_window_extent().y0


@pytest.mark.parametrize("queries", [1, 40])
def test_marks_of_distributions_are_named_below(queries):
    campaign = simulate_campaign(systems=3, queries=queries, depth=30)
    measures = ["nDCG@10", "nDCG(judged_only=True)@10", "nDCGBound(bound=upper)@10"]
    marks = evaluate(campaign.runs, campaign.qrels, measures)
    samples = {query_id: [0.5] for query_id in marks.query_ids}
    assert names_fit_below(score_distributions(samples, marks))


def test_the_heat_map_has_who_differs_from_whom(scores, tmp_path):
    power = discriminative_power(scores[0], NAMES, test="t")
    ax = significance_heatmap(power)
    shade = np.asarray(ax.images[0].get_array())
    order = np.argsort(-scores[0].mean(axis=1))
    assert [text.get_text() for text in ax.get_yticklabels()] == [NAMES[row] for row in order]
    assert_array_equal(shade, -shade.T)
    square = np.ones((8, 8))
    square[np.triu_indices(8, 1)] = power.p_value
    p_value = np.minimum(square, square.T)[np.ix_(order, order)]
    above = np.triu_indices(8, 1)
    reached = np.count_nonzero(p_value[above][:, np.newaxis] < [0.05, 0.01], axis=1)
    assert_array_equal(shade[above], reached)
    assert set(reached) == {0, 1, 2}
    assert legend(ax) == [
        "row worse, 99%", "row worse, 95%", "not significant", "row better, 95%", "row better, 99%",
    ]  # fmt: skip
    assert written(tmp_path, ax)


def test_a_heat_map_of_many_systems_does_not_name_them():
    many = np.random.default_rng(1).random((70, 5))
    ax = significance_heatmap(discriminative_power(many, test="t"))
    assert ax.get_xlabel() == ax.get_ylabel() == "systems, best first"


def test_correlation_curves_have_the_values_and_their_intervals(scores, tmp_path):
    curve = {
        alpha: rank_correlation(scores[0], (1 - alpha) * scores[0] + alpha * scores[1], samples=50)
        for alpha in (1.0, 0.0, 0.5)
    }
    ax = correlation_curves({"P": curve}, "alpha")
    (line,) = ax.get_lines()
    assert line.get_xdata().tolist() == [0, 0.5, 1]
    assert_array_equal(line.get_ydata(), [curve[alpha].value for alpha in (0, 0.5, 1)])
    band = ax.collections[0].get_paths()[0].vertices
    for alpha, result in curve.items():
        edges = band[band[:, 0] == alpha, 1]
        assert_allclose([edges.min(), edges.max()], result.interval)
    assert (ax.get_xlabel(), ax.get_ylabel(), legend(ax)) == ("alpha", "tau_b", ["P"])
    assert written(tmp_path, ax)


def test_correlation_bars_have_the_values_and_their_intervals(scores, tmp_path):
    results = {
        name: rank_correlation(scores[0], table, coefficient="RBO", samples=50)
        for name, table in zip("ab", scores[1:], strict=True)
    }
    ax = correlation_bars(results)
    drawn = [line.get_xdata() for line in ax.get_lines()]
    assert_allclose(drawn[0], results["a"].interval)
    assert_allclose(drawn[1], results["a"].value)
    assert_allclose(drawn[2], results["b"].interval)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]
    assert ax.get_xlabel() == "RBO (phi=0.9)"
    assert written(tmp_path, ax)


def test_impact_curves_have_the_means(scores, tmp_path):
    def scorer(chosen):
        return scores[0][chosen] + len(chosen) * scores[1][chosen] / 8

    result = system_impact(scorer, NAMES, trials=20)
    ax = impact_curves({"P": result})
    line = ax.get_lines()[0]
    assert line.get_xdata().tolist() == [2, 4, 8]
    assert_array_equal(line.get_ydata(), result.mean)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["2", "4", "8"]
    assert written(tmp_path, ax)


@pytest.mark.slow
def test_stability_and_swap_curves_are_the_results(scores, tmp_path):
    steady = stability(scores[0], trials=100)
    ax = stability_curves({"AP": steady})
    assert_array_equal(ax.get_lines()[0].get_ydata(), np.sort(steady.per_pair)[::-1])
    assert legend(ax) == [f"AP: {steady.value:.3f}"]
    assert written(tmp_path, ax)
    swaps = split_swap_rate(scores[0], trials=100, bins=100)
    ax = swap_curves({"AP": swaps}, rate=0.1)
    curve, line = ax.get_lines()
    seen = swaps.compared > 0
    assert not seen.all()
    assert_array_equal(curve.get_xdata(), swaps.difference[seen])
    assert_array_equal(curve.get_ydata(), swaps.rate[seen])
    assert_allclose(line.get_ydata(), 0.1)
    assert written(tmp_path, ax)


@pytest.mark.parametrize(
    "plot",
    [
        asl_curves,
        correlation_bars,
        correlation_curves,
        impact_curves,
        stability_curves,
        swap_curves,
    ],
)
def test_a_picture_of_no_results_is_refused(plot):
    with pytest.raises(ValueError, match="`results` must hold at least one result to draw"):
        plot({})


def test_a_curve_without_points_is_refused():
    with pytest.raises(ValueError, match="`results` must hold at least one result to draw"):
        correlation_curves({"P": {}})


TIED = np.full((4, 6), 0.5)


def impact(scores):
    return system_impact(lambda chosen: scores[chosen], 4, sizes=[2, 4], trials=5)


def correlations(scores):
    return {0.5: rank_correlation(scores, scores, samples=5)}


@pytest.mark.parametrize(
    ("plot", "study", "named"),
    [
        (swap_curves, lambda scores: split_swap_rate(scores, trials=5), "tied"),
        (impact_curves, impact, "tied with 2 systems, tied with 4 systems"),
        (correlation_bars, lambda scores: correlations(scores)[0.5], "tied"),
        (correlation_curves, correlations, "tied at alpha=0.5"),
    ],
)
def test_undefined_results_are_left_out_and_named(scores, plot, study, named):
    good, tied = study(scores[0][:4]), study(TIED)
    with pytest.warns(EvaluationWarning, match=f"leaves out what is undefined: {named}$"):
        ax = plot({"good": good, "tied": tied})
    assert ax.get_lines()
    with pytest.raises(ValueError, match=f"all that was to be drawn is undefined: {named}"):
        plot({"tied": tied})


def boxes_of(ax):
    ax.figure.draw_without_rendering()
    return {text.get_text(): text.get_window_extent() for text in ax.texts if text.get_text()}


def overlaps(one, other):
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_labels_overlap_neither_one_another_nor_points_nor_edges(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(0, 1, (2, 50))
    labels = [f"run-{number:02d}-{'x' * rng.integers(0, 8)}" for number in range(50)]
    ax = new_axes()
    ax.scatter(x, y, s=16)
    left_out = label_points(ax, x, y, labels)
    boxes = boxes_of(ax)
    assert sorted([*boxes, *left_out]) == sorted(labels)
    assert len(boxes) > 40
    frame, points = ax.get_window_extent(), ax.transData.transform(np.column_stack([x, y]))
    found = list(boxes.values())
    for position, box in enumerate(found):
        assert not any(overlaps(box, other) for other in found[:position])
        assert not any(box.contains(*point) for point in points)
        assert frame.x0 <= box.x0 < box.x1 <= frame.x1
        assert frame.y0 <= box.y0 < box.y1 <= frame.y1


@pytest.mark.slow
def test_labels_of_points_in_one_place_go_around_it_or_are_left_out():
    x = y = np.zeros(120)
    ax = new_axes()
    ax.scatter(x, y)
    left_out = label_points(ax, x, y, [f"label {number}" for number in range(120)])
    boxes = list(boxes_of(ax).values())
    assert len(left_out) + len(boxes) == 120
    assert 20 < len(boxes) < 120
    assert not any(overlaps(a, b) for place, a in enumerate(boxes) for b in boxes[:place])


def test_a_lone_label_stands_beside_its_point_without_a_line():
    ax = new_axes()
    ax.scatter([0.5], [0.5])
    assert label_points(ax, np.array([0.5]), np.array([0.5]), ["only"]) == []
    (text,) = ax.texts
    assert text.get_text() == "only"


@pytest.mark.slow
def test_the_scatter_names_the_systems_asked_for():
    campaign = simulate_campaign(systems=6, queries=4, depth=30)
    measures = ["P@5", "nDCG@5"]
    matrix = evaluate(campaign.runs, campaign.qrels, measures, campaign.groups)
    assert boxes_of(system_scatter(matrix, *measures, labelled=())) == {}
    assert set(boxes_of(system_scatter(matrix, *measures))) == set(matrix.systems)
    some = boxes_of(system_scatter(matrix, *measures, labelled=matrix.systems[:2]))
    assert set(some) == set(matrix.systems[:2])
    ax = system_scatter(matrix, *measures, labelled=matrix.systems)
    assert set(boxes_of(ax)) == set(matrix.systems)
    assert ax.get_legend().get_window_extent().x0 > ax.get_window_extent().x1


def said(ax):
    return ax.get_title(loc="left").replace("\n", " ")


def test_coefficients_do_not_share_an_axis(scores):
    results = {
        name: rank_correlation(scores[0], scores[1], coefficient=name, samples=20)
        for name in ("tau_b", "RBO")
    }
    ax = correlation_bars(results, reference="nDCG@10")
    first, second = ax.figure.axes
    assert ax is first
    assert (first.get_xlabel(), second.get_xlabel()) == ("tau_b", "RBO (phi=0.9)")
    for panel, result in zip((first, second), results.values(), strict=True):
        interval, _ = panel.get_lines()
        assert_allclose(interval.get_xdata(), result.interval)
    assert "correlated with the ranking by nDCG@10" in said(ax)
    assert "95% interval over 20 bootstrap samples" in said(ax)
    curves = correlation_curves({name: {0.5: result} for name, result in results.items()})
    assert [panel.get_ylabel() for panel in curves.figure.axes] == ["tau_b", "RBO (phi=0.9)"]
    with pytest.raises(InputError, match="`ax` must be None for several coefficients; got tau_b"):
        correlation_bars(results, new_axes())


def test_curves_name_the_measure_its_parameter_and_the_reference(scores):
    curve = {alpha: rank_correlation(scores[0], scores[1], samples=5) for alpha in (0.5, 1.0)}
    ax = correlation_curves({"P": curve}, "alpha", measure="P_Rareness", reference="P@5")
    assert "8 systems by P_Rareness as its alpha varies, correlated with the ranking by P@5" in (
        said(ax)
    )


def test_significance_levels_out_of_reach_are_shaded(scores):
    few = discriminative_power(scores[0], test="tukey-randomised", resamples=50)
    ax = asl_curves({"AP": few})
    (band,) = ax.patches
    assert band.get_height() == pytest.approx(1 / 51)
    assert "below 0.02: out of reach of 50 resamples" in [text.get_text() for text in ax.texts]
    assert "28 pairs of 8 systems, 50 resamples" in said(ax)
    fewer = discriminative_power(scores[0], test="tukey-randomised", resamples=9, level=0.8)
    assert asl_curves({"AP": fewer}).get_ylim()[1] == pytest.approx(0.15)
    assert not asl_curves({"AP": discriminative_power(scores[0], test="t")}).patches


def test_pictures_of_studies_say_how_they_were_made(scores):
    power = discriminative_power(scores[0], NAMES, test="t")
    text = said(significance_heatmap(power, measure="AP"))
    assert text.startswith(f"AP: {power.significant()} of 28 pairs of systems differ signif")
    assert "paired t test, Holm correction, 28 pairs of 8 systems" in text
    text = said(stability_curves({"AP": stability(scores[0], trials=50, fuzziness=0.1)}))
    assert "50 sets of 15 topics; differences within absolute fuzziness 0.1 are ties" in text
    ax = swap_curves({"AP": split_swap_rate(scores[0], trials=50)}, rate=0.1)
    assert [text.get_text() for text in ax.texts] == ["0.1"]
    assert "50 pairs of disjoint sets of 15 topics" in said(ax)


def test_error_bars_do_not_go_above_1(scores):
    noisy = system_impact(lambda chosen: scores[0][chosen], NAMES, sizes=[2, 4], trials=5)
    noisy.correlation[:] = [[1, 1, 1, 1, -1], [1, 1, 1, 1, 0.5]]
    (bars,) = impact_curves({"P": noisy}).collections
    ends = np.array(bars.get_segments())[..., 1]
    assert ends.max() == 1
    assert_allclose(ends[:, 0], noisy.mean - 2 * noisy.error)


PLOTS = {
    asl_curves: lambda scores: {"AP": discriminative_power(scores, test="t")},
    correlation_bars: lambda scores: {"AP": rank_correlation(scores, scores, samples=5)},
    correlation_curves: lambda scores: {"AP": {1.0: rank_correlation(scores, scores, samples=5)}},
    impact_curves: lambda scores: {"AP": impact(scores[:4])},
    significance_heatmap: lambda scores: discriminative_power(scores, test="t"),
    stability_curves: lambda scores: {"AP": stability(scores, trials=50)},
    swap_curves: lambda scores: {"AP": split_swap_rate(scores, trials=50)},
}


@pytest.mark.slow
@pytest.mark.parametrize("plot", PLOTS)
def test_plots_have_the_style_unless_axes_are_given(plot, scores):
    result = PLOTS[plot](scores[0])
    ax = plot(result)
    assert not ax.spines["top"].get_visible()
    assert ax.title.get_text() == ""
    given = Figure(figsize=(6, 6)).add_subplot()
    size = given.xaxis.label.get_fontsize()
    assert plot(result, ax=given) is given
    assert given.xaxis.label.get_fontsize() == size
