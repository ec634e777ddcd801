"""Scatter plots of systems by two measures."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

import ir_measures
import numpy as np

from ..common.arrays import FloatArray
from ..scoring.score_matrix import ScoreMatrix
from ..stats.correlation import coefficient_of
from ..stats.ranks import mean_ranks, rounded
from .canvas import check_results, label_of, plain, plain_name, say_undefined
from .labels import label_column, label_points
from .style import ABOVE, look, styled_axes, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW = 12  # systems: not more are all named

MOVERS = 4  # systems named of those that rise most, and of those that fall most

DENSE = 40  # systems: with more, names stand in columns beside the cloud


def system_scatter(
    matrix: ScoreMatrix,
    x: ir_measures.Measure | str,
    y: ir_measures.Measure | str,
    ax: Axes | None = None,
    labelled: Container[str] | None = None,
) -> Axes:
    """Plot the mean scores of systems by two measures (NRG paper, Figure 2).

    Each group of systems has its own marker and colour.

    Parameters
    ----------
    matrix
        Scores of both measures.
    x, y
        The measures on the axes.
    ax
        Axes to draw on; if None, those of a new figure.
    labelled
        Systems to label, for instance ``matrix.systems``. If None: all of at most 12 systems; of
        more, the best system by each measure, and the four that rise and the four that fall most
        from `x` to `y`. Labels do not overlap. A label is left out if there is no room for it.

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
    across, up = rounded(both[:, shown])
    systems = [matrix.systems[place] for place in shown]
    groups = [matrix.groups[place] for place in shown] if matrix.groups is not None else None
    best, risers, fallers = _extremes(across, up)
    if labelled is not None or len(systems) <= FEW:
        named = {n for n, name in enumerate(systems) if labelled is None or name in labelled}
    else:
        named = {*best, *risers, *fallers}
    with styled_axes(ax, 4.4) as ax:
        _draw_systems(ax, across, up, groups, named)
        names = [plain(label_of(measure)) for measure in (x, y)]
        ax.set_xlabel(names[0])
        ax.set_ylabel(names[1])
        if named:
            ax.margins(x=0.15, y=0.08)
        _keep_zero_at_the_edge(ax, across, up)
        extremes = labelled is None and len(systems) > FEW
        subtitle(ax, _summary(across, up, (label_of(x), label_of(y)), extremes))
        if extremes and len(systems) > DENSE:
            label_points(ax, across, up, _only(best, systems))
            label_column(ax, across, up, _only(risers, systems), left=True)
            label_column(ax, across, up, _only(fallers, systems), left=False)
        elif named:
            label_points(ax, across, up, _only(named, systems))
    return ax


def _extremes(across: FloatArray, up: FloatArray) -> tuple[set[int], set[int], set[int]]:
    """The best by each measure, and of the others those that rise and that fall most."""
    best = {int(np.argmax(across)), int(np.argmax(up))}
    rise = mean_ranks(across) - mean_ranks(up)
    rise[list(best)] = 0
    order = np.argsort(-rise, kind="stable").tolist()
    risers = {place for place in order[:MOVERS] if rise[place] > 0}
    fallers = {place for place in order[-MOVERS:] if rise[place] < 0}
    return best, risers, fallers


def _only(places: Container[int], systems: Sequence[str]) -> list[str]:
    """The names at these places; the other names are empty."""
    return [name if place in places else "" for place, name in enumerate(systems)]


def _summary(across: FloatArray, up: FloatArray, measures: tuple[str, str], extremes: bool) -> str:
    (tau,) = coefficient_of("tau_b", across[np.newaxis], up[np.newaxis], 0.5)
    text = f"Means of {len(across)} systems"
    if np.isfinite(tau):
        text += f"; Kendall's tau_b of the two rankings is {tau:.3f}"
    if not extremes:
        return f"{text}."
    return (
        f"{text}. Named: the best by each measure, and the {MOVERS} that rise and the {MOVERS} "
        f"that fall most in rank from {measures[0]} to {measures[1]}."
    )


def _draw_systems(
    ax: Axes,
    across: FloatArray,
    up: FloatArray,
    groups: Sequence[str] | None,
    named: Container[int],
) -> None:
    if groups is None:
        fill = [ABOVE if place in named else "white" for place in range(len(across))]
        ax.scatter(
            across, up, s=18, c=fill, edgecolors=ABOVE, linewidths=0.9, clip_on=False, zorder=3
        )
        return
    for number, group in enumerate(dict.fromkeys(groups)):
        members = [position for position, other in enumerate(groups) if other == group]
        colour, marker = look(number)
        ax.scatter(
            across[members], up[members], s=20, marker=marker, color=colour, linewidths=0,
            label=plain_name(group), clip_on=False, zorder=3,
        )  # fmt: skip
    ax.legend(
        title="group", fontsize="small", title_fontsize="small", alignment="left", frameon=False,
        loc="upper left", bbox_to_anchor=(1.01, 1.0),
    )  # fmt: skip


def _keep_zero_at_the_edge(ax: Axes, across: FloatArray, up: FloatArray) -> None:
    """End the axes at 0 where no score is below it."""
    if across.min() >= 0:
        ax.set_xlim(left=max(0.0, ax.get_xlim()[0]))
    if up.min() >= 0:
        ax.set_ylim(bottom=max(0.0, ax.get_ylim()[0]))
