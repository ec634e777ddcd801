"""What each system adds to each other system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.numeric import FloatArray, Int64Array, IntArray
from ..common.progress import with_bar
from ..common.writing import PLAIN, Writing
from ..exceptions import InputError
from ..measures.relative import PriorMeasure
from ..measures.strings import parse_measure
from ..runsets.judged_set import JudgedSet
from ..scoring.evaluate import judged_documents, score_shared, set_of
from ..stats.clustering import order_by_similarity
from ..stats.ranks import rounded
from ..stats.results import Columns, StudyResult
from ..typing import MeasureLike, QrelsLike, RunsLike
from .results import NO_CLASS

CLASSES = 7  # of scores, each with its own shade: as many as in the report's design

# The shades change between these quantiles of the scores: a system that returns hardly anything
# has a row and a column of extreme scores, and would take the shades of all others.
CENTRAL = (0.04, 0.96)  # as in the report's design

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # round numbers; larger steps are these x 100

MOST_NAMED = 3  # of the systems that add most, in one sentence


@dataclass(frozen=True, eq=False, repr=False)
class ResidualGainMatrix(StudyResult):
    """Mean scores of each system, given each other system.

    The report and the plot place what stands here: the scores, their order, the limits of their
    classes, and the sentence.

    Attributes
    ----------
    systems : tuple of str
    measure : str
    given : (systems, systems) floats
        The score of the row's system if the column's system is the only prior. NaN on the diagonal.
    given_all : (systems,) floats
        The score of each system if all others are priors.
    alone : (systems,) floats
        The score of each system without priors.
    """

    systems: tuple[str, ...]
    measure: str
    given: FloatArray
    given_all: FloatArray
    alone: FloatArray

    @cached_property
    def order(self) -> Int64Array:
        """Positions of the systems such that systems that add little to each other are neighbours.

        The order is that of the leaves of average linkage (optimal leaf ordering) of the mean of
        both directions. It starts at the end whose half of the systems adds more, given all others.
        """
        return order_by_similarity(self.given, self.given_all)

    @cached_property
    def limits(self) -> FloatArray:
        """Round limits between the classes of scores, ascending: (6,).

        The central 92% of the scores lie between the first and the last where round limits allow
        it. NaN if every score is undefined.
        """
        scores = self.given[np.isfinite(self.given)]
        if not len(scores):
            return np.full(CLASSES - 1, np.nan)
        low, high = (float(value) for value in np.quantile(scores, CENTRAL))
        inner = CLASSES - 2
        step = _round_step((high - low) / (inner + 1))
        first = max(step, round((low + high - step * inner) / 2 / step) * step)
        return (first + step * np.arange(CLASSES - 1)).round(6)

    @property
    def classes(self) -> IntArray:
        """The class of each score, from 0 to 6; -1 if it is undefined: (systems, systems)."""
        found = np.searchsorted(self.limits, self.given, side="right")
        return np.where(np.isfinite(self.given), found, NO_CLASS)

    @cached_property
    def most_alike(self) -> list[tuple[int, int]]:
        """Positions of the pairs of systems that are most alike; several if they are equally alike.

        They are the pairs of which the system that keeps the larger share of its score, given the
        other, keeps the smallest share. The first of a pair keeps this larger share. Systems
        that have no score without priors are in no pair.
        """
        alone = np.where(self.alone > 0, self.alone, np.nan)
        kept = self.given / alone[:, np.newaxis]
        larger = rounded(np.maximum(kept, kept.T))
        first, second = np.triu_indices(len(self.systems), 1)
        either = larger[first, second]
        if not np.isfinite(either).any():
            return []
        pairs = np.flatnonzero(either == np.nanmin(either))
        return [
            (one, other) if kept[one, other] >= kept[other, one] else (other, one)
            for one, other in zip(first[pairs].tolist(), second[pairs].tolist(), strict=True)
        ]

    def sentence(self, writing: Writing = PLAIN) -> str:
        """Which systems add most, and which are most alike."""
        return " ".join(filter(None, [self._adds_most(writing), self._alike(writing)]))

    def _adds_most(self, writing: Writing) -> str:
        scores = rounded(np.where(np.isfinite(self.given_all), self.given_all, 0.0))
        groups: list[str] = []
        left = MOST_NAMED
        for score in -np.unique(-scores[scores > 0]):
            tied = [self.systems[place] for place in np.flatnonzero(scores == score).tolist()]
            names = writing.names(tied) if len(tied) <= left else f"{len(tied)} systems"
            each = " each" if len(tied) > 1 else ""
            groups.append(f"{names} ({writing.number(float(score))}{each})")
            left -= len(tied)
            if left <= 0:
                break
        if not groups:
            return "Given all others, no system adds anything."
        first, *then = groups
        verb = "adds" if np.count_nonzero(scores == scores.max()) == 1 else "add"
        return f"{', then '.join([f'Given all others, {first} {verb} most', *then])}."

    def _alike(self, writing: Writing) -> str:
        if not self.most_alike or len(self.systems) < MOST_NAMED:
            return ""  # of two systems, there is one pair
        one, other = self.most_alike[0]
        names = [self.systems[place] for place in (one, other)]
        opening = f"The two most alike are {writing.names(names)}"
        if len(self.most_alike) > 1:
            opening = f"{len(self.most_alike):,} pairs are equally alike, such as "
            opening += writing.names(names)
        return (
            f"{opening}: given the second, the first keeps "
            f"{writing.number(float(self.given[one, other]))} of its "
            f"{writing.number(float(self.alone[one]))}."
        )

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
    progress: bool | None = None,
) -> ResidualGainMatrix:
    """Score each system given each other system.

    Parameters
    ----------
    runs, qrels, strict, progress
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
    runset = set_of(runs, None, strict)
    count = len(runset)
    if count < 2:
        raise InputError(f"`runs` must hold at least two runs; got {count}")
    found = score_shared(runset, judged_documents(qrels, strict), [scored], progress)
    return residual_gain_of(found.judged_set, scored, progress=progress)


def residual_gain_of(
    judged: JudgedSet,
    measure: PriorMeasure,
    queries: Sequence[int] | None = None,
    progress: bool | None = False,
) -> ResidualGainMatrix:
    """The scores of a judged set; means over these queries of its judgments, or over all."""
    over = np.arange(len(judged.judgments.query_ids)) if queries is None else np.asarray(queries)
    names = with_bar(judged.names, "prior", progress)
    priors = zip(names, measure.scores_given_each(judged), strict=True)
    given = np.array([scores[:, over].mean(axis=1) for _, scores in priors]).T
    np.fill_diagonal(given, np.nan)
    return ResidualGainMatrix(
        judged.names,
        str(measure),
        given,
        measure.score_set(judged)[:, over].mean(axis=1),
        measure.scores_alone(judged)[:, over].mean(axis=1),
    )


def _round_step(smallest: float) -> float:
    """The smallest round step of at least a size."""
    scale = 1.0
    while True:
        for step in STEPS:
            if step * scale >= smallest - 1e-9:  # a round size may be a little too large
                return step * scale
        scale *= 100.0
