"""Swap rates as curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..meta.swap import SwapCurve
from .canvas import defined, new_axes
from .correlation import MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def swap_curves(
    results: Mapping[str, SwapCurve], ax: Axes | None = None, rate: float = 0.05
) -> Axes:
    """Plot the swap rate against the score difference (Voorhees and Buckley 2002, Figure 1).

    Parameters
    ----------
    results
        Results, by their legend labels.
    ax
        Axes to draw on; if None, those of a new figure.
    rate
        The swap rate, in [0, 1], at which a horizontal line is drawn.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no result, or every swap rate is undefined.

    Warns
    -----
    EvaluationWarning
        If results whose swap rates are undefined are left out.

    Notes
    -----
    Bins in which no two systems differ on both sets have no point. The last bin also contains
    all larger differences.
    """
    labels = defined(results, lambda result: result.differing.any())
    ax = ax or new_axes()
    for number, label in enumerate(labels):
        result = results[label]
        seen = result.differing > 0
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
