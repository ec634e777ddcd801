"""Scatter plots of systems by two measures."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

import ir_measures
import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.writing import counted
from ..comparison.shown import first_places
from ..comparison.two_measures import FRONT, TwoMeasures, two_measures
from ..measures.named_score import is_rising
from ..scoring.score_matrix import ScoreMatrix
from .canvas import Names, check_results, label_of, names_on, plain, say_undefined
from .labels import label_column, label_points, leave_room
from .style import draw_dots, look, styled_axes, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW = 12  # systems: not more are all named; a choice, labels then find room

MOVERS = 4  # the design's: the four that rise most, and the four that fall most

DENSE = 40  # systems: with more, names stand in columns beside the cloud (a choice)


def system_scatter(
    matrix: ScoreMatrix,
    x: ir_measures.Measure | str,
    y: ir_measures.Measure | str,
    ax: Axes | None = None,
    labelled: Container[str] | None = None,
    *,
    width: float | None = None,
    top: int | None = None,
) -> Axes:
    """Plot the mean scores of systems by two measures (NRG paper, Figure 2).

    Each group of systems has its own marker and colour. Without groups, a filled dot means that no
    other system is at least as good on both measures and better on one.

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
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.
    top
        Show this number of systems, at least 2, the best by `x`, and the best ones by `y`. If None,
        at most 200. Ranks and counts are those of all systems.

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

    Notes
    -----
    With `top`, a system whose mean is very low does not squeeze the others.

    Examples
    --------
    >>> import irx_measures
    >>> from irx_measures.plots import system_scatter
    >>> runs = {"a": {"q": {"A": 1.0}}, "b": {"q": {"X": 1.0}}}
    >>> measures = ["P@1", "UniqueRel(prior=others)@1"]
    >>> matrix = irx_measures.evaluate(runs, {"q": {"A": 1, "X": 0}}, measures)
    >>> system_scatter(matrix, *measures).get_xlabel()
    'P@1'
    """
    check_results(matrix.systems, "matrix")
    labels = label_of(x), label_of(y)
    of_both = matrix.select([x, y])
    rising = is_rising(of_both.measures[0]), is_rising(of_both.measures[1])
    found = two_measures(matrix.systems, labels, of_both.aggregates, rising=rising)
    say_undefined(
        [name for name in matrix.systems if name not in found.systems], len(found.means.T)
    )
    kept, excerpt = _kept(found, top)
    places = kept.tolist()
    across, up = found.means[:, places]
    systems = [found.systems[place] for place in places]
    group = dict(zip(matrix.systems, matrix.groups or (), strict=False))
    groups = [group[name] for name in systems] if group else None
    best, risers, fallers = (
        {new for new, place in enumerate(places) if place in some}
        for some in _extremes(found, kept)
    )
    extremes = labelled is None and len(found.systems) > FEW
    if extremes:
        named = {*best, *risers, *fallers}
    else:
        named = {n for n, name in enumerate(systems) if labelled is None or name in labelled}
    with styled_axes(ax, 4.4, width) as ax:
        names = names_on(ax, matrix.systems)
        written = list(map(names, systems))
        _draw_systems(ax, across, up, groups, found.front[places])
        ax.set_xlabel(plain(labels[0]))
        ax.set_ylabel(plain(labels[1]))
        if named:
            leave_room(ax, x=0.15, y=0.08)
        _keep_zero_at_the_edge(ax, across, up)
        subtitle(ax, _summary(found, groups is None, extremes, names, excerpt))
        if extremes and len(systems) > DENSE:
            label_points(ax, across, up, _only(best, written))
            label_column(ax, across, up, _only(risers, written), left=True)
            label_column(ax, across, up, _only(fallers, written), left=False)
        elif named:
            label_points(ax, across, up, _only(named, written))
    return ax


def _kept(found: TwoMeasures, top: int | None) -> tuple[Int64Array, str]:
    """The positions of the systems that are drawn, and the sentence that says so."""
    of_best = np.argsort(-found.gains[0], kind="stable").tolist()
    which = f"{found.labels[0]} and the best by {found.labels[1]}"
    first, excerpt = first_places(of_best, top, which)
    return np.union1d(np.array(first, int), np.flatnonzero(found.best)), excerpt


def _extremes(found: TwoMeasures, kept: Int64Array) -> tuple[set[int], set[int], set[int]]:
    """The best by each measure, and of the others kept those that rise and that fall most."""
    best = set(np.flatnonzero(found.best).tolist())
    rise = -found.changes
    rise[[*best, *set(range(len(rise))).difference(kept.tolist())]] = 0
    order = np.argsort(-rise, kind="stable").tolist()
    risers = {place for place in order[:MOVERS] if rise[place] > 0}
    fallers = {place for place in order[-MOVERS:] if rise[place] < 0}
    return best, risers, fallers


def _only(places: Container[int], systems: Sequence[str]) -> list[str]:
    """The names at these places; the other names are empty."""
    return [name if place in places else "" for place, name in enumerate(systems)]


def _summary(
    found: TwoMeasures,
    filled: bool,
    extremes: bool,
    names: Names,
    excerpt: str,
) -> str:
    systems = len(found.systems)
    texts = [f"Means of {counted(systems, 'system')}; {found.sentence(names.writing)}"]
    if filled:
        texts.append(f"Filled: {FRONT}.")
    if extremes:
        texts.append(
            f"Named: the best by each measure, and the {MOVERS} that rise and the {MOVERS} that "
            f"fall most in rank from {found.labels[0]} to {found.labels[1]}."
        )
    if excerpt:
        texts.append(excerpt)
    return " ".join(texts)


def _draw_systems(
    ax: Axes,
    across: FloatArray,
    up: FloatArray,
    groups: Sequence[str] | None,
    filled: BoolArray,
) -> None:
    if groups is None:
        draw_dots(ax, across, up, filled, 18, 0.9, clip_on=False)
        return
    names = names_on(ax, groups)
    for number, group in enumerate(dict.fromkeys(groups)):
        members = [position for position, other in enumerate(groups) if other == group]
        colour, marker = look(number)
        ax.scatter(
            across[members], up[members], s=20, marker=marker, color=colour, linewidths=0,
            label=names(group), clip_on=False, zorder=3,
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
