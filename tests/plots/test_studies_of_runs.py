"""Plots of what systems add to one another, and of unjudged documents."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from irx_measures import InputError, meta, plots, simulate_campaign
from irx_measures.meta.residual_gain import ResidualGainMatrix
from irx_measures.meta.unjudged import UnjudgedByRank
from irx_measures.plots.style import UNJUDGED_RAMP

CAMPAIGN = simulate_campaign(systems=6, queries=6, depth=40)


def names(labels):
    return [label.get_text() for label in labels]


def matrix_of(given):
    return ResidualGainMatrix(tuple("abc"), "NRG@5", given, given[0])


def test_the_matrix_has_the_scores_in_its_order():
    result = meta.residual_gain_matrix(CAMPAIGN.runs, CAMPAIGN.qrels, "NRG(prior=others)@5")
    ax = plots.residual_gain_matrix(result)
    order = result.order
    (cells,) = ax.collections
    shown = np.ma.filled(cells.get_array(), np.nan)
    assert_allclose(shown, result.given[np.ix_(order, order)])
    expected = [result.systems[place] for place in order]
    assert names(ax.get_yticklabels()) == names(ax.get_xticklabels()) == expected
    (right,) = ax.child_axes
    assert names(right.get_yticklabels()) == [f"{result.given_all[n]:.3f}" for n in order]
    assert ax.get_title(loc="left").startswith("NRG(prior=others)@5 of the system in the row")
    colours = {to_hex(cells.to_rgba(value)) for value in result.given[np.isfinite(result.given)]}
    assert len(colours) > 3


def test_a_matrix_of_equal_scores_is_drawn_and_one_without_scores_refused():
    given = np.full((3, 3), 0.5)
    plots.residual_gain_matrix(matrix_of(given))
    undefined = np.full((3, 3), np.nan)
    with pytest.raises(InputError, match="at least one result to draw"):
        plots.residual_gain_matrix(matrix_of(undefined))


def test_strips_have_the_shares_best_judged_first():
    result = meta.unjudged_by_rank(CAMPAIGN.runs, CAMPAIGN.qrels, depth=40)
    ax = plots.unjudged_by_rank(result)
    order = np.argsort(result.share_at(40), kind="stable")
    (cells,) = ax.collections
    assert_allclose(np.ma.filled(cells.get_array(), np.nan), result.shares(20)[order])
    assert names(ax.get_yticklabels()) == [result.systems[place] for place in order]
    (right,) = ax.child_axes
    tops = [[f"{100 * result.share_at(top)[n]:.0f}%" for top in (10, 40)] for n in order]
    assert [label.split() for label in names(right.get_yticklabels())] == tops
    assert "share of the top 10 and of the top 40" in ax.get_title(loc="left")


def test_colours_are_classes_of_shares():
    returned = np.full((1, 5), 100)
    result = UnjudgedByRank(("a",), 1, returned, np.array([[9, 10, 30, 50, 70]]))
    (cells,) = plots.unjudged_by_rank(result).collections
    shown = cells.to_rgba(cells.get_array()).reshape(-1, 4)
    assert [to_hex(colour) for colour in shown] == list(UNJUDGED_RAMP)


@pytest.mark.slow
@pytest.mark.parametrize("systems", [2, 129])
def test_names_of_rows_do_not_overlap(systems):
    counts = np.ones((systems, 100), int)
    many = tuple(f"a system, {number}" for number in range(systems))
    ax = plots.unjudged_by_rank(UnjudgedByRank(many, 1, counts, counts))
    ax.figure.draw_without_rendering()
    boxes = sorted(label.get_window_extent().y0 for label in ax.get_yticklabels())
    size = ax.get_yticklabels()[0].get_fontsize() * ax.figure.dpi / 72
    assert len(boxes) >= min(systems, 60)
    assert np.diff(boxes).min() > 0.9 * size


def test_given_axes_are_used():
    result = meta.unjudged_by_rank(CAMPAIGN.runs, CAMPAIGN.qrels, depth=40)
    ax = Figure().add_subplot()
    assert plots.unjudged_by_rank(result, ax) is ax
    matrix = meta.residual_gain_matrix(CAMPAIGN.runs, CAMPAIGN.qrels)
    other = Figure().add_subplot()
    assert plots.residual_gain_matrix(matrix, other) is other
