"""Plots draw the values of the result, and nothing else."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from matplotlib import colors
from matplotlib.collections import LineCollection
from numpy.testing import assert_allclose, assert_array_equal

from irx_measures import NRG, GroupedScores, ScoreMatrix, evaluate, meta, plots
from irx_measures.common.writing import p_text
from irx_measures.judging import audit_judges
from irx_measures.measures.naming.named_score import NamedScore
from irx_measures.meta.residual_gain import ResidualGainMatrix
from irx_measures.meta.two_measures import two_measures
from irx_measures.meta.unjudged import UnjudgedByRank
from irx_measures.plots.style import ABOVE, BELOW, NOT_SIGNIFICANT, P_RAMP, UNJUDGED_RAMP, with_room
from tests.plots.scenes import (
    SCENES,
    collections_of,
    correlated,
    front,
    impact,
    looks,
    matrix_of,
    power,
    residual_gain,
    systems,
    unjudged,
)

pytestmark = pytest.mark.slow

M = matrix_of(systems(9))


def words(labels):
    return [label.get_text() for label in labels]


def right_of(ax):
    """The columns at the right of rows, of which the texts end at the same place."""
    columns = [beside.get_yticklabels() for beside in ax.child_axes]
    for column in columns:
        assert len({round(text.get_window_extent().x1) for text in column if text.get_text()}) == 1
    return [" ".join(row) for row in zip(*map(words, columns), strict=True)]


def key_of(ax):
    """The texts of the key as they are read: line by line, from left to right."""
    (key,) = ax.figure.legends
    places = {text: text.get_window_extent() for text in key.get_texts()}
    return words(sorted(places, key=lambda text: (-round(places[text].y0), places[text].x0)))


def filled(dots):
    return [colors.same_color(colour, ABOVE) for colour in dots.get_facecolors()]


def values_of(cells):
    return np.ma.filled(cells.get_array().astype(float), np.nan)


def points_of(dots):
    return np.asarray(dots.get_offsets())


def rows_of(ax):
    """Of each row or title: its name, the text at the right, dot, interval, if it is filled."""
    names = words(ax.get_yticklabels())
    right = right_of(ax) if ax.child_axes else [""] * len(names)
    rows = [[name, text] for name, text in zip(names, right, strict=True)]
    for title in ax.texts:
        if title.get_weight() == "bold":
            rows[round(title.get_position()[1])][0] += title.get_text()
    for lines, dots in zip(ax.collections[::2], ax.collections[1::2], strict=True):
        ends = [path.vertices[:, 0] for path in lines.get_paths()]
        for (x, y), interval, fill in zip(points_of(dots), ends, filled(dots), strict=True):
            rows[round(y)] += [x, *interval, fill]
    return rows


def rows_in(result, titles, baselines):
    """The same of the tables of a result: per title the means, or the differences to a baseline."""
    tables = [result[group] for group in result.groups] or [result] * len(titles)
    for title, table, baseline in zip(titles, tables, baselines, strict=True):
        if title:
            yield [title, ""]
        board = table.leaderboard("AP").set_index("system")
        if baseline:
            board = table.to_frame().query("measure == 'AP' and baseline == @baseline")
            board = board.set_index("system")
        for name in result.ordered_systems("AP"):
            if name == baseline:
                continue
            row = board.loc[name]
            if baseline:
                p = row.p_adjusted
                ends, text = [row.difference, row.lower, row.upper], f"{p:.3f}"
                yield [name, "<.001" if p < 0.0005 else text, *ends, p <= 0.05]
            else:
                low, high = row.get("rank_low", ""), row.get("rank_high", "")
                text, best = f"{low}" if low == high else f"{low}–{high}", row.get("best", True)
                yield [name, text, row["mean"], row.lower, row.upper, best]


@pytest.mark.parametrize("correction", ["holm", "bh"])
@pytest.mark.parametrize(
    ("baselines", "grouped", "titles"),
    [
        ([], False, [""]),
        (["s4"], False, [""]),
        (["s1", "s3"], False, ["minus s1", "minus s3"]),
        ([], True, ["a (20 topics)", "b (20 topics)"]),
        (["s2", "s4"], True, ["a (20 topics)", "b (20 topics)"]),
    ],
)
def test_a_leaderboard_has_the_rows_of_the_tables(correction, baselines, grouped, titles):
    halves = {query: "ab"[number % 2] for number, query in enumerate(M.query_ids)}
    scores = M.by(halves) if grouped else M
    result = scores.compare(baseline=baselines or None, correction=correction)
    ax, shown = plots.leaderboard(result, "AP"), baselines or [None]
    rows, expected = rows_of(ax), [*rows_in(result, titles, shown[:1] * 2 if grouped else shown)]
    assert [row[:2] for row in rows] == [row[:2] for row in expected]
    found, right = ([row[2:] for row in some if row[2:]] for some in (rows, expected))
    assert_allclose(np.array(found, float), np.array(right, float))
    assert ("interval" in ax.get_xlabel()) == (correction == "holm" or not baselines)
    assert bool(ax.child_axes) == (correction == "holm" or bool(baselines))


def test_a_pair_has_the_colour_of_its_adjusted_p():
    result = M.compare()
    ax, board = plots.significance_pairs(result, "AP"), result.board("AP")
    (cells,) = ax.collections
    below = np.tril_indices(9, -1)
    steps = sum(board.p_adjusted <= step for step in (0.05, 0.01, 0.001))
    assert_array_equal(values_of(cells)[below], steps[below])
    assert {*steps[below]} == {0, 1, 2, 3}
    assert np.isnan(values_of(cells)[np.triu_indices(9)]).all()
    ramp = [colors.to_hex(cells.to_rgba(step)) for step in range(4)]
    assert ramp == [NOT_SIGNIFICANT, *P_RAMP]
    assert words(ax.texts) == list(board.systems)
    assert key_of(ax) == ["above 0.05", "at most 0.05", "at most 0.01", "at most 0.001"]


def test_matrices_of_few_systems_print_their_numbers():
    few = matrix_of(systems(4))
    result = few.compare()
    board = result.board("AP")
    p = board.p_adjusted[np.tril_indices(4, -1)]
    printed = words(plots.significance_pairs(result, "AP").texts)[4:]
    assert printed == ["<.001" if one < 0.0005 else f"{one:.3f}" for one in p]
    found = residual_gain(systems(6))
    ax, order = plots.residual_gain_matrix(found), found.order
    given = found.given[np.ix_(order, order)].ravel()
    numbers = [text for text in words(ax.texts) if text.startswith("0")]
    assert numbers == [f"{one:.3f}" for one in given[np.isfinite(given)]]


def test_residual_gain_has_the_scores_in_its_order():
    found = residual_gain(systems(9))
    ax, order = plots.residual_gain_matrix(found), found.order
    (cells,) = ax.collections
    assert_allclose(values_of(cells), found.given[np.ix_(order, order)])
    expected = [found.systems[place] for place in order]
    assert words(ax.get_yticklabels()) == words(ax.get_xticklabels()) == expected
    given_all = [f"{found.given_all[place]:.3f}".replace("nan", "-") for place in order]
    assert right_of(ax) == given_all
    assert found.sentence() in " ".join(ax.irx_caption.split())
    equal = np.full((3, 3), 0.5)
    plots.residual_gain_matrix(ResidualGainMatrix(tuple("abc"), "NRG@5", equal, equal[0]))


def test_strips_have_the_shares_best_judged_first():
    found = unjudged(systems(9))
    ax, order = plots.unjudged_by_rank(found), np.argsort(found.share_at(40), kind="stable")
    assert_allclose(values_of(ax.collections[0]), found.shares[order])
    assert found.sentence(10) in " ".join(ax.irx_caption.split())
    assert words(ax.get_yticklabels()) == [found.systems[place] for place in order]
    tops = [[f"{100 * found.share_at(top)[n]:.0f}%" for top in (10, 40)] for n in order]
    assert [label.split() for label in right_of(ax)] == tops
    counts = np.array([[9, 10, 30, 50, 70]])
    of_limits = UnjudgedByRank(("a",), 1, np.full((1, 5), 100), counts)
    (cells,) = plots.unjudged_by_rank(of_limits).collections
    shown = cells.to_rgba(cells.get_array()).reshape(-1, 4)
    assert [colors.to_hex(colour) for colour in shown] == list(UNJUDGED_RAMP)


def test_a_calibration_has_probabilities_and_pairs():
    human = {"q": {"a": 0, "b": 0, "c": 0, "d": 1, "e": 1}}
    machine = {"q": {"a": 0, "b": 1, "c": 1, "d": 1, "e": 1}}
    ax = plots.judge_calibration(audit_judges(human, {"gpt": machine})["gpt"])
    assert {text.get_position(): text.get_text() for text in ax.texts} == {
        (0, 1): "1.00\n1", (1, 1): "0.50\n2", (0, 0): "0.00\n0", (1, 0): "0.50\n2",
    }  # fmt: skip
    assert (words(ax.get_xticklabels()), words(ax.get_yticklabels())) == (["0", "1"], ["1", "0"])
    assert_allclose(values_of(ax.collections[0]), [[0, 0.5], [1, 0.5]])


@pytest.mark.parametrize("plot", ["pairs", "residual gain", "unjudged", "leaderboard"])
def test_the_best_systems_are_drawn_and_the_picture_says_so(plot):
    draw = partial(SCENES[plot], matrix_of(systems(30), 12))
    ax = draw(top=5)
    assert "the best 5 of 30 systems by" in ax.irx_caption
    if plot == "leaderboard":
        assert len(points_of(ax.collections[1])) == 5
        return
    assert values_of(ax.collections[0]).shape[0] == 5
    narrow = draw(width=3.3)
    rows = values_of(narrow.collections[0]).shape[0]
    assert rows == (30 if plot == "unjudged" else 20)
    said = narrow.get_xlabel() + narrow.get_ylabel()
    assert ("best 20 of 30 systems" in said) == (plot != "unjudged")


def test_names_are_thinned_where_they_have_no_room():
    assert with_room(5, 50.0) == (range(5), 7.0)
    assert with_room(7, 21.0) == (range(0, 7, 3), 7.0)
    assert with_room(4, 28.0) == (range(4), 5.6)


def test_topic_differences_are_sorted_bars_with_their_mean():
    result = M.compare(baseline="s4")
    ax, found = (
        plots.topic_differences(result, "s1", measure="AP"),
        result.difference("s1", None, "AP"),
    )
    (bars, *_) = ax.collections
    differences = M["AP"][1] - M["AP"][4]
    expected = np.sort(differences)[::-1]
    assert_allclose([path.vertices[1, 1] for path in bars.get_paths()], expected)
    assert filled(bars) == (expected > 0).tolist()
    assert all(colors.same_color(one, BELOW) for one in bars.get_facecolors()[expected <= 0])
    _, mean = ax.get_lines()
    assert mean.get_ydata()[0] == pytest.approx(found.difference)
    (band,) = ax.patches
    ends = band.get_y(), band.get_y() + band.get_height()
    assert ends == pytest.approx((found.lower, found.upper))
    assert words(ax.get_xticklabels()) == [f"t{topic}" for topic in np.argsort(-differences)]
    assert found.sentence("AP") in ax.irx_caption
    many = plots.topic_differences(matrix_of(systems(2), 300).compare(), "s0", "s1", "AP")
    assert many.get_xlabel().startswith("300 topics, by falling difference")
    assert 20 < len(many.get_xticklabels()) < 150


def drawn_forest(**how):
    """The forest of the first two systems, and the rows of its three kinds of intervals."""
    scores = collections_of(M)
    ax = plots.forest(scores.compare(**how), "s0", "s1", "AP")
    lines = [each for each in ax.collections if isinstance(each, LineCollection)]
    ends = [[path.vertices[:, 0] for path in each.get_paths()] for each in lines]
    return scores, ax, ends


def test_a_forest_has_uncorrected_intervals_of_collections_and_tested_ones_of_the_macro_mean():
    scores, ax, (groups, tests, new) = drawn_forest(macro="queries")
    asked = "measure == 'AP' and system == 's0' and baseline == 's1'"
    alone = scores.compare(macro="none", correction="none").to_frame().query(asked)
    assert_allclose(groups, alone[["lower", "upper"]])
    row = scores.compare(macro="queries").to_frame().query(asked).iloc[0]
    ends = row[["lower", "upper", "groups_lower", "groups_upper", "new_lower", "new_upper"]]
    assert_allclose([*tests, *new], np.array([*ends], float).reshape(3, 2))
    squares, dots = (each for each in ax.collections if not isinstance(each, LineCollection))
    assert_allclose(points_of(squares)[:, 0], alone["difference"])
    assert_allclose(points_of(dots)[:, 0], [row["difference"]] * 2)
    assert filled(dots) == [row["p_adjusted"] <= 0.05, row["groups_p_adjusted"] <= 0.05]
    below = ["these 9 collections", "other collections like these", "one more collection"]
    assert words(ax.get_yticklabels()) == [*scores.groups, "", *below]
    n, difference, p = (words(beside.get_yticklabels()) for beside in ax.child_axes)
    assert n == [*map(str, scores.sizes), "", "", "", ""]
    assert difference[0] == f"{alone['difference'].iloc[0]:+.3f}"
    assert p == [""] * 10 + [p_text(row["p_adjusted"]), p_text(row["groups_p_adjusted"]), ""]
    for text in ("simultaneous 95% interval", "single collections: 95%, without correction"):
        assert text in ax.irx_caption


def test_a_forest_draws_the_question_that_was_asked_and_what_has_intervals():
    scores, ax, (groups, tests) = drawn_forest(macro="groups")
    assert words(ax.get_yticklabels()) == [*scores.groups, "", "collections like these"]
    assert (len(groups), len(tests)) == (9, 1)
    _, ax, (_, tests, new) = drawn_forest(macro="queries", correction="bh")
    assert np.isnan(tests).all()
    assert np.isfinite(new).all()
    assert "the correction bh has none of the macro mean" in ax.irx_caption
    two = GroupedScores.of({name: scores[name] for name in scores.groups[:2]})
    ax = plots.forest(two.compare(macro="queries"), "s0", "s1", "AP")
    assert words(ax.get_yticklabels()) == [*two.groups, "", "these 2 collections"]


def test_a_forest_is_of_groups_of_one_query_too():
    thirds = M.by({query: str(min(place, 2)) for place, query in enumerate(M.query_ids)})
    assert thirds.sizes == (1, 1, 38)
    ax = plots.forest(thirds.compare(macro="groups"), "s0", "s1", "AP")
    groups = ax.collections[0]
    assert [np.isnan(path.vertices[:, 0]).all() for path in groups.get_paths()] == [
        True, True, False,
    ]  # fmt: skip


def test_pictures_take_the_short_label_and_write_the_measure():
    named = replace(M, measures=(NRG(prior="others") @ 10, *M.measures[1:]))
    label, result = str(named.measures[0]), named.compare()
    assert label in plots.system_scatter(named, "NRG@10", "AP").get_xlabel()
    assert label in plots.score_histogram(named, "NRG@10").get_xlabel()
    assert label in plots.leaderboard(result, "NRG@10").get_xlabel()
    assert label in plots.topic_differences(result, "s0", "s1", "NRG@10").get_ylabel()
    pairs = plots.significance_pairs(result, "NRG@10")
    assert pairs.irx_caption == plots.significance_pairs(result, label).irx_caption


def test_a_histogram_counts_every_query_of_a_system_once():
    qrels = {"q1": {"A": 3, "B": 0}, "q2": {"A": 1}, "q3": {"B": 0}}
    runs = {name: {query: {"A": 1.0, "B": 0.5} for query in qrels} for name in "ab"}
    measure = "UpperBound(candidates=run)@5"
    ax = plots.score_histogram(evaluate(qrels, runs, measure), measure, system="b")
    assert sum(bar.get_height() for bar in ax.patches) == 3
    ends = ax.patches[0].get_x(), ax.patches[-1].get_x() + ax.patches[-1].get_width()
    assert ends == pytest.approx([0, 7])
    (mean,) = ax.get_lines()
    assert mean.get_xdata()[0] == pytest.approx(8 / 3)


def test_distributions_have_intervals_sorted_by_median_and_a_mark_per_measure():
    first, second = M.query_ids[:2]
    samples = {first: np.linspace(0.5, 1.0, 101), second: np.full(9, 0.25)}
    ax = plots.score_distributions(samples, M.select(["AP"]), "s1", actual=M.select(["AP"]))
    assert words(ax.get_xticklabels()) == [second, first]
    marks, actual, thin, thick, median = ax.collections
    for lines, ends in ((thin, (0.525, 0.975)), (thick, (0.625, 0.875))):
        assert_allclose(lines.get_segments(), [[[0, 0.25]] * 2, [[1, ends[0]], [1, ends[1]]]])
    assert_allclose([ends[:, 1] for ends in median.get_segments()], [[0.25] * 2, [0.75] * 2])
    assert [colors.to_hex(colour) for colour in median.get_colors()] == [ABOVE, "#ffffff"]
    assert "equal (1 of 2 queries)" in ax.irx_caption
    scores = M["AP"][1]
    for dots in (marks, actual):
        assert_allclose(points_of(dots), [[0, scores[1]], [1, scores[0]]])
    assert key_of(ax) == ["AP", "actual AP"]
    above = plots.score_distributions({"q": [1.0 + 2**-52, 0.21, 1.0]})
    assert above.collections[1].get_segments()[0][1, 1] == 1.0


@pytest.mark.parametrize("count", [9, 37])
def test_a_scatter_has_the_means_and_names_the_extremes(count):
    many = matrix_of(systems(count))
    ax = plots.system_scatter(many, "AP", "nDCG@10")
    means = np.array([many["AP"].mean(axis=1), many["nDCG@10"].mean(axis=1)])
    assert_allclose(points_of(ax.collections[0]), means.T)
    found = two_measures(many.systems, ("AP", "nDCG@10"), means)
    is_white = [colors.same_color(one, "white") for one in ax.collections[0].get_facecolors()]
    assert is_white == (~found.front).tolist()
    assert found.sentence() in " ".join(ax.irx_caption.split())
    named = {text for text in words(ax.texts) if text}
    if count == 9:
        assert named == {*many.systems}
        return
    ranks = np.argsort(np.argsort(-means, axis=1), axis=1)
    best = {f"s{place}" for place in means.argmax(axis=1)}
    move = {name: ranks[1, n] - ranks[0, n] for n, name in enumerate(many.systems)}
    others = sorted(move[name] for name in {*many.systems} - best)
    assert sorted(move[name] for name in named - best) == others[:4] + others[-4:]
    some = plots.system_scatter(many, "AP", "nDCG@10", top=3)
    assert 3 <= len(points_of(some.collections[0])) <= 4
    assert "the best 3 of 37 systems by AP" in some.irx_caption


def test_groups_of_a_scatter_differ_in_colour_and_marker():
    many = matrix_of(systems(20))
    grouped = type(many)(many.measures, many.systems, many.query_ids, many.scores, many.systems)
    ax = plots.system_scatter(grouped, "AP", "nDCG@10")
    seen = {
        (tuple(dots.get_facecolors()[0]), dots.get_paths()[0].vertices.tobytes())
        for dots in ax.collections
    }
    assert len(seen) == 20
    assert key_of(ax) == list(many.systems)


def test_a_front_is_a_step_line_and_only_its_points_are_named():
    result = meta.pareto_front([1, 2, 3, 4], [0.5, 0.7, 0.6, 0.9], list("abcd"))
    ax = plots.pareto_front(result)
    steps = ax.get_lines()[0]
    drawn = list(zip(*steps.get_data(), strict=True))
    assert drawn[1:4] == [(1, 0.5), (2, 0.7), (4, 0.9)]
    assert (steps.get_drawstyle(), drawn[-1]) == ("steps-post", (ax.get_xlim()[1], 0.9))
    assert {*words(ax.texts)} - {""} == {"a", "b", "d"}
    assert filled(ax.collections[0]) == result.on_front.tolist()
    assert ax.irx_caption.startswith("Filled: the 3 of 4 points on the front: ")
    assert plots.pareto_front(front(M)).get_xscale() == "log"
    assert plots.pareto_front(meta.pareto_front([1, 29], [1, 2])).get_xscale() == "linear"


def test_axes_say_where_lower_is_better():
    measures = NamedScore("seconds", False), NamedScore("accuracy", True)
    named = ScoreMatrix(measures, M.systems, M.query_ids, M.scores)
    result, macro = named.compare(), collections_of(named).compare(macro="queries")
    falling, rising = (
        [
            plots.leaderboard(result, measure).get_xlabel(),
            plots.topic_differences(result, "s1", "s2", measure).get_ylabel(),
            plots.forest(macro, "s1", "s2", measure).get_xlabel(),
            plots.score_histogram(named, measure).get_xlabel(),
            plots.system_scatter(named, measure, other).get_xlabel(),
        ]
        for measure, other in (("seconds", "accuracy"), ("accuracy", "seconds"))
    )
    assert all(label.startswith("seconds (lower is better)") for label in falling)
    assert all("better" not in label for label in rising)


def test_axes_go_below_0_only_where_scores_do():
    scores = M.scores - np.array([[[0.0]], [[0.4]]])
    ax = plots.system_scatter(type(M)(M.measures, M.systems, M.query_ids, scores), "nDCG@10", "AP")
    assert ax.get_xlim()[0] >= 0 > ax.get_ylim()[0]


@pytest.mark.parametrize("count", [1, 14])
def test_asl_curves_are_the_results_and_differ(count):
    result = power(M)
    names = [f"NRG(prior=others,ideal=all,select=best-per-group)@{n}" for n in range(count)]
    ax = plots.asl_curves(dict.fromkeys(names, result))
    *curves, level = ax.get_lines()
    looks = [(curve.get_color(), curve._unscaled_dash_pattern) for curve in curves]
    assert len({*looks}) == count
    assert len({dashes for _, dashes in looks[:6]}) == min(count, 6)  # in grey too
    for curve in curves:
        assert_array_equal(curve.get_ydata(), np.sort(result.p_value)[::-1])
        assert_array_equal(curve.get_xdata(), np.arange(1, 37))
    assert_allclose(level.get_ydata(), 0.05)
    assert key_of(ax) == names


def test_the_axis_of_levels_ends_where_curves_enter_and_have_come_down():
    curve = np.sort(power(M).p_value)[::-1]
    top = curve[9]
    ax = plots.asl_curves({"AP": power(M)}, up_to=top)
    above, seen = np.count_nonzero(curve > top), np.count_nonzero(curve > 0.02 * top)
    left, right = ax.get_xlim()
    assert above - 0.1 * (seen - above) < left < above
    assert seen < right <= len(curve)
    low = plots.asl_curves({"AP": power(M)}, up_to=curve.min() / 2)
    assert low.get_xlim() == (0, len(curve))


def test_levels_that_are_all_low_are_drawn_over_whole_pairs():
    low = replace(power(M), p_value=np.full(36, 1e-9))
    ax = plots.asl_curves({"AP": low})
    assert ax.get_xlim() == (0, 4.2)
    assert words(ax.get_xticklabels())[:2] == ["0", "1"]


def test_an_empty_picture_says_why():
    result = power(M)
    lowest = result.p_value.min()
    top = lowest / 2
    why = f"every level is above {top:g}; the lowest is {lowest:.2g}"
    empty = plots.asl_curves({"AP": result, "RR": result}, up_to=top)
    assert words(empty.texts)[-1] == why
    assert empty.irx_caption.endswith(f" No curve is visible: {why}.")
    same = replace(result, p_value=np.ones(36))
    one = plots.asl_curves({"AP": result, "RR": same})
    assert words(one.texts) == ["0.05"]
    assert one.irx_caption.endswith(
        "No curve of RR is visible: every level is above 0.1; the lowest is 1."
    )
    scores = np.repeat(M.scores[:, :1], 2, axis=1)
    equal = type(M)(M.measures, ("a", "b"), M.query_ids, scores)
    differences = plots.topic_differences(equal.compare(), "a", "b", "AP")
    assert words(differences.texts) == ["no difference on any topic"]
    assert "equal AP on all 40 topics" in differences.irx_caption


def test_levels_out_of_reach_are_named_and_the_axis_ends_above_them():
    few = power(M, test="tukey-randomised", resamples=50)
    assert "50 resamples (no level below 0.02)" in plots.asl_curves({"AP": few}).irx_caption
    fewer = power(M, test="tukey-randomised", resamples=9, level=0.8)
    assert plots.asl_curves({"AP": fewer}).get_ylim()[1] == pytest.approx(0.15)


def test_stability_and_swap_curves_are_the_results():
    steady = meta.stability(M["AP"], trials=50)
    ax = plots.stability_curves({"AP": steady})
    assert_array_equal(ax.get_lines()[0].get_ydata(), np.sort(steady.per_pair)[::-1])
    assert key_of(ax) == [f"AP: {steady.value:.3f}"]
    swaps = meta.split_swap_rate(M["AP"], trials=50, bins=100)
    ax = plots.swap_curves({"AP": swaps}, rate=0.1)
    curve, level = ax.get_lines()
    seen = np.isfinite(swaps.rate)
    assert 1 < seen.sum() < 100
    assert_array_equal(curve.get_xydata(), np.column_stack([swaps.difference, swaps.rate])[seen])
    assert_allclose(level.get_ydata(), 0.1)
    assert words(ax.texts) == ["0.1"]


def band_at(ax, x):
    """The ends of the first band at a place."""
    edges = ax.collections[0].get_paths()[0].vertices
    at = edges[edges[:, 0] == x, 1]
    return at.min(), at.max()


def test_impact_curves_have_means_and_bands_up_to_1():
    noisy = replace(
        impact(M["AP"], sizes=[2, 4]), mean=np.array([0.6, 0.9]), error=np.array([0.4, 0.1])
    )
    ax = plots.impact_curves({"P": noisy})
    (line,) = ax.get_lines()
    assert_array_equal(line.get_xydata(), np.column_stack([noisy.sizes, noisy.mean]))
    for place, size in enumerate((2, 4)):
        low, high = band_at(ax, size)
        assert low == pytest.approx(noisy.mean[place] - 2 * noisy.error[place])
        assert high == pytest.approx(min(1.0, noisy.mean[place] + 2 * noisy.error[place]))
    assert words(ax.get_xticklabels()) == ["2", "4"]


def test_correlation_curves_have_the_values_and_their_intervals():
    curve = {1.0: correlated(M), 0.5: correlated(M, "RBO")}
    ax = plots.correlation_curves({"P": curve}, "alpha")
    (line,) = ax.get_lines()
    assert_array_equal(line.get_xydata(), [[x, curve[x].value] for x in (0.5, 1.0)])
    for alpha, result in curve.items():
        assert band_at(ax, alpha) == pytest.approx(result.interval)
    assert ax.get_xlabel() == "alpha"
    assert ax.get_ylabel() == "Kendall's τ_b, or RBO(phi=0.9)\nband: 95% interval"
    assert ax.irx_caption.startswith("Kendall's τ_b, or RBO(phi=0.9) of two rankings of 9 systems.")


def test_progress_has_the_looks_and_where_they_are_enough():
    ax = plots.judging_progress(looks())
    drawn = [[0, 0.1], [20, 0.4], [40, 0.8], [60, 0.96]]
    level, line = ax.get_lines()
    assert_allclose(line.get_xydata(), drawn)
    assert_allclose(level.get_ydata(), 0.95)
    dots, drop = ax.collections
    assert_allclose(points_of(dots), drawn)
    assert filled(dots) == [False, False, False, True]
    assert_allclose(drop.get_segments(), [[[60, 0], [60, 0.96]]])
    assert words(ax.texts) == ["0.95", "60 judged (75%)"]
    assert ax.get_xlim() == (0, 80)
    assert ax.irx_caption.startswith("a: ")
    narrow = plots.judging_progress(looks(), width=3.3).get_ylabel()
    assert " ".join(narrow.split()) == "P(a: may be the best)"
    goes_on = plots.judging_progress(looks(question="ranking")[:2])
    assert len(goes_on.collections) == 1
    assert not goes_on.irx_caption.startswith("a: ")
    assert plots.judging_progress([replace(looks()[0], pool=0)]).get_xlim() == (0, 1)
