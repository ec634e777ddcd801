"""Stability of the comparison of each pair of systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..meta.stability import Stability
from .canvas import LEGEND_LINE, check_results, legend_below, plain
from .style import line_look, styled_axes, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def stability_curves(results: Mapping[str, Stability], ax: Axes | None = None) -> Axes:
    """Plot the stability of every pair of systems, sorted. The legend shows the mean.

    Parameters
    ----------
    results
        Results, by their legend labels.
    ax
        Axes to draw on; if None, those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no result.
    """
    check_results(results)
    with styled_axes(ax, 4.0 + LEGEND_LINE * len(results)) as ax:
        for number, (label, result) in enumerate(results.items()):
            colour, style = line_look(number)
            curve = np.sort(result.per_pair)[::-1]
            ax.plot(
                np.arange(1, len(curve) + 1), curve, color=colour,
                linestyle=style, marker="",
                label=f"{plain(label)}: {result.value:.3f}",
            )  # fmt: skip
        ax.set_ylim(0, 1.02)
        ax.set_xlim(left=0)
        ax.set_xlabel("pairs of systems, by falling stability")
        ax.set_ylabel("stability")
        how = ", or ".join(dict.fromkeys(map(_how_compared, results.values())))
        subtitle(
            ax,
            "Share of the random topic sets that agree on the better system of a pair; the key has "
            f"the mean ({how}).",
        )
        legend_below(ax)
    return ax


def _how_compared(result: Stability) -> str:
    kind = "relative" if result.relative else "absolute"
    return (
        f"{result.trials} sets of {result.topics} topics; differences within {kind} fuzziness "
        f"{result.fuzziness:g} are ties, which no system wins"
    )
