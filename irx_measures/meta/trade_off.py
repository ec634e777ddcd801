"""Which systems are worth their cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import finite_array
from .frames import frame

if TYPE_CHECKING:
    from .frames import DataFrame


@dataclass(frozen=True)
class ParetoFront:
    """Points by cost and score, and which of them no other point beats.

    Attributes
    ----------
    cost, score : (points,) floats
    on_front : (points,) bools
        Points for which no other is at most as costly and at least as good, and better in one.
    """

    cost: NDArray[np.float64]
    score: NDArray[np.float64]
    on_front: NDArray[np.bool_]

    @property
    def order(self) -> NDArray[np.int64]:
        """Positions of the points on the front, by rising cost."""
        front = np.flatnonzero(self.on_front)
        return front[np.argsort(self.cost[front], kind="stable")]

    def to_frame(self) -> DataFrame:
        """A row per point: cost, score, on_front."""
        return frame({"cost": self.cost, "score": self.score, "on_front": self.on_front})

    @property
    def summary(self) -> str:
        """One line."""
        return f"Pareto front: {np.count_nonzero(self.on_front)} of {len(self.cost)} points"


def pareto_front(cost: ArrayLike, score: ArrayLike) -> ParetoFront:
    """The points that are worth their cost: lower cost and higher score are better.

    Parameters
    ----------
    cost, score : (points,)
        Finite numbers.

    Returns
    -------
    ParetoFront
        Of points equal in both, all are on the front or none.

    Raises
    ------
    ValueError
        When the lengths differ, or a number is not finite.

    Examples
    --------
    >>> from irx_measures.meta import pareto_front
    >>> pareto_front([1, 2, 3, 4], [0.5, 0.7, 0.6, 0.9]).on_front.tolist()
    [True, True, False, True]
    """
    costs, scores = finite_array("cost", cost, 1), finite_array("score", score, 1)
    if costs.ndim != 1 or costs.shape != scores.shape:
        raise ValueError(
            "`cost` and `score` must be of one dimension and equal length; "
            f"got shapes {costs.shape} and {scores.shape}"
        )
    order = np.lexsort((-scores, costs))
    best_before = np.maximum.accumulate(np.concatenate(([-np.inf], scores[order][:-1])))
    on_front = np.zeros(len(costs), bool)
    on_front[order] = scores[order] > best_before
    same = set(zip(costs[on_front], scores[on_front], strict=True))
    twins = [point in same for point in zip(costs, scores, strict=True)]
    return ParetoFront(costs, scores, on_front | np.array(twins, bool))
