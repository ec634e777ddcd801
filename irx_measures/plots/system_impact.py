"""The impact of the number of systems as curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from ..meta.system_impact import SystemImpact
from .canvas import check_results, defined, new_axes
from .correlation import MARKERS

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
    Error bars show two standard errors of the mean in each direction.
    """
    check_results(results)
    points = {
        f"{label} with {size} systems": mean
        for label, result in results.items()
        for size, mean in zip(result.sizes.tolist(), result.mean.tolist(), strict=True)
    }
    defined(points, isfinite)
    ax = ax or new_axes()
    for number, (label, result) in enumerate(results.items()):
        ax.errorbar(
            result.sizes, result.mean, 2 * result.error, label=label, capsize=3,
            marker=MARKERS[number % len(MARKERS)], markersize=5,
        )  # fmt: skip
    ax.set_xscale("log", base=2)
    sizes: Sequence[int] = sorted({int(n) for result in results.values() for n in result.sizes})
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.set_xlabel("systems evaluated together")
    ax.set_ylabel(" / ".join(dict.fromkeys(result.coefficient for result in results.values())))
    ax.grid(alpha=0.3)
    ax.legend(fontsize="small")
    return ax
