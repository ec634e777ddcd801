"""Scatter plots of systems: two measures, or score and cost."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

import ir_measures
import numpy as np
from numpy.typing import NDArray

from ..scoring.score_matrix import ScoreMatrix
from .canvas import check_results, new_axes, plain, say_undefined
from .labels import label_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = "osD^v<>PX*hd"


def system_scatter(
    matrix: ScoreMatrix,
    x: ir_measures.Measure | str,
    y: ir_measures.Measure | str,
    ax: Axes | None = None,
    labelled: Container[str] = (),
) -> Axes:
    """Plot the mean scores of systems by two measures (NRG paper, Figure 2).

    Each group of systems has its own marker.

    Parameters
    ----------
    matrix
        Scores of both measures.
    x, y
        The measures on the axes.
    ax
        Axes to draw on; if None, those of a new figure.
    labelled
        Systems to label, for instance ``matrix.systems``. Labels do not overlap. A label is left
        out if there is no room for it.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If there is no system, or no system has a score by both measures.

    Warns
    -----
    EvaluationWarning
        If systems are left out, because a score of theirs is undefined.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import system_scatter
    >>> runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"X": 1.0}}}
    >>> measures = ["P@1", "UniqueRel(prior=others)@1"]
    >>> matrix = irx_measures.evaluate(runs, {"q": {"A": 1}}, measures)
    >>> system_scatter(matrix, *measures).get_xlabel()
    'P@1'
    """
    check_results(matrix.systems, "matrix")
    both = matrix.select([x, y]).aggregates
    shown = np.flatnonzero(np.isfinite(both).all(axis=0))
    hidden = [name for place, name in enumerate(matrix.systems) if place not in shown]
    say_undefined(hidden, len(shown))
    ax = ax or new_axes()
    across, up = both[:, shown]
    groups = matrix.groups or ("systems",) * len(matrix.systems)
    _scatter_groups(ax, across, up, [groups[place] for place in shown])
    ax.set_xlabel(str(x))
    ax.set_ylabel(str(y))
    systems = [matrix.systems[place] for place in shown]
    names = [system if system in labelled else "" for system in systems]
    if matrix.groups is not None:
        legend = ax.legend(title="group", fontsize="small")
        if any(names):  # put the legend beside the axes, to leave room for the labels
            legend.set_loc("upper left")
            legend.set_bbox_to_anchor((1.01, 1.0), ax.transAxes)
    if any(names):
        ax.margins(x=0.15, y=0.08)
        label_points(ax, across, up, names)
    return ax


def _scatter_groups(
    ax: Axes, across: NDArray[np.float64], up: NDArray[np.float64], groups: Sequence[str]
) -> None:
    from matplotlib import colormaps

    # The ten strong colours of tab20, then their pale twins.
    colours = colormaps["tab20"](np.r_[0:20:2, 1:20:2])
    for number, group in enumerate(dict.fromkeys(groups)):
        members = [position for position, other in enumerate(groups) if other == group]
        marker, colour = MARKERS[number % len(MARKERS)], colours[number % len(colours)]
        ax.scatter(across[members], up[members], marker=marker, color=[colour], label=plain(group))
    ax.grid(alpha=0.3)
