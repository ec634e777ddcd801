"""Systems as points: by two measures, or by cost and score, with names beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.placing import place_names
from ..common.validators import check_kind
from ..common.writing import counted
from ..comparison.shown import first_places
from ..exceptions import InputError
from ..measures.naming.named_score import is_rising
from ..meta.pareto import ParetoFront
from ..meta.two_measures import FRONT, LEAST_CHANGE, TwoMeasures, two_measures
from ..scoring.score_matrix import ScoreMatrix
from ..typing import Axes, MeasureLike
from . import style
from .docs import documented

FEW = 12  # systems: not more are all named; a choice, labels then find room

MOVERS = 4  # the design's: the four that rise most, and the four that fall most

MANY_TIMES = 30  # a choice: on an axis of numbers, most points would lie in its first tenth

NAME_SIZE, NAME_HEIGHT = 6.5, 6.9  # points: of the font, and from the highest to the lowest ink

SYSTEM, MEMBER = 18.0, 20.0  # points squared: a system's dot, and that of one in a group

OUTLINE = 1.1  # points: half of a dot's line lies outside the dot

GAP = 1.5  # points, a choice: between a dot and its name


@documented
def system_scatter(
    matrix: ScoreMatrix,
    x: MeasureLike,
    y: MeasureLike,
    ax: Axes | None = None,
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
    top
        Show this number of systems, at least 2, the best by `x`, and the best ones by `y`. If None,
        at most 200. Ranks and counts are those of all systems.
    %(drawn)s

    Raises
    ------
    ValueError
        If there is no system, no system has a score by both measures, or `x` and `y` are the same.

    Warns
    -----
    EvaluationWarning
        If systems without a score by both measures are left out.

    Notes
    -----
    - At most 12 systems are all named. Of more, the best system by each measure is named, and the
      four that rise and the four that fall most from `x` to `y`, by more than one rank. A name
      without room is left out.
    - With `top`, a system whose mean is very low does not squeeze the others.

    See Also
    --------
    irx_measures.evaluate : Computes the scores.
    """
    check_kind("matrix", matrix, ScoreMatrix, "irx_measures.evaluate")
    style.check_results(matrix.systems, "matrix")
    of_both = matrix.select([x, y])
    if len(of_both.measures) != 2:
        raise InputError(f"`x` and `y` must name two measures; got {x} and {y}")
    labels = style.label_of(of_both.measures[0]), style.label_of(of_both.measures[1])
    rising = is_rising(of_both.measures[0]), is_rising(of_both.measures[1])
    found = two_measures(matrix.systems, labels, of_both.aggregates, rising=rising)
    undefined = [name for name in matrix.systems if name not in found.systems]
    style.say_undefined(undefined, len(found.systems))
    kept, excerpt = _kept(found, top)
    across, up = found.means[:, kept]
    systems = [found.systems[place] for place in kept.tolist()]
    group = dict(zip(matrix.systems, matrix.groups or (), strict=False))
    groups = [group[name] for name in systems] if group else []
    named = _named(found, kept)
    with style.picture(ax, 4.2, width, rows=style.KEY_LINE * len(set(groups)) / 3) as ax:
        names = style.names_of(ax, matrix.systems, 0.25)
        _draw_systems(ax, across, up, groups, found.front[kept])
        style.name_axes(ax, style.axis_of(of_both.measures[0]), style.axis_of(of_both.measures[1]))
        ax.margins(x=0.15, y=0.12)
        _keep_zero_at_the_edge(ax, across, up)
        style.caption(ax, _summary(found, not groups, excerpt))
        written = {systems.index(name): names[name] for name in named}
        label_points(ax, across, up, written, MEMBER)
    return ax


def _kept(found: TwoMeasures, top: int | None) -> tuple[Int64Array, str]:
    """The positions of the systems that are drawn, and the sentence that says so."""
    of_best = np.argsort(-found.gains[0], kind="stable").tolist()
    which = f"{found.labels[0]} and the best by {found.labels[1]}"
    first, excerpt = first_places(of_best, top, which)
    return np.union1d(np.array(first, int), np.flatnonzero(found.best)), excerpt


def _named(found: TwoMeasures, kept: Int64Array) -> list[str]:
    """All of few systems; of many, the best, then of the others those that rise and fall most."""
    if len(found.systems) <= FEW:
        return [found.systems[place] for place in kept.tolist()]
    best = np.flatnonzero(found.best)
    rise = -found.changes
    rise[[*best, *set(range(len(rise))).difference(kept.tolist())]] = 0
    order = np.argsort(-rise, kind="stable")
    most = [*order[:MOVERS], *order[-MOVERS:]]
    movers = [place for place in most if abs(rise[place]) >= LEAST_CHANGE]
    return list(dict.fromkeys(found.systems[place] for place in (*best, *movers)))


def _summary(found: TwoMeasures, filled: bool, excerpt: str) -> str:
    systems, writing = len(found.systems), style.names_in_caption(found.systems)
    texts = [f"Means of {counted(systems, 'system')}; {found.sentence(writing)}"]
    if filled:
        texts.append(f"Filled: {FRONT}.")
    if systems > FEW:
        texts.append(
            f"Named: the best by each measure, and the {MOVERS} that rise and the {MOVERS} that "
            f"fall most in rank, by more than one, from {found.labels[0]} to {found.labels[1]}."
        )
    return " ".join([*texts, excerpt])


def _draw_systems(
    ax: Axes, across: FloatArray, up: FloatArray, groups: Sequence[str], filled: BoolArray
) -> None:
    if not groups:
        style.draw_dots(ax, across, up, filled, SYSTEM)
        return
    names = style.names_of(ax, groups)
    for number, group in enumerate(dict.fromkeys(groups)):
        members = [position for position, other in enumerate(groups) if other == group]
        ax.scatter(
            across[members], up[members], s=MEMBER, linewidths=0, label=names[group], clip_on=False,
            zorder=3, **style.look(number),
        )  # fmt: skip
    style.key(ax, title="group")


def _keep_zero_at_the_edge(ax: Axes, across: FloatArray, up: FloatArray) -> None:
    """End the axes at 0 where no score is below it; their limits stay from here on."""
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    if across.min() >= 0:
        left = max(0.0, left)
    if up.min() >= 0:
        low = max(0.0, low)
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)


@documented
def pareto_front(
    front: ParetoFront,
    ax: Axes | None = None,
    *,
    measure: MeasureLike = "score",
    cost: str = "cost",
    width: float | None = None,
) -> Axes:
    """Plot score against cost, with the front as a line. Only points on the front are named.

    Parameters
    ----------
    front
        The result of `irx_measures.meta.pareto_front`.
    measure
        The measure of the scores: the label of the y axis.
    cost
        What the costs are, and their unit: the label of the x axis.
    %(drawn)s

    %(refused)s

    Notes
    -----
    - A name without room is left out.
    - The axis of costs is logarithmic if all costs are positive and the highest is at least 30
      times the lowest.

    See Also
    --------
    irx_measures.meta.pareto_front : Computes the front.
    """
    check_kind("front", front, ParetoFront, "meta.pareto_front")
    style.check_results(front.cost, "front")
    with style.picture(ax, 4.0, width) as ax:
        if 0 < MANY_TIMES * front.cost.min() <= front.cost.max():
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter("{x:g}")
        style.draw_dots(ax, front.cost, front.score, front.on_front)
        style.name_axes(ax, style.plain(cost), style.axis_of(measure))
        ax.margins(x=0.1, y=0.12)
        _keep_zero_at_the_edge(ax, front.cost, front.score)
        corners = _draw_front(ax, front)
        style.caption(
            ax,
            f"Filled: the {len(front.order)} of {len(front.names)} points on the front: no other "
            "point is at most as costly and at least as good, and also cheaper or better.",
        )
        names = style.names_of(ax, front.names, 0.25)
        written = {place: names[front.names[place]] for place in front.order.tolist()}
        label_points(ax, front.cost, front.score, written, style.DOT, corners)
    return ax


def _draw_front(ax: Axes, front: ParetoFront) -> FloatArray:
    """Draw the best score that each cost can buy, to the right end; its corners: (corners, 2)."""
    (_, right), (low, _) = ax.get_xlim(), ax.get_ylim()
    cost, score = front.cost[front.order], front.score[front.order]
    across, up = np.r_[cost[0], cost, right], np.r_[low, score, score[-1]]
    ax.step(across, up, where="post", color=style.INTERVAL, linewidth=1.2, marker="", zorder=1)
    return np.column_stack([np.repeat(across, 2)[1:], np.repeat(up, 2)[:-1]])


def label_points(
    ax: Axes,
    x: FloatArray,
    y: FloatArray,
    labels: Mapping[int, str],
    dot: float,
    steps: FloatArray | None = None,
) -> None:
    """Write labels, by the positions of their points, beside these: see `place_names`.

    The most important label comes first. `dot` is the size of the points, in points squared. It
    comes last: the layout of a figure of one axes stays as it is, as labels are placed in it.
    """
    figure = style.part_of(ax).figure
    figure.draw_without_rendering()
    if style.is_alone(ax):
        figure.set_layout_engine("none")
    unit = 72 / figure.dpi
    points = unit * ax.transData.transform(np.column_stack([x, y]))
    corners = None if steps is None else unit * ax.transData.transform(steps)
    radius = (np.sqrt(dot) + OUTLINE) / 2
    sizes = {
        place: (style.points_of(text, NAME_SIZE) / style.LABEL_SHARE, NAME_HEIGHT)
        for place, text in labels.items()
    }
    frame = tuple(unit * np.array(ax.get_window_extent().extents))
    boxes = place_names(points, sizes, radius, radius + GAP, frame, corners)
    for place, box in boxes.items():
        side, end = _end_at(points[place], box)
        offset = np.array([end, (box[1] + box[3]) / 2]) - points[place]
        ax.annotate(
            labels[place], (x[place], y[place]), tuple(offset), textcoords="offset points",
            ha=side, va="center", fontsize=NAME_SIZE, color=style.INK, in_layout=False,
        )  # fmt: skip


def _end_at(point: FloatArray, box: FloatArray) -> tuple[str, float]:
    """The end of a box that is at its point, and its place: a text may be shorter than its box."""
    left, _, right, _ = box.tolist()
    if left >= point[0]:
        return "left", left
    if right <= point[0]:
        return "right", right
    return "center", (left + right) / 2
