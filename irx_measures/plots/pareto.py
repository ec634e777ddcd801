"""The Pareto front of cost and score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..exceptions import InputError
from ..meta.pareto import ParetoFront
from .canvas import check_results, new_axes
from .scatter import _scatter_groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def pareto_front(front: ParetoFront, labels: Sequence[str], ax: Axes | None = None) -> Axes:
    """Plot score against cost, with a marker for each label, and the front as a line.

    Parameters
    ----------
    front
        The result of `irx_measures.meta.pareto_front`.
    labels
        One label per point, for instance the name of its system.
    ax
        Axes to draw on; if None, those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If the number of labels is not the number of points.
    """
    if len(labels) != len(front.cost):
        raise InputError(
            f"`labels` must have one label per point ({len(front.cost)}); got {len(labels)}"
        )
    check_results(front.cost, "front")
    ax = ax or new_axes()
    _scatter_groups(ax, front.cost, front.score, labels)
    ax.step(front.cost[front.order], front.score[front.order], where="post", color="0.4", zorder=0)
    ax.set_xlabel("cost")
    ax.set_ylabel("score")
    ax.legend(fontsize="small")
    return ax
