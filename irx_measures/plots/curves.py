"""Curves of studies: achieved significance levels, stability, swap rates, numbers of systems."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ..common.numeric import FloatArray
from ..meta.power import DiscriminativePower
from ..meta.stability import Stability
from ..meta.swap import SwapCurve
from ..meta.system_impact import SystemImpact
from .canvas import (
    LEGEND_LINE,
    LONGEST_LABEL,
    Names,
    check_results,
    defined,
    legend_below,
    names_on,
)
from .power import how_tested
from .style import MUTED, NOT_SIGNIFICANT, draw_level, line_look, look, styled_axes, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 0.1  # twice the customary .05: larger p-values decide nothing

ASIDE = 0.05  # of the curves, a choice: the space at their left and right

VISIBLE = 0.02  # of the axis: a lower floor would lie on the axis itself


@contextmanager
def _axes_of(
    labels: Collection[str], ax: Axes | None, width: float | None
) -> Iterator[tuple[Axes, Names]]:
    """Axes for curves with a legend below them, and what the legend calls each curve."""
    with styled_axes(ax, 4.0, width, rows=LEGEND_LINE * len(labels)) as ax:
        yield ax, names_on(ax, labels, LONGEST_LABEL)
        legend_below(ax, ncols=len(labels))


def _draw_sorted(ax: Axes, number: int, curve: FloatArray, label: str) -> None:
    """Draw the falling values of all pairs of systems."""
    colour, style = line_look(number)
    pairs = np.arange(1, len(curve) + 1)
    ax.plot(pairs, curve, color=colour, linestyle=style, marker="", label=label)


def asl_curves(
    results: Mapping[str, DiscriminativePower],
    ax: Axes | None = None,
    up_to: float = SHOWN,
    *,
    width: float | None = None,
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
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

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
    with _axes_of(results, ax, width) as (ax, names):
        for number, (label, result) in enumerate(results.items()):
            _draw_sorted(ax, number, result.asl_curve, names(label))
        draw_level(ax, 0.05)
        top = _draw_floor(ax, results, up_to)
        ax.set_ylim(0, top)
        first = _zoom(ax, results.values(), top)
        ax.set_xlabel("pairs of systems, by falling significance level")
        ax.set_ylabel("achieved significance level")
        subtitle(
            ax,
            f"{'; '.join(dict.fromkeys(map(how_tested, results.values())))}. "
            "A curve that drops further left belongs to a measure that distinguishes more pairs."
            f"{f' Left of the axis, every level is above {top:g}.' if first else ''}",
        )
    return ax


def _zoom(ax: Axes, results: Collection[DiscriminativePower], top: float) -> float:
    """End the axis where the curves enter the picture and where all have come down.

    Returns
    -------
    float
        The left end: 0 if a curve enters the picture there, or if no curve does.
    """
    curves = [result.asl_curve for result in results]
    first = min(int(np.count_nonzero(curve > top)) for curve in curves)
    last = max(int(np.count_nonzero(curve > VISIBLE * top)) for curve in curves)
    longest = max(map(len, curves))
    if first == longest:
        first, last = 0, longest
    margin = ASIDE * max(last - first, 1)
    left, right = max(0.0, first - margin), min(longest, last + margin)
    ax.set_xlim(left, right)
    return left


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


def stability_curves(
    results: Mapping[str, Stability], ax: Axes | None = None, *, width: float | None = None
) -> Axes:
    """Plot the stability of every pair of systems, sorted. The legend shows the mean.

    Parameters
    ----------
    results
        Results, by their legend labels.
    ax
        Axes to draw on; if None, those of a new figure.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no result.
    """
    check_results(results)
    with _axes_of(results, ax, width) as (ax, names):
        for number, (label, result) in enumerate(results.items()):
            key = f"{names(label)}: {result.value:.3f}"
            _draw_sorted(ax, number, np.sort(result.per_pair)[::-1], key)
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
    return ax


def _how_compared(result: Stability) -> str:
    kind = "relative" if result.relative else "absolute"
    return (
        f"{result.trials} sets of {result.topics} topics; differences within {kind} fuzziness "
        f"{result.fuzziness:g} are ties, which no system wins"
    )


def swap_curves(
    results: Mapping[str, SwapCurve],
    ax: Axes | None = None,
    rate: float = 0.05,
    *,
    width: float | None = None,
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
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

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
    with _axes_of(labels, ax, width) as (ax, names):
        for number, label in enumerate(labels):
            result = results[label]
            seen = result.differing > 0
            colour, marker = look(number)
            ax.plot(
                result.difference[seen], result.rate[seen], color=colour, marker=marker,
                markersize=4, label=names(label), clip_on=False,
            )  # fmt: skip
        draw_level(ax, rate)
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
            f"difference on the first set ({', '.join(drawn)}). Dotted: a swap rate of {rate:g}.",
        )
    return ax


def impact_curves(
    results: Mapping[str, SystemImpact], ax: Axes | None = None, *, width: float | None = None
) -> Axes:
    """Plot the mean correlation against the number of systems (rareness paper, Table 3).

    Parameters
    ----------
    results
        Results, by their legend labels.
    ax
        Axes to draw on; if None, those of a new figure.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no result, or every mean is undefined.

    Warns
    -----
    EvaluationWarning
        If undefined means are left out.

    Notes
    -----
    Error bars show two standard errors of the mean in each direction, up to 1.
    """
    check_results(results)
    points = {
        f"{label} with {size} systems": mean
        for label, result in results.items()
        for size, mean in zip(result.sizes.tolist(), result.mean.tolist(), strict=True)
    }
    defined(points, isfinite)
    with _axes_of(results, ax, width) as (ax, names):
        for number, (label, result) in enumerate(results.items()):
            colour, marker = look(number)
            reach = 2 * result.error
            up = np.minimum(reach, 1.0 - result.mean)  # no correlation is above 1
            ax.errorbar(
                result.sizes, result.mean, (reach, up.clip(0.0)), label=names(label), capsize=2,
                elinewidth=0.9, color=colour, marker=marker, markersize=4.5,
            )  # fmt: skip
        ax.set_xscale("log", base=2)
        sizes: Sequence[int] = sorted({int(n) for result in results.values() for n in result.sizes})
        ax.set_xticks(sizes, [str(size) for size in sizes])
        ax.set_xlabel("systems evaluated together")
        ax.set_ylabel(" / ".join(dict.fromkeys(result.coefficient for result in results.values())))
        trials = dict.fromkeys(str(result.correlation.shape[1]) for result in results.values())
        systems = dict.fromkeys(str(len(result.systems)) for result in results.values())
        subtitle(
            ax,
            "Correlation of the ranking of a few systems, evaluated together, with their ranking "
            f"among all {' or '.join(systems)}: mean of {' or '.join(trials)} trials, and two "
            "standard errors in each direction.",
        )
    return ax
