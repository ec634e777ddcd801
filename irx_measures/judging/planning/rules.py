"""The two rules of judging campaigns: what to judge next, and whether it is enough.

`Guarantee` is for two systems on a measure that is linear in the gains, `Worlds` for everything
else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from .forecasts import forecast, fusion_order
from .guarantee import Draws, GuaranteedStop
from .pool import JudgingPool
from .questions import Question
from .scorers import Scorer
from .worlds import FIRST_LOOKS, TiltScales, draw_worlds

FIRST = 2  # documents of each query that are judged first: a choice of the study


@dataclass(frozen=True, eq=False)
class Evidence:
    """The judgments of a pool at one moment, and the forecasts that were made before them.

    Attributes
    ----------
    pool
    grade : (documents,) ints
        The grades of judged documents; -1 for others.
    machine : (documents, features) floats
        See `forecasts.machine_features`.
    forecast : (documents, grades) floats
        The latest forecast of each document before it was judged; NaN if there is none.
    asked_in : (documents,) ints
        The number of the batch of that forecast, from 1; 0 for batches of other systems, which do
        not show how good the forecasts of these are.
    """

    pool: JudgingPool
    grade: Int64Array
    machine: FloatArray
    forecast: FloatArray
    asked_in: Int64Array

    @cached_property
    def probability(self) -> FloatArray:
        """The forecast of each document's grade now: (documents, grades)."""
        return forecast(self.pool, self.grade, self.machine)

    @property
    def looks(self) -> int:
        """Number of batches of these systems whose forecasts were compared with judgments."""
        compared = self.asked_in[self.grade >= 0]
        return len(np.unique(compared[compared > 0]))

    @property
    def scales(self) -> TiltScales:
        """How wrong forecasts were, by the documents that were judged after them."""
        if self.looks < FIRST_LOOKS:
            return TiltScales()
        compared = np.flatnonzero((self.grade >= 0) & ~np.isnan(self.forecast[:, 0]))
        return TiltScales.of(self.pool, compared, self.grade[compared], self.forecast[compared])


class Outcome(NamedTuple):
    """What a rule says of the judgments so far.

    Attributes
    ----------
    estimate : (systems,) floats
        What the answer follows from: mean scores, or a sign of each of two systems.
    probability : float
        The probability of the claim.
    enough : bool
        Whether the claim can be made.
    """

    estimate: FloatArray
    probability: float
    enough: bool


Asked = tuple[Int64Array, FloatArray, Draws | None]
"""Documents to judge next, the priority of each, and what the guarantee bets on them."""


class Rule(Protocol):
    """What a campaign needs to know of its rule.

    Attributes
    ----------
    claim : str
        What is probable; it completes "P(...)".
    first : (documents,) ints
        The documents of the first round, which are chosen without forecasts.
    """

    claim: str
    first: Int64Array

    def ask(self, evidence: Evidence, n: int, askable: Int64Array) -> Asked:
        """The next documents after the first round, at most n of those that can be asked for."""

    def outcome(self, evidence: Evidence) -> Outcome:
        """What the judgments say."""

    def resume(self, documents: Int64Array, draws: Draws) -> None:
        """Take the bets on a batch that an earlier process asked for, if the rule bets."""


class Worlds(Rule):
    """A claim is made where it holds in enough worlds.

    It is not made before the first round is complete, and two later batches show how good
    forecasts are.
    """

    def __init__(
        self, pool: JudgingPool, scorer: Scorer, question: Question, level: float, seed: int
    ) -> None:
        self.claim = question.claim
        self.first = _first_of_queries(pool)
        self._scorer, self._question, self._level, self._seed = scorer, question, level, seed

    def ask(self, evidence: Evidence, n: int, askable: Int64Array) -> Asked:
        priority = self._scorer.priorities(evidence.pool, evidence.grade, evidence.probability)
        documents = askable[np.argsort(-priority[askable], kind="stable")[:n]]
        return documents, priority[documents], None

    def outcome(self, evidence: Evidence) -> Outcome:
        pool, grade = evidence.pool, evidence.grade
        worlds = draw_worlds(pool, grade, evidence.probability, evidence.scales, self._seed)
        means = self._scorer.means(pool, worlds)
        probability = self._question.probability(means)
        seen = bool((grade[self.first] >= 0).all()) and evidence.looks >= FIRST_LOOKS
        return Outcome(means.mean(axis=1), probability, seen and probability >= self._level)


class Guarantee(Rule):
    """A claim is made where `GuaranteedStop` decides.

    The probability is 1 - 2 / e-value, and at least `level` where it has decided.
    """

    claim = "no wrong decision"

    def __init__(self, pool: JudgingPool, scorer: Scorer, level: float, seed: int) -> None:
        self.first = np.zeros(0, np.int64)
        self._weight, self._relevance = scorer.weight(pool), scorer.gain / scorer.gain.max()
        first, second = self._weight / len(pool.query_ids)
        difference = (first - second) * scorer.gain.max()
        self._level = level
        self._stop = GuaranteedStop(difference, alpha=1 - level, seed=seed)

    def ask(self, evidence: Evidence, n: int, askable: Int64Array) -> Asked:
        self._update(evidence)
        documents, draws = self._stop.ask(evidence.probability @ self._relevance, n)
        return documents, np.ptp(self._weight[:, documents], axis=0), draws

    def resume(self, documents: Int64Array, draws: Draws) -> None:
        self._stop.resume(documents, draws)

    def outcome(self, evidence: Evidence) -> Outcome:
        self._update(evidence)
        first, second = self._stop.e_values
        probability, sign = max(0.0, 1 - 2 / max(first, second)), self._stop.decided
        if sign is not None:
            return Outcome(np.array([sign, -sign], float), max(probability, self._level), True)
        sign = 1 if first >= second else -1
        return Outcome(np.array([sign, -sign], float), probability, False)

    def _update(self, evidence: Evidence) -> None:
        judged = np.flatnonzero(evidence.grade >= 0)
        self._stop.update(judged, self._relevance[evidence.grade[judged]])


def _first_of_queries(pool: JudgingPool) -> Int64Array:
    """The best two documents of each query by fusion, the best of all queries first."""
    position = fusion_order(pool)
    by_query = np.lexsort((position, pool.doc_query))
    place = np.arange(len(pool)) - pool.start[pool.doc_query]
    return by_query[np.lexsort((pool.doc_query, place))][: np.sum(place < FIRST)]
