"""Swap rates as curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..meta.swap import SwapCurve
from .canvas import LEGEND_LINE, defined, legend_below, plain
from .style import MUTED, look, styled_axes, subtitle

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
    with styled_axes(ax, 4.0 + LEGEND_LINE * len(labels)) as ax:
        for number, label in enumerate(labels):
            result = results[label]
            seen = result.differing > 0
            colour, marker = look(number)
            ax.plot(
                result.difference[seen], result.rate[seen], color=colour, marker=marker,
                markersize=4, label=plain(label), clip_on=False,
            )  # fmt: skip
        ax.axhline(rate, color="0.4", linewidth=0.8, linestyle=":", marker="")
        ax.annotate(
            f"swap rate {rate:g}", (1, rate), (-3, 2), xycoords=("axes fraction", "data"),
            ha="right", textcoords="offset points", color=MUTED, fontsize=7,
        )  # fmt: skip
        ax.set_ylim(bottom=0)
        ax.set_xlabel("difference of two systems (lower edge of its bin)")
        ax.set_ylabel("swap rate")
        drawn = dict.fromkeys(
            f"{results[label].trials} pairs of disjoint sets of {results[label].topics} topics"
            for label in labels
        )
        subtitle(
            ax,
            "Share of pairs of systems that a second set of topics orders differently, by their "
            f"difference on the first set ({', '.join(drawn)}).",
        )
        legend_below(ax)
    return ax
