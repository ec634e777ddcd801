"""Rank correlations: as a function of a parameter, and side by side."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ..meta.correlation import RankCorrelation
from .canvas import check_results, defined, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = "osD^v<>PX*"


def correlation_curves(
    results: Mapping[str, Mapping[float, RankCorrelation]],
    parameter: str = "alpha",
    ax: Axes | None = None,
) -> Axes:
    """Plot correlations, with intervals, against a measure's parameter (rareness paper, Figure 2).

    Parameters
    ----------
    results
        For each curve, by its legend label: the correlation at each value of the parameter.
    parameter
        Label of the x axis.
    ax
        Axes to draw on; if None, those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no correlation, or every correlation is undefined.

    Warns
    -----
    EvaluationWarning
        If undefined correlations are left out.
    """
    check_results(results)
    for curve in results.values():
        check_results(curve)
    points = {
        f"{label} at {parameter}={value:g}": correlation.value
        for label, curve in results.items()
        for value, correlation in curve.items()
    }
    defined(points, isfinite)
    ax = ax or new_axes()
    drawn: list[str] = []
    for number, (label, curve) in enumerate(results.items()):
        across = sorted(value for value in curve if isfinite(curve[value].value))
        if not across:
            continue
        values = np.array([curve[value].value for value in across])
        low, high = np.array([curve[value].interval for value in across]).T
        marker = MARKERS[number % len(MARKERS)]
        (line,) = ax.plot(across, values, marker=marker, markersize=5, label=label)
        ax.fill_between(across, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
        drawn += [curve[value].coefficient for value in across]
    ax.set_xlabel(parameter)
    ax.set_ylabel(" / ".join(dict.fromkeys(drawn)))
    ax.grid(alpha=0.3)
    ax.legend(fontsize="small")
    return ax


def correlation_bars(results: Mapping[str, RankCorrelation], ax: Axes | None = None) -> Axes:
    """Plot correlations side by side, with their intervals.

    Parameters
    ----------
    results
        Correlations, by their labels on the y axis.
    ax
        Axes to draw on; if None, those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    Raises and warns as `correlation_curves` does.
    """
    labels = defined(results, lambda result: isfinite(result.value))
    ax = ax or new_axes()
    for row, result in enumerate(results[label] for label in labels):
        low, high = result.interval
        ax.plot([low, high], [row, row], color="C0", linewidth=2, alpha=0.6)
        ax.plot(result.value, row, "o", color="C0")
    ax.set_yticks(range(len(labels)), labels, fontsize="small")
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.set_xlabel(" / ".join(dict.fromkeys(result.coefficient for result in results.values())))
    ax.grid(alpha=0.3, axis="x")
    return ax
