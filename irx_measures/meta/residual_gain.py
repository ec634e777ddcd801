"""What each system adds to each other system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..common.progress import with_bar
from ..common.writing import PLAIN, Writing
from ..exceptions import InputError
from ..measures.declaring.relative import PriorMeasure
from ..measures.naming.strings import parse_measure
from ..results.base import StudyResult
from ..results.column import Column
from ..results.read_only import cached_array
from ..runsets.given import read_given
from ..runsets.judged_set import JudgedSet
from ..scoring.evaluate import score_shared
from ..stats.pairs import join_ties
from ..stats.ranks import order_by_similarity
from ..typing import MeasureLike, QrelsLike, RunsLike

MOST_NAMED = 3  # of the systems that add most, in one sentence


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

    See Also
    --------
    irx_measures.meta.residual_gain_matrix : Computes it.
    irx_measures.plots.residual_gain_matrix : Draws it.
    """

    systems: tuple[str, ...]
    measure: str
    given: FloatArray
    given_all: FloatArray

    @cached_array
    def order(self) -> Int64Array:
        """Positions of the systems; those that add little to each other are close: (systems,).

        The half that adds more comes first.
        """
        return order_by_similarity(self.given, self.given_all)

    def sentence(self, writing: Writing = PLAIN) -> str:
        """Which systems add most."""
        scores = join_ties(np.nan_to_num(self.given_all))
        most = [place for place in np.argsort(-scores, kind="stable")[:MOST_NAMED] if scores[place]]
        if not most:
            return "Given all others, no system adds anything."
        named = (
            f"{writing.name(self.systems[place])} ({writing.number(float(scores[place]))})"
            for place in most
        )
        return f"Given all others, these add most: {', '.join(named)}."

    def columns(self) -> list[Column]:
        """One row per ordered pair of different systems."""
        row, column = np.nonzero(~np.eye(len(self.systems), dtype=bool))
        names = np.array(self.systems, object)
        scores = self.given[row, column]
        return [
            Column("system", names[row], meaning="system that is scored", key=True),
            Column("given", names[column], meaning="system that is the only prior", key=True),
            Column("score", scores, meaning=f"mean {self.measure} of the system, given the other"),
        ]

    @property
    def summary(self) -> str:
        return f"{self.measure} of {len(self.systems)} systems. {self.sentence()}"


def residual_gain_matrix(
    qrels: QrelsLike,
    runs: RunsLike,
    measure: MeasureLike = "NRG(prior=others)@10",
    *,
    strict: bool = True,
    progress: bool | None = None,
) -> ResidualGainMatrix:
    """Score each system given each other system. The time grows with the square of their number.

    Parameters
    ----------
    qrels, runs, strict, progress
        As for `irx_measures.evaluate`; at least two runs.
    measure
        A measure with the prior `others`, of which all count: `NRG`, `UniqueRel` or `TaSC`.

    Returns
    -------
    ResidualGainMatrix
        The mean score of each system given each other system, and given all others.

    Raises
    ------
    ValueError
        When there are fewer than two runs, or `measure` has not the prior `others` of which all
        count; and as for `evaluate`.

    Examples
    --------
    Both systems return the relevant document B.

    >>> from irx_measures.meta import residual_gain_matrix
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}
    >>> qrels = {"q": {"A": 1, "B": 1, "C": 1}}
    >>> residual_gain_matrix(qrels, runs, "NRG(prior=others)@2").given.round(3)
    array([[  nan, 0.811],
           [0.811,   nan]])
    """
    scored = parse_measure(measure)
    if not counts_all_others(scored):
        raise InputError(
            "`measure` must have prior=others and select='all', as NRG(prior=others)@10; "
            f"got {scored}"
        )
    columns, runset = read_given(qrels, runs, strict=strict)
    count = len(runset)
    if count < 2:
        raise InputError(f"`runs` must hold at least two runs; got {count}")
    found = score_shared(columns, runset, [scored], progress)
    return residual_gain_of(found.judged_set, scored, progress=progress)


def counts_all_others(measure: object) -> TypeGuard[PriorMeasure]:
    """Whether the priors of a measure are all other systems."""
    if not isinstance(measure, PriorMeasure):
        return False
    return measure.of_others and measure["select"] == "all"


def residual_gain_of(
    judged: JudgedSet,
    measure: PriorMeasure,
    queries: Sequence[int] | slice = slice(None),
    progress: bool | None = False,
) -> ResidualGainMatrix:
    """The scores of a judged set; means over the queries at these positions, or over all."""
    names = with_bar(judged.names, "prior", progress)
    priors = zip(names, measure.scores_given_each(judged), strict=True)
    given = np.array([scores[:, queries].mean(axis=1) for _, scores in priors]).T
    np.fill_diagonal(given, np.nan)
    given_all = measure.score_set(judged)[:, queries].mean(axis=1)
    return ResidualGainMatrix(judged.names, str(measure), given, given_all)
