"""The Pareto front of cost and score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.numeric import FloatArray
from ..exceptions import InputError
from ..meta.pareto import ParetoFront
from ..typing import MeasureLike
from .canvas import Names, check_kind, check_results, label_of, names_on, plain
from .labels import label_points, leave_room
from .style import INTERVAL, draw_dots, styled_axes, subtitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW = 10  # a choice: more names in a sentence are not read

MANY_TIMES = 30  # a choice: on an axis of numbers, most points would lie in its first tenth

SAMPLES = 40  # positions on each straight part of the front, so that no label covers it


def pareto_front(
    front: ParetoFront,
    labels: Sequence[str] | None = None,
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
    labels
        One label per point; if None, the names of the front.
    ax
        Axes to draw on; if None, those of a new figure.
    measure
        The measure of the scores: the label of the y axis.
    cost
        What the costs are, and their unit: the label of the x axis.
    width
        Width of a new figure, in inches, from 2 to 40; if None, 7. A column of a paper is 3.3 wide.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the number of labels is not the number of points.

    Notes
    -----
    - A name is left out if there is no room for it nearer to its point than to any other. The text
      above the picture names up to 10 points of the front, from the cheapest to the best.
    - The axis of costs is logarithmic if all costs are positive and the highest is at least 30
      times the lowest.

    Examples
    --------
    >>> from irx_measures import meta
    >>> from irx_measures.plots import pareto_front
    >>> front = meta.pareto_front([1, 2, 3], [0.5, 0.7, 0.6], ["a", "b", "c"])
    >>> [text.get_text() for text in pareto_front(front, measure="nDCG@10").texts]
    ['a', 'b']
    """
    check_kind("front", front, ParetoFront, "meta.pareto_front")
    labels = front.names if labels is None else labels
    if len(labels) != len(front.cost):
        raise InputError(
            f"`labels` must have one label per point ({len(front.cost)}); got {len(labels)}"
        )
    check_results(front.cost, "front")
    with styled_axes(ax, 4.0, width) as ax:
        if 0 < MANY_TIMES * front.cost.min() <= front.cost.max():
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter("{x:g}")
        draw_dots(ax, front.cost, front.score, front.on_front, 22, 1.0, clip_on=False)
        ax.set_xlabel(plain(cost))
        ax.set_ylabel(plain(label_of(measure)))
        leave_room(ax, x=0.1, y=0.08)
        steps = _draw_steps(ax, front)
        names, on_front = names_on(ax, labels), front.on_front.tolist()
        subtitle(
            ax,
            f"Filled: the {len(front.order)} of {len(labels)} points on the front"
            f"{_in_order(front, labels, names)}. No other point is at most as costly and at least "
            "as good, and also cheaper or better.",
        )
        named = [names(label) if on else "" for label, on in zip(labels, on_front, strict=True)]
        label_points(ax, front.cost, front.score, named, lines=steps)
    return ax


def _in_order(front: ParetoFront, labels: Sequence[str], names: Names) -> str:
    """The names on the front, by rising cost, if they are few."""
    if len(front.order) > FEW:
        return ""
    found = [labels[place] for place in front.order.tolist()]
    return f", by rising cost {names.writing.names(found)}"


def _draw_steps(ax: Axes, front: ParetoFront) -> FloatArray:
    """Draw the best score that each cost can buy, up to the right end of the axis.

    Returns
    -------
    (positions, 2) floats
        Positions on the line.
    """
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    if front.cost.min() >= 0:
        left = max(0.0, left)
    if front.score.min() >= 0:
        low = max(0.0, low)
    cost, score = front.cost[front.order], front.score[front.order]
    across, up = np.r_[cost[0], cost, right], np.r_[low, score, score[-1]]
    ax.step(across, up, where="post", color=INTERVAL, linewidth=1.2, marker="", zorder=1)
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)
    corners = np.column_stack([np.repeat(across, 2)[1:], np.repeat(up, 2)[:-1]])
    along = np.linspace(0.0, 1.0, SAMPLES)[:, np.newaxis, np.newaxis]
    return np.asarray(corners[:-1] * (1 - along) + corners[1:] * along).reshape(-1, 2)
