"""What each system adds to each other system, as a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..meta.residual_gain import ResidualGainMatrix
from .canvas import LONGEST_LABEL, Names, check_results, cut, figure_of, label_of
from .style import (
    AMOUNT_RAMP,
    hide_frame,
    room_for,
    size_in_points,
    styled_axes,
    subtitle,
    write_right,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAPS = 70  # systems: with more, cells have no gaps; the report's cells shrink there too


def residual_gain_matrix(result: ResidualGainMatrix, ax: Axes | None = None) -> Axes:
    """Plot the mean score of each system (row), given each other system (column).

    Parameters
    ----------
    result
        The result of `irx_measures.meta.residual_gain_matrix`.
    ax
        Axes to draw on; if None, those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If every score is undefined.

    Notes
    -----
    - Systems that add little to each other are neighbours, so that families are pale squares.
    - Where names have no room, only every second, third, ... system is named.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import residual_gain_matrix
    >>> campaign = irx_measures.simulate_campaign(systems=4, seed=1)
    >>> result = irx_measures.meta.residual_gain_matrix(campaign.runs, campaign.qrels)
    >>> residual_gain_matrix(result).get_xlabel()
    'given'
    """
    check_results(result.given[np.isfinite(result.given)], "result")
    order, names = result.order, Names(result.systems)
    with styled_axes(ax, min(7.2, max(4.8, 2.6 + 0.15 * len(order)))) as ax:
        _draw_cells(ax, result)
        _name_both(ax, result, order.tolist(), names)
        subtitle(
            ax,
            f"{cut(label_of(result.measure), LONGEST_LABEL)} of the system in the row if the "
            "system in the column is the only prior. Neighbours add little to each other. "
            f"Right: given all others. {result.sentence(names.writing)}",
        )
    return ax


def _draw_cells(ax: Axes, result: ResidualGainMatrix) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    order, limits = result.order, result.limits
    given = np.ma.masked_invalid(result.given[np.ix_(order, order)])
    # The outer classes have no outer limit; these edges only hold all scores.
    step = limits[1] - limits[0]
    edges = [min(given.min(), limits[0]) - step, *limits, max(given.max(), limits[-1]) + step]
    systems = len(order)
    sides = np.arange(systems + 1) - 0.5
    cells = ax.pcolormesh(
        sides, sides, given, cmap=ListedColormap(list(AMOUNT_RAMP)),
        norm=BoundaryNorm(edges, len(AMOUNT_RAMP)), linewidth=0.5,
        edgecolors="white" if systems <= GAPS else "none",
    )  # fmt: skip
    ax.set_aspect("equal")
    ax.set_ylim(systems - 0.5, -0.5)
    hide_frame(ax)
    bar = figure_of(ax).colorbar(
        cells, ax=ax, shrink=0.6, pad=0.02, spacing="uniform", format="%.2f", aspect=30,
        ticks=limits,
    )  # fmt: skip
    bar.ax.tick_params(length=0, which="both")
    bar.outline.set_visible(False)


def _name_both(ax: Axes, result: ResidualGainMatrix, order: list[int], names: Names) -> None:
    """Write the names of rows and columns, and the scores given all others."""
    cell = min(size_in_points(ax)) / len(order)
    named, size = room_for(len(order), cell)
    labels = [names(result.systems[order[row]]) for row in named]
    ax.set_yticks(named, labels, fontsize=size)
    ax.set_xticks(named, labels, fontsize=size, rotation=90)
    ax.set_xlabel("given")
    ax.set_ylabel("system")
    scores = [f"{result.given_all[order[row]]:.3f}" for row in named]
    write_right(ax, named, scores, size)
