"""Discriminative power: achieved significance levels, and which systems differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.arrays import FloatArray
from ..meta.power import DiscriminativePower
from ..stats.tests import TESTS
from ..typing import MeasureLike
from .canvas import (
    LEGEND_LINE,
    LONGEST_LABEL,
    check_results,
    cut,
    figure_of,
    label_of,
    legend_below,
    plain,
    plain_name,
)
from .style import (
    ABOVE,
    BELOW,
    MUTED,
    NOT_SIGNIFICANT,
    hide_frame,
    line_look,
    name_size,
    size_in_points,
    styled_axes,
    subtitle,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 0.1

VISIBLE = 0.02  # of the axis: a lower floor of the p-values is not drawn

PALE_BELOW, PALE_ABOVE = "#f0b9a0", "#9cc3e2"


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
    with styled_axes(ax, 4.0 + LEGEND_LINE * len(results)) as ax:
        for number, (label, result) in enumerate(results.items()):
            curve = result.asl_curve
            colour, style = line_look(number)
            ax.plot(
                np.arange(1, len(curve) + 1), curve, color=colour,
                linestyle=style, marker="", label=plain(label),
            )  # fmt: skip
        ax.axhline(0.05, color="0.4", linewidth=0.8, linestyle=":", marker="")
        ax.annotate(
            "0.05", (1, 0.05), (-3, 2), xycoords=("axes fraction", "data"), ha="right",
            textcoords="offset points", color=MUTED, fontsize=7,
        )  # fmt: skip
        top = _draw_floor(ax, results, up_to)
        ax.set_ylim(0, top)
        ax.set_xlim(left=0)
        ax.set_xlabel("pairs of systems, by falling significance level")
        ax.set_ylabel("achieved significance level")
        subtitle(
            ax,
            f"{'; '.join(dict.fromkeys(map(_how_tested, results.values())))}. "
            "A curve that drops further left belongs to a measure that distinguishes more pairs.",
        )
        legend_below(ax)
    return ax


def _draw_floor(ax: Axes, results: Mapping[str, DiscriminativePower], up_to: float) -> float:
    """Draw the levels that the resamples cannot reach; returns the upper end of the axis."""
    floor, drawn = max((result.least_p_value, result.resamples) for result in results.values())
    if floor < VISIBLE * up_to:
        return up_to
    ax.axhspan(0, floor, color=NOT_SIGNIFICANT, linewidth=0, zorder=0)
    ax.annotate(
        f"below {floor:.2g}: out of reach of {drawn} resamples", (1, 0), (-3, 3), ha="right",
        xycoords="axes fraction", textcoords="offset points", color=MUTED, fontsize=7,
    )  # fmt: skip
    return max(up_to, min(1.0, 1.5 * floor))


def _how_tested(power: DiscriminativePower) -> str:
    """The test, its correction, and what it was used on."""
    details = [f"{power.pairs} pairs of {len(power.systems)} systems"]
    if power.correction != "none":
        details.insert(0, f"{power.correction.capitalize()} correction")
    if power.resamples is not None:
        details.append(f"{power.resamples} resamples")
    return f"{TESTS[power.test].title}, {', '.join(details)}"


NAMED = 60


def significance_heatmap(
    power: DiscriminativePower,
    ax: Axes | None = None,
    levels: tuple[float, float] = (0.95, 0.99),
    *,
    measure: MeasureLike | None = None,
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
    measure
        The measure of the result, to name it.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    With more than 60 systems, the axes do not show the systems' names.
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap

    order, shade = _shades(power, levels)
    with styled_axes(ax, 5.2) as ax:
        colours = ListedColormap([BELOW, PALE_BELOW, NOT_SIGNIFICANT, PALE_ABOVE, ABOVE])
        image = ax.imshow(shade, cmap=colours, norm=BoundaryNorm(np.arange(-2.5, 3), 5))
        bar = figure_of(ax).colorbar(image, ax=ax, ticks=[-2, -1, 0, 1, 2], shrink=0.8)
        low, high = (f"{level:.4g}%" for level in np.array(levels) * 100)
        meanings = [f"row worse, {high}", f"row worse, {low}", "no difference"]
        meanings += [f"row better, {low}", f"row better, {high}"]
        bar.ax.set_yticklabels(meanings, fontsize="small")
        bar.ax.tick_params(length=0, which="both")
        bar.outline.set_visible(False)
        _name_systems(ax, [power.systems[position] for position in order])
        hide_frame(ax)
        whose = "" if measure is None else f"{cut(label_of(measure), LONGEST_LABEL)}: "
        differing = power.significant(levels[0])
        subtitle(
            ax, f"{whose}{differing} pairs differ at {low} ({_how_tested(power)}). Best at the top."
        )
    return ax


def _shades(
    power: DiscriminativePower, levels: tuple[float, float]
) -> tuple[list[int], FloatArray]:
    """The order of the systems, and by how many levels the row is better: -2 to 2."""
    shade, better = np.zeros((2, len(power.systems), len(power.systems)))
    above = np.triu_indices(len(power.systems), 1)
    reached = sum(power.significant_pairs(level).astype(int) for level in levels)
    better[above] = np.sign(power.difference)
    shade[above] = better[above] * reached
    order = np.argsort(-(better - better.T).sum(axis=1), kind="stable")
    return order.tolist(), (shade - shade.T)[np.ix_(order, order)]


def _name_systems(ax: Axes, systems: Sequence[str]) -> None:
    """Name rows and columns if there is room for the names."""
    if len(systems) > NAMED:
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_ylabel("systems, best first")
        ax.set_xlabel("systems, best first")
        return
    size = name_size(min(size_in_points(ax)) / len(systems))
    names = list(map(plain_name, systems))
    ax.set_yticks(range(len(names)), names, fontsize=size)
    ax.set_xticks(range(len(names)), names, fontsize=size, rotation=90)
