"""Which systems are worth their cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..common.arrays import BoolArray, FloatArray, Int64Array
from ..common.validators import finite_array, names_of, numbers, refuse_undefined
from ..exceptions import InputError
from .results import Columns, StudyResult


@dataclass(frozen=True, eq=False, repr=False)
class ParetoFront(StudyResult):
    """Points by cost and score, and which of them no other point beats.

    Attributes
    ----------
    cost, score : (points,) floats
    on_front : (points,) bools
        Points for which no other is at most as costly and at least as good, and better in one.
    names : tuple of str
    """

    cost: FloatArray
    score: FloatArray
    on_front: BoolArray
    names: tuple[str, ...]

    @property
    def order(self) -> Int64Array:
        """Positions of the points on the front, by rising cost."""
        front = np.flatnonzero(self.on_front)
        return front[np.argsort(self.cost[front], kind="stable")]

    def to_columns(self) -> Columns:
        """A row per point: name, cost, score, on_front."""
        return {
            "name": self.names,
            "cost": self.cost,
            "score": self.score,
            "on_front": self.on_front,
        }

    @property
    def summary(self) -> str:
        """One line."""
        front = ", ".join(self.names[position] for position in self.order)
        return f"worth their cost are {len(self.order)} of {len(self.names)} points: {front}"


def pareto_front(
    cost: ArrayLike, score: ArrayLike, names: Sequence[str] | None = None
) -> ParetoFront:
    """The points that are worth their cost: lower cost and higher score are better.

    Parameters
    ----------
    cost, score : (points,)
        Finite numbers.
    names
        Of the points; positions where not given.

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
    refuse_undefined("score", np.atleast_1d(numbers("score", score)), names)
    costs, scores = finite_array("cost", cost, 1), finite_array("score", score, 1)
    if costs.ndim != 1 or costs.shape != scores.shape:
        raise InputError(
            "`cost` and `score` must be of one dimension and equal length; "
            f"got shapes {costs.shape} and {scores.shape}"
        )
    order = np.lexsort((-scores, costs))
    best_before = np.maximum.accumulate(np.concatenate(([-np.inf], scores[order][:-1])))
    on_front = np.zeros(len(costs), bool)
    on_front[order] = scores[order] > best_before
    same = set(zip(costs[on_front], scores[on_front], strict=True))
    twins = [point in same for point in zip(costs, scores, strict=True)]
    named = names_of("names", names, len(costs), "point")
    return ParetoFront(costs, scores, on_front | np.array(twins, bool), named)
