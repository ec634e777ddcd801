"""What each system adds to each other system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.arrays import FloatArray, Int64Array
from ..exceptions import InputError
from ..measures.relative import PriorMeasure
from ..measures.strings import parse_measure
from ..runsets.runset import RunSet
from ..scoring.evaluate import judged_documents, score_shared, set_of
from ..stats.clustering import order_by_similarity
from ..stats.results import Columns, StudyResult
from ..typing import MeasureLike, QrelsLike, RunsLike


@dataclass(frozen=True, eq=False, repr=False)
class ResidualGainMatrix(StudyResult):
    """Mean scores of each system, given each other system.

    Attributes
    ----------
    systems : tuple of str
    measure : str
    given : (systems, systems) floats
        The score of the row's system if the column's system is the only prior. NaN on the diagonal.
    given_all : (systems,) floats
        The score of each system if all others are priors.
    """

    systems: tuple[str, ...]
    measure: str
    given: FloatArray
    given_all: FloatArray

    @property
    def order(self) -> Int64Array:
        """Positions of the systems such that systems that add little to each other are neighbours.

        The order is that of the leaves of average linkage (optimal leaf ordering) of the mean of
        both directions. It starts at the end whose half of the systems adds more, given all others.
        """
        return order_by_similarity(self.given, self.given_all)

    def to_columns(self) -> Columns:
        """One row per ordered pair of different systems: system, given, score."""
        row, column = np.nonzero(~np.eye(len(self.systems), dtype=bool))
        return {
            "system": [self.systems[place] for place in row.tolist()],
            "given": [self.systems[place] for place in column.tolist()],
            "score": self.given[row, column],
        }

    @property
    def summary(self) -> str:
        """The result in one line."""
        order = np.argsort(-self.given_all, kind="stable")[:3]
        most = ", ".join(f"{self.systems[place]} ({self.given_all[place]:.3f})" for place in order)
        return f"{self.measure} of {len(self.systems)} systems; given all others the most is {most}"


def residual_gain_matrix(
    runs: RunsLike,
    qrels: QrelsLike,
    measure: MeasureLike = "NRG(prior=others)@10",
    *,
    strict: bool = True,
) -> ResidualGainMatrix:
    """Score each system given each other system.

    Parameters
    ----------
    runs, qrels, strict
        As for `irx_measures.evaluate`; at least two runs.
    measure
        A measure with the prior `others`, of which all count: `NRG`, `UniqueRel` or `TaSC`.

    Returns
    -------
    ResidualGainMatrix

    Raises
    ------
    ValueError
        If the measure has no prior `others` of which all count, if there are fewer than two runs,
        and as for `irx_measures.evaluate`.

    Notes
    -----
    The time grows with the square of the number of systems.

    Examples
    --------
    The documents of b are a subset of those of a: given a, b adds nothing.

    >>> from irx_measures.meta import residual_gain_matrix
    >>> runs = {"a": {"q": {"A": 3.0, "B": 2.0}}, "b": {"q": {"A": 1.0}}}
    >>> residual_gain_matrix(runs, {"q": {"A": 1, "B": 1}}).given.round(3).tolist()
    [[nan, 0.631], [0.0, nan]]
    """
    scored = parse_measure(measure)
    if not (isinstance(scored, PriorMeasure) and scored.of_others and scored["select"] == "all"):
        raise InputError(
            "`measure` must have prior=others and select='all', as NRG(prior=others)@10; "
            f"got {scored}"
        )
    runset = set_of(runs, None, strict, RunSet)
    count = len(runset)
    if count < 2:
        raise InputError(f"`runs` must hold at least two runs; got {count}")
    found = score_shared(runset, judged_documents(qrels, strict), [scored], progress=None)
    each = scored.scores_given_each(found.judged_set)
    given = np.array([scores.mean(axis=1) for scores in each]).T
    np.fill_diagonal(given, np.nan)
    return ResidualGainMatrix(runset.names, str(scored), given, found.matrix.aggregates[0])
