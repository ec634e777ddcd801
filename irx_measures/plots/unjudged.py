"""Unjudged documents by rank, as a strip per system."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..common.arrays import FloatArray
from ..meta.unjudged import UnjudgedByRank
from .canvas import check_results, plain_name
from .style import (
    UNJUDGED_RAMP,
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

BINS = 20

STEPS = (0.05, 0.25, 0.5, 0.75)  # shares at which the next colour starts

ROW, NARROW_ROW, MANY_SYSTEMS = 0.15, 0.06, 60  # inches, inches, systems

TALLEST = 12.0  # inches

TOPS = (10, 100)


def unjudged_by_rank(result: UnjudgedByRank, ax: Axes | None = None) -> Axes:
    """Plot the share of unjudged documents over ranks, as a strip per system.

    The system with the smallest share stands at the top.

    Parameters
    ----------
    result
        The result of `irx_measures.meta.unjudged_by_rank`.
    ax
        Axes to draw on; if None, those of a new figure.

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
    check_results(result.systems, "result")
    order = np.argsort(result.share_at(result.depth), kind="stable")
    row = ROW if len(order) <= MANY_SYSTEMS else NARROW_ROW
    with styled_axes(ax, min(TALLEST, 1.4 + row * len(order))) as ax:
        _draw_cells(ax, result.shares(min(BINS, result.depth))[order], result.depth)
        hide_frame(ax)
        ax.set_xlabel("rank")
        subtitle(
            ax,
            f"Share of documents that are unjudged ({result.queries} queries). "
            f"Right: share of the top {' and of the top '.join(map(str, _tops(result)))}.",
        )
        _name_rows(ax, result, order.tolist())
    return ax


def _tops(result: UnjudgedByRank) -> list[int]:
    return sorted({min(top, result.depth) for top in TOPS})


def _draw_cells(ax: Axes, shares: FloatArray, depth: int) -> None:
    from matplotlib.colors import BoundaryNorm, ListedColormap
    from matplotlib.patches import Patch

    systems, bins = shares.shape
    across = np.linspace(0, depth, bins + 1).astype(int) + 0.5
    norm = BoundaryNorm([0.0, *STEPS, 1.0 + 1e-9], len(UNJUDGED_RAMP))
    ax.pcolormesh(
        across, np.arange(systems + 1) - 0.5, np.ma.masked_invalid(shares), norm=norm,
        cmap=ListedColormap(list(UNJUDGED_RAMP)), edgecolors="white",
        linewidth=0.5 if systems <= MANY_SYSTEMS else 0.2,
    )  # fmt: skip
    ax.set_xlim(0.5, depth + 0.5)
    ax.set_ylim(systems - 0.5, -0.5)
    ends = [f"{100 * step:g}" for step in STEPS]
    labels = [f"below {ends[0]}%"]
    labels += [f"{low} to {high}%" for low, high in pairwise(ends)]
    labels.append(f"{ends[-1]}% or more")
    keys = [Patch(color=c, label=name) for c, name in zip(UNJUDGED_RAMP, labels, strict=True)]
    ax.figure.legend(handles=keys, loc="outside lower center", ncols=5, frameon=False, fontsize=7)


def _name_rows(ax: Axes, result: UnjudgedByRank, order: list[int]) -> None:
    """Write names at the left, and the shares of the top documents at the right."""
    height = size_in_points(ax)[1] / len(order)
    named = thinned(len(order), height)
    size = name_size(height * (named[1] if len(named) > 1 else 1))
    ax.set_yticks(named, [plain_name(result.systems[order[row]]) for row in named], fontsize=size)
    tops = np.column_stack([result.share_at(top) for top in _tops(result)])[order]
    shown = ["   ".join(f"{100 * value:4.0f}%" for value in tops[row]) for row in named]
    write_right(ax, named, shown, size)
