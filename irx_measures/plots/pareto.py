"""The Pareto front of cost and score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..exceptions import InputError
from ..meta.pareto import ParetoFront
from .canvas import new_axes
from .scatter import _scatter_groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def pareto_front(front: ParetoFront, labels: Sequence[str], ax: Axes | None = None) -> Axes:
    """Score against cost, a marker for each label, and the front as a line.

    Parameters
    ----------
    front
        As `irx_measures.meta.pareto_front` gives it.
    labels
        What each point is of, such as its system.
    ax
        Where to draw; a new figure where None.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        When there is not one label for each point.
    """
    if len(labels) != len(front.cost):
        raise InputError(
            f"`labels` must have one label per point ({len(front.cost)}); got {len(labels)}"
        )
    ax = ax or new_axes()
    _scatter_groups(ax, front.cost, front.score, labels)
    ax.step(front.cost[front.order], front.score[front.order], where="post", color="0.4", zorder=0)
    ax.set_xlabel("cost")
    ax.set_ylabel("score")
    ax.legend(fontsize="small")
    return ax
