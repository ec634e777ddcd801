"""What each system adds to each other system, as a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..common.arrays import FloatArray
from ..meta.residual_gain import ResidualGainMatrix
from .canvas import LONGEST_LABEL, check_results, cut, figure_of, label_of, plain_name
from .style import (
    AMOUNT_RAMP,
    hide_frame,
    name_size,
    size_in_points,
    styled_axes,
    subtitle,
    thinned,
    write_right,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAPS = 70  # systems: with more, cells have no gaps

CENTRAL = (0.04, 0.96)  # quantiles between which the colours change


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
    given = result.given[np.isfinite(result.given)]
    check_results(given, "result")
    order = result.order
    with styled_axes(ax, min(6.6, max(4.2, 2.0 + 0.15 * len(order)))) as ax:
        _draw_cells(ax, result.given[np.ix_(order, order)], _edges(given))
        _name_both(ax, result, order.tolist())
        subtitle(
            ax,
            f"{cut(label_of(result.measure), LONGEST_LABEL)} of the system in the row if the "
            "system in the column is the only prior. Neighbours add little to each other. "
            "Right: given all others.",
        )
    return ax


def _edges(given: FloatArray) -> FloatArray:
    """Edges of the colours' classes, from 0 or below to the largest score."""
    low, high = np.quantile(given, CENTRAL)
    inner = np.linspace(low, high, len(AMOUNT_RAMP) + 1)[1:-1]
    edges = np.r_[min(0.0, given.min()), inner, given.max()]
    if (np.diff(edges) > 0).all():
        return edges
    return np.linspace(min(0.0, given.min()), max(given.max(), 1e-9), len(AMOUNT_RAMP) + 1)


def _draw_cells(ax: Axes, given: FloatArray, edges: FloatArray) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    systems = len(given)
    sides = np.arange(systems + 1) - 0.5
    cells = ax.pcolormesh(
        sides, sides, np.ma.masked_invalid(given), cmap=ListedColormap(list(AMOUNT_RAMP)),
        norm=BoundaryNorm(edges.tolist(), len(AMOUNT_RAMP)), linewidth=0.5,
        edgecolors="white" if systems <= GAPS else "none",
    )  # fmt: skip
    ax.set_aspect("equal")
    ax.set_ylim(systems - 0.5, -0.5)
    hide_frame(ax)
    bar = figure_of(ax).colorbar(
        cells, ax=ax, shrink=0.6, pad=0.02, spacing="uniform", format="%.3f", aspect=30
    )
    bar.ax.tick_params(length=0, which="both")
    bar.outline.set_visible(False)


def _name_both(ax: Axes, result: ResidualGainMatrix, order: list[int]) -> None:
    """Write the names of rows and columns, and the scores given all others."""
    cell = min(size_in_points(ax)) / len(order)
    named = thinned(len(order), cell)
    size = name_size(cell * (named[1] if len(named) > 1 else 1))
    names = [plain_name(result.systems[order[row]]) for row in named]
    ax.set_yticks(named, names, fontsize=size)
    ax.set_xticks(named, names, fontsize=size, rotation=90)
    ax.set_xlabel("given")
    ax.set_ylabel("system")
    scores = [f"{result.given_all[order[row]]:.3f}" for row in named]
    write_right(ax, named, scores, size)
