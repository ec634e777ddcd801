"""Pareto front of systems by cost and score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.validators import finite_array, names_of
from ..exceptions import InputError
from ..results.base import StudyResult
from ..results.column import Column
from ..stats.ranks import pareto_optimal


@dataclass(frozen=True, eq=False, repr=False)
class ParetoFront(StudyResult):
    """Points with cost and score, and which of them are Pareto-optimal.

    Attributes
    ----------
    cost, score : (points,) floats
    on_front : (points,) bools
        Whether no other point is at most as costly and at least as good, and also strictly better
        in cost or score.
    names : tuple of str

    See Also
    --------
    irx_measures.meta.pareto_front : Computes it.
    irx_measures.plots.pareto_front : Draws it.
    """

    cost: FloatArray
    score: FloatArray
    on_front: BoolArray
    names: tuple[str, ...]

    @property
    def order(self) -> Int64Array:
        """Positions of the points on the front, in order of increasing cost."""
        front = np.flatnonzero(self.on_front)
        return front[np.argsort(self.cost[front], kind="stable")]

    def columns(self) -> list[Column]:
        """One row per point."""
        front = (
            "whether no other point is at most as costly and at least as good, and also cheaper or "
            "better"
        )
        return [
            Column("name", self.names, meaning="name of the point", key=True),
            Column("cost", self.cost, meaning="its cost"),
            Column("score", self.score, meaning="its score"),
            Column("on_front", self.on_front, meaning=front),
        ]

    @property
    def summary(self) -> str:
        front = ", ".join(self.names[position] for position in self.order)
        return f"{len(self.order)} of {len(self.names)} points are worth their cost: {front}"


def pareto_front(
    cost: ArrayLike, score: ArrayLike, names: Sequence[str] | None = None
) -> ParetoFront:
    """Find the Pareto-optimal points: lower cost and higher score are better.

    Points with equal cost and equal score are either all on the front or all off it.

    Parameters
    ----------
    cost, score : (points,)
        Finite numbers.
    names
        Names of the points; positions if not given.

    Returns
    -------
    ParetoFront
        The points, and which of them are on the front.

    Raises
    ------
    ValueError
        When `cost` and `score` are not finite numbers of one dimension and equal length, or `names`
        has another length.

    Examples
    --------
    The reranker costs more than the dense system, and scores less.

    >>> from irx_measures.meta import pareto_front
    >>> front = pareto_front([1, 2, 3], [0.4, 0.7, 0.6], ["bm25", "dense", "reranker"])
    >>> front.on_front.tolist()
    [True, True, False]
    """
    costs, scores = finite_array("cost", cost, 1), finite_array("score", score, 1, names)
    if costs.ndim != 1 or costs.shape != scores.shape:
        raise InputError(
            "`cost` and `score` must be of one dimension and equal length; "
            f"got shapes {costs.shape} and {scores.shape}"
        )
    named = names_of("names", names, len(costs), "point")
    return ParetoFront(costs, scores, pareto_optimal(costs, scores), named)
