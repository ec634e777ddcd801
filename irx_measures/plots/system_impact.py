"""The impact of the number of systems as curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from ..meta.system_impact import SystemImpact
from .canvas import LEGEND_LINE, check_results, defined, legend_below, plain
from .style import look, styled_axes, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def impact_curves(results: Mapping[str, SystemImpact], ax: Axes | None = None) -> Axes:
    """Plot the mean correlation against the number of systems (rareness paper, Table 3).

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
    with styled_axes(ax, 4.0 + LEGEND_LINE * len(results)) as ax:
        for number, (label, result) in enumerate(results.items()):
            colour, marker = look(number)
            reach = 2 * result.error
            up = np.minimum(reach, 1.0 - result.mean)  # no correlation is above 1
            ax.errorbar(
                result.sizes, result.mean, (reach, up.clip(0.0)), label=plain(label), capsize=2,
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
        legend_below(ax)
    return ax
