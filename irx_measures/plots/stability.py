"""Stability of the comparison of each pair of systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..meta.stability import Stability
from .canvas import check_results, new_axes

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
    ax = ax or new_axes()
    for label, result in results.items():
        curve = np.sort(result.per_pair)[::-1]
        ax.plot(np.arange(1, len(curve) + 1), curve, label=f"{label}: {result.value:.3f}")
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlim(left=0)
    ax.set_xlabel("pairs of systems, by falling stability")
    ax.set_ylabel("stability")
    ax.grid(alpha=0.3)
    ax.legend(fontsize="small")
    return ax
