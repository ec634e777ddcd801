"""Unjudged documents by rank, as a strip per system."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..common.writing import percent
from ..comparison.shown import first_places
from ..meta.unjudged import LIMITS, UnjudgedByRank
from .canvas import Names, check_kind, check_results, key_below, names_on
from .style import (
    UNJUDGED_RAMP,
    hide_frame,
    styled_axes,
    subtitle,
    write_names,
    write_right,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, NARROW_ROW, MANY_SYSTEMS = 0.15, 0.06, 60  # inches, inches; more systems are drawn closer

TALLEST = 10.6  # inches, of all rows: with the rest, about the height of a page

TOPS = (10, 100)  # the cutoff of nDCG@10, and the deepest usual pool


def unjudged_by_rank(
    result: UnjudgedByRank,
    ax: Axes | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot the share of unjudged documents over ranks, as a strip per system.

    The system with the smallest share stands at the top.

    Parameters
    ----------
    result
        The result of `irx_measures.meta.unjudged_by_rank`.
    ax
        Axes to draw on; if None, those of a new figure.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.
    top
        Show this number of systems, at least 2, those with the smallest share. If None, at
        most 200.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    - A strip has at most 20 cells of equal numbers of ranks. A cell is white if the system returns
      no document there.
    - Where names have no room, only every second, third, ... system is named.

    Examples
    --------
    >>> from irx_measures import meta
    >>> from irx_measures.plots import unjudged_by_rank
    >>> run = {"q": {"A": 3.0, "X": 2.0, "B": 1.0}}
    >>> result = meta.unjudged_by_rank({"a": run}, {"q": {"A": 1, "B": 0}}, depth=3)
    >>> unjudged_by_rank(result).get_xlabel()
    'rank'
    """
    check_kind("result", result, UnjudgedByRank, "meta.unjudged_by_rank")
    check_results(result.systems, "result")
    by_share = np.argsort(result.share_at(result.depth), kind="stable").tolist()
    order, shown = first_places(by_share, top, "their share in the ranks drawn")
    row = ROW if len(order) <= MANY_SYSTEMS else NARROW_ROW
    with styled_axes(ax, 1.4, width, rows=min(TALLEST, row * len(order))) as ax:
        names = names_on(ax, result.systems)
        _draw_cells(ax, result, order)
        hide_frame(ax)
        ax.set_xlabel("rank")
        _name_rows(ax, result, order, names)
        key_below(ax, UNJUDGED_RAMP, _classes())
        subtitle(
            ax,
            f"Share of documents that are unjudged ({result.queries} queries). "
            f"Right: share of the top {' and of the top '.join(map(str, _tops(result)))}. "
            f"{result.sentence(TOPS[0])} {shown}".rstrip(),
        )
    return ax


def _tops(result: UnjudgedByRank) -> list[int]:
    return sorted({min(top, result.depth) for top in TOPS})


def _draw_cells(ax: Axes, result: UnjudgedByRank, order: list[int]) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap

    shares = result.shares(result.bins)[order]
    systems, depth = len(shares), result.depth
    across = np.linspace(0, depth, result.bins + 1).astype(int) + 0.5
    norm = BoundaryNorm([0.0, *LIMITS, 1.0 + 1e-9], len(UNJUDGED_RAMP))
    ax.pcolormesh(
        across, np.arange(systems + 1) - 0.5, np.ma.masked_invalid(shares), norm=norm,
        cmap=ListedColormap(list(UNJUDGED_RAMP)), edgecolors="white",
        linewidth=0.5 if systems <= MANY_SYSTEMS else 0.2,
    )  # fmt: skip
    ax.set_xlim(0.5, depth + 0.5)
    ax.set_ylim(systems - 0.5, -0.5)


def _classes() -> list[str]:
    """What the colours mean."""
    ends = [f"{100 * step:g}" for step in LIMITS]
    between = [f"{low} to {high}%" for low, high in pairwise(ends)]
    return [f"below {ends[0]}%", *between, f"{ends[-1]}% or more"]


def _name_rows(ax: Axes, result: UnjudgedByRank, order: list[int], names: Names) -> None:
    """Write names at the left, and the shares of the top documents at the right."""
    tops = _tops(result)

    def write(named: list[int], size: float) -> None:
        places = [order[row] for row in named]
        counts = [result.counts_at(top) for top in tops]
        shares = [
            [f"{percent(unjudged[place], returned[place]):>5}" for unjudged, returned in counts]
            for place in places
        ]
        ax.set_yticks(named, [names(result.systems[place]) for place in places], fontsize=size)
        write_right(ax, named, list(map("   ".join, shares)), size)

    write_names(ax, len(order), write)
