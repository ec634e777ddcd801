"""What each system adds to each other system, as a matrix."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..comparison.shown import first_places
from ..meta.residual_gain import ResidualGainMatrix
from .canvas import (
    LONGEST_BOTH,
    LONGEST_LABEL,
    Names,
    check_kind,
    check_results,
    cut,
    key_below,
    label_of,
    names_on,
)
from .style import (
    AMOUNT_RAMP,
    gap,
    hide_frame,
    styled_square,
    subtitle,
    write_names,
    write_right,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def residual_gain_matrix(
    result: ResidualGainMatrix,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot the mean score of each system (row), given each other system (column).

    Parameters
    ----------
    result
        The result of `irx_measures.meta.residual_gain_matrix`.
    ax
        Axes to draw on; if None, those of a new figure.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.
    top
        Show this number of systems, at least 2, those with the highest scores given all others.
        If None, at most 200.

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
    check_kind("result", result, ResidualGainMatrix, "meta.residual_gain_matrix")
    check_results(result.given[np.isfinite(result.given)], "result")
    by_score = np.argsort(-result.given_all, kind="stable")  # undefined ones are last
    kept, shown = first_places(by_score.tolist(), top, "the score given all others")
    order = result.order[np.isin(result.order, kept)]
    with styled_square(ax, max(4.8, 2.6 + 0.15 * len(order)), width) as ax:
        names = names_on(ax, result.systems, LONGEST_BOTH)
        _draw_cells(ax, result, order)
        _name_both(ax, result, order.tolist(), names)
        key_below(ax, AMOUNT_RAMP, _classes(result.limits))
        subtitle(
            ax,
            f"{cut(label_of(result.measure), LONGEST_LABEL)} of the system in the row if the "
            "system in the column is the only prior. Neighbours add little to each other. "
            f"Right: given all others. {result.sentence(names.writing)} {shown}".rstrip(),
        )
    return ax


def _draw_cells(ax: Axes, result: ResidualGainMatrix, order: Int64Array) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    limits = result.limits
    given = np.ma.masked_invalid(result.given[np.ix_(order, order)])
    # The outer classes have no outer limit; these edges only hold all scores.
    step = limits[1] - limits[0]
    edges = [min(given.min(), limits[0]) - step, *limits, max(given.max(), limits[-1]) + step]
    systems = len(order)
    sides = np.arange(systems + 1) - 0.5
    ax.pcolormesh(
        sides, sides, given, cmap=ListedColormap(list(AMOUNT_RAMP)),
        norm=BoundaryNorm(edges, len(AMOUNT_RAMP)), edgecolors="white", linewidth=gap(ax, systems),
    )  # fmt: skip
    ax.set_aspect("equal")
    ax.set_ylim(systems - 0.5, -0.5)
    hide_frame(ax)


def _classes(limits: FloatArray) -> list[str]:
    """What the colours mean."""
    ends = [f"{limit:.2f}" for limit in limits]
    between = [f"{low} to {high}" for low, high in pairwise(ends)]
    return [f"below {ends[0]}", *between, f"{ends[-1]} or more"]


def _name_both(ax: Axes, result: ResidualGainMatrix, order: list[int], names: Names) -> None:
    """Write the names of rows and columns, and the scores given all others."""

    def write(named: list[int], size: float) -> None:
        labels = [names(result.systems[order[row]]) for row in named]
        ax.set_yticks(named, labels, fontsize=size)
        ax.set_xticks(named, labels, fontsize=size, rotation=90)
        write_right(ax, named, [f"{result.given_all[order[row]]:.3f}" for row in named], size)

    ax.set_xlabel("given")
    ax.set_ylabel("system")
    write_names(ax, len(order), write, both=True)
