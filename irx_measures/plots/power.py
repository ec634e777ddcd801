"""Discriminative power: achieved significance levels, and which systems differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..meta.power import DiscriminativePower
from .canvas import LEGEND_LINE, check_results, legend_below, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 0.1

LINES = ("-", "--", "-.", ":")


def asl_curves(
    results: Mapping[str, DiscriminativePower], ax: Axes | None = None, up_to: float = SHOWN
) -> Axes:
    """Plot the achieved significance levels of all pairs, sorted (Sakai 2006, Figure 2).

    The further left a measure's curve drops, the more pairs of systems it distinguishes.

    Parameters
    ----------
    results
        Results, by their legend labels.
    ax
        Axes to draw on; if None, those of a new figure.
    up_to
        The highest level shown.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no result.

    Examples
    --------
    >>> from irx_measures.meta import discriminative_power
    >>> from irx_measures.plots import asl_curves
    >>> scores = [[0.9, 0.7, 0.8], [0.5, 0.2, 0.4], [0.4, 0.3, 0.3]]
    >>> len(asl_curves({"AP": discriminative_power(scores, test="t")}).get_lines())
    2
    """
    check_results(results)
    ax = ax or new_axes(height=5.0 + LEGEND_LINE * len(results))
    for number, (label, result) in enumerate(results.items()):
        curve = result.asl_curve
        style = LINES[number // 10 % len(LINES)]  # colours repeat after 10 curves
        ax.plot(np.arange(1, len(curve) + 1), curve, style, label=plain(label), linewidth=1.5)
    ax.axhline(0.05, color="0.4", linewidth=0.8, linestyle=":")
    ax.annotate(
        "0.05", (0, 0.05), (3, 2), xycoords=("axes fraction", "data"),
        textcoords="offset points", color="0.4", fontsize="small",
    )  # fmt: skip
    ax.set_ylim(0, up_to)
    ax.set_xlim(left=0)
    ax.set_xlabel("pairs of systems, by falling significance level")
    ax.set_ylabel("achieved significance level")
    ax.grid(alpha=0.3)
    legend_below(ax)
    return ax


NAMED = 60


def significance_heatmap(
    power: DiscriminativePower,
    ax: Axes | None = None,
    levels: tuple[float, float] = (0.95, 0.99),
) -> Axes:
    """Plot which pairs of systems differ significantly. Systems are sorted from best to worst.

    Parameters
    ----------
    power
        The result for one measure.
    ax
        Axes to draw on; if None, those of a new figure.
    levels
        A lower and a higher confidence level, in (0, 1). The colour of a pair shows which system
        is better, and at which of the two levels the difference is significant.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    With more than 60 systems, the axes do not show the systems' names.
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap

    ax = ax or new_axes()
    systems = len(power.systems)
    shade, better = np.zeros((2, systems, systems))
    above = np.triu_indices(systems, 1)
    reached = sum(power.significant_pairs(level).astype(int) for level in levels)
    better[above] = np.sign(power.difference)
    shade[above] = better[above] * reached
    order = np.argsort(-(better - better.T).sum(axis=1), kind="stable")
    shade = (shade - shade.T)[np.ix_(order, order)]
    colours = ListedColormap(["#b2182b", "#f4a582", "#f0f0f0", "#92c5de", "#2166ac"])
    image = ax.imshow(shade, cmap=colours, norm=BoundaryNorm(np.arange(-2.5, 3), 5))
    bar = ax.figure.colorbar(image, ax=ax, ticks=[-2, -1, 0, 1, 2], shrink=0.8)
    low, high = (f"{level:.4g}%" for level in np.array(levels) * 100)
    meanings = [f"row worse, {high}", f"row worse, {low}", "no difference"]
    meanings += [f"row better, {low}", f"row better, {high}"]
    bar.ax.set_yticklabels(meanings, fontsize="small")
    if systems <= NAMED:
        size = min(9.0, 240.0 / systems)
        names = [plain(power.systems[position]) for position in order]
        ax.set_yticks(range(systems), names, fontsize=size)
        ax.set_xticks(range(systems), names, fontsize=size, rotation=90)
    else:
        ax.set_ylabel("systems, best first")
        ax.set_xlabel("systems, best first")
    ax.tick_params(length=0)
    return ax
