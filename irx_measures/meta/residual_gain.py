"""What each system adds to each other system."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..common.arrays import FloatArray, Int64Array
from ..exceptions import InputError
from ..measures.relative import PriorMeasure
from ..measures.strings import parse_measure
from ..runsets.runset import RunSet
from ..scoring.evaluate import set_of
from ..scoring.subset_scorer import SubsetScorer
from ..stats.pairs import Pairs
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
        from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering

        if len(self.systems) < 3:  # nothing to cluster
            return np.argsort(-self.given_all, kind="stable")
        pairs = Pairs.of(len(self.systems))
        apart = ((self.given + self.given.T) / 2)[pairs.first, pairs.second]
        leaves = leaves_list(optimal_leaf_ordering(linkage(apart, "average"), apart))
        gain, half = self.given_all[leaves], len(leaves) // 2
        forwards = gain[:half].mean() >= gain[-half:].mean()
        return np.asarray(leaves if forwards else leaves[::-1], np.int64)

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
    Every pair of systems is evaluated as if only these two had taken part, so the time grows with
    the square of the number of systems: a second for 37 systems and 43 queries, 15 seconds for 129
    systems and 50 queries.

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
    scorer = SubsetScorer(runset, qrels, scored, strict=strict)
    given = np.full((count, count), np.nan)
    for pair in combinations(range(count), 2):
        one, other = scorer(pair).mean(axis=1).tolist()
        given[pair], given[pair[::-1]] = one, other
    given_all = scorer(range(count)).mean(axis=1)
    return ResidualGainMatrix(scorer.systems, str(scored), given, given_all)
