"""Swap rates as curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..meta.swap import SwapCurve
from .canvas import new_axes
from .stability import MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def swap_curves(
    results: Mapping[str, SwapCurve], ax: Axes | None = None, rate: float = 0.05
) -> Axes:
    """Swap rate against the difference of two systems (Voorhees and Buckley 2002, Figure 1).

    Parameters
    ----------
    results
        By what the legend calls them.
    ax
        Where to draw; a new figure where None.
    rate
        The swap rate at which a line is drawn.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    Bins without comparisons have no point; the last bin holds all that is beyond.
    """
    ax = ax or new_axes()
    for number, (label, result) in enumerate(results.items()):
        seen = result.compared > 0
        marker = MARKERS[number % len(MARKERS)]
        ax.plot(
            result.difference[seen], result.rate[seen], marker=marker, markersize=4, label=label
        )
    ax.axhline(rate, color="0.4", linewidth=0.8, linestyle=":")
    ax.set_ylim(bottom=0)
    ax.set_xlabel("difference of two systems (lower edge of its bin)")
    ax.set_ylabel("swap rate")
    ax.grid(alpha=0.3)
    ax.legend(fontsize="small")
    return ax
