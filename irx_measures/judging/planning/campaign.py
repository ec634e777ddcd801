"""A judging campaign on arrays: what is judged, what it says, and what to judge next."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from .fill import fill, fusion_order
from .guarantee import Draws, GuaranteedStop
from .order import priorities
from .pool import JudgingPool
from .questions import Question
from .scorers import Scorer
from .tilts import FIRST_LOOKS, TiltScales
from .worlds import draw_worlds

FIRST = 2  # documents of each query that are judged first: a choice of the study

CANNOT_DIFFER = "the systems cannot differ"


class Batch(NamedTuple):
    """Documents that are asked for together, the most useful first.

    Attributes
    ----------
    documents : (documents,) ints
    priority : (documents,) floats
    probability : (documents, levels) floats, or None
        What was forecast of them; None in the first round, which is chosen without forecasts.
    draws : Draws, optional
        What the guaranteed stop needs to bet on the batch.
    counts : bool
        Whether its forecasts are of these systems, so that they show how good forecasts are.
    """

    documents: Int64Array
    priority: FloatArray
    probability: FloatArray | None
    draws: Draws | None = None
    counts: bool = True


class Campaign:
    """The judgments of a pool so far, and the rule that says when they are enough.

    Of two systems on a measure that is linear in the gains, the rule is `GuaranteedStop`. Otherwise
    a claim is made where it holds in enough worlds, but not before the first round is complete and
    two later batches show how good forecasts are.

    Parameters
    ----------
    pool
        The documents in the top k of the systems that are asked about.
    level : (documents,) ints
        The levels of judged documents; -1 for others. The campaign changes it.
    scorer, question
        What the campaign is about.
    confidence
        A claim is made where its probability is at least this.
    machine : (documents, features) floats
        See `machine.machine_features`.
    seed
        The random seed of the worlds and of the order of the guaranteed stop.

    Attributes
    ----------
    size : int
        Number of documents that can be asked for: those whose grade can change the answer, and
        the first round. It does not change.
    """

    def __init__(
        self,
        pool: JudgingPool,
        level: Int64Array,
        scorer: Scorer,
        question: Question,
        confidence: float,
        machine: FloatArray,
        seed: int,
    ) -> None:
        self.pool, self.level = pool, level
        self.scorer, self.question, self.confidence = scorer, question, confidence
        self._batches: list[Batch] = []
        self._machine, self._seed = machine, seed
        can_change = scorer.can_change(pool)
        self._stop: GuaranteedStop | None = None
        self._first = np.zeros(0, np.int64)
        if len(pool.names) == 2 and not scorer.normalised:
            self._stop = self._guaranteed_stop()
        elif can_change.any():
            self._first = _first_of_queries(pool)
        can_change[self._first] = True
        self._askable = can_change
        self.size = int(np.count_nonzero(can_change))

    def _guaranteed_stop(self) -> GuaranteedStop:
        first, second = self.scorer.weight(self.pool) / len(self.pool.query_ids)
        highest = self.scorer.gain.max()
        stop = GuaranteedStop(
            (first - second) * highest, alpha=1 - self.confidence, seed=self._seed
        )
        known = np.flatnonzero(self.level >= 0)
        stop.update(known, self._relevance[self.level[known]])
        return stop

    @property
    def _relevance(self) -> FloatArray:
        """The gain of each level over the highest one: (levels,)."""
        relevance: FloatArray = self.scorer.gain / self.scorer.gain.max()
        return relevance

    def take(self, documents: Int64Array, level: Int64Array) -> None:
        """Take judgments."""
        self.level[documents] = level
        if self._stop is not None:
            self._stop.update(documents, self._relevance[level])
        self._forget()

    def resume(self, batch: Batch) -> None:
        """Remember a batch that an earlier process asked for."""
        self._batches.append(batch)
        if self._stop is not None and batch.draws is not None:
            self._stop.resume(batch.draws)
        self._forget()

    def _forget(self) -> None:
        """Forget what followed from other judgments or forecasts."""
        for name in ("probable_level", "_means", "_checked"):
            vars(self).pop(name, None)

    def next(self, n: int) -> Batch:
        """The n documents to judge next; none after the end."""
        batch = self._next(0 if self.claimed or self.judged == self.size else n)
        self._batches.append(batch)
        return batch

    def _next(self, n: int) -> Batch:
        waiting = self._first[self.level[self._first] < 0][:n]
        if len(waiting):
            return Batch(waiting, np.ones(len(waiting)), None)
        probability = self.probable_level
        if self._stop is not None:
            draws = self._stop.ask(probability @ self._relevance, n)
            size = np.ptp(self.scorer.weight(self.pool)[:, draws.documents], axis=0)
            return Batch(draws.documents, size, probability[draws.documents], draws)
        priority = priorities(self.pool, self.level, probability, self.scorer)
        unjudged = np.flatnonzero(self._askable & (self.level < 0))
        documents = unjudged[np.argsort(-priority[unjudged], kind="stable")[:n]]
        return Batch(documents, priority[documents], probability[documents])

    @property
    def claim(self) -> str:
        """What is probable; it completes "P(...)"."""
        if not self.size:
            return CANNOT_DIFFER
        return self.question.claim if self._stop is None else "no wrong decision"

    @property
    def claimed(self) -> bool:
        """Whether the answer can be claimed; if all is judged, nothing is left to claim."""
        if self.judged == self.size:
            return False
        if self._stop is not None:
            return self._stop.decided is not None
        return self.may_claim and self.probability >= self.confidence

    @property
    def may_claim(self) -> bool:
        """Whether it was seen how good forecasts are. The guaranteed stop needs none."""
        first_round = bool((self.level[self._first] >= 0).all())
        return self._stop is not None or (first_round and self.looks >= FIRST_LOOKS)

    @property
    def probability(self) -> float:
        """The share of worlds in which the answer holds; of the guaranteed stop, 1 - 2 / e-value.

        What the guaranteed stop decided has at least the probability `confidence`.
        """
        if not self.size:
            return 1.0
        if self._stop is None:
            return self.question.probability(self._means)
        evidence = max(0.0, 1 - 2 / max(self._stop.e_values))
        return evidence if self._stop.decided is None else max(evidence, self.confidence)

    @property
    def answer(self) -> str:
        """The answer by `estimate`."""
        if not self.size:
            return f"{CANNOT_DIFFER}: they return the same documents"
        return self.question.answer(self.pool.names, self.estimate)

    @property
    def estimate(self) -> FloatArray:
        """The mean of each system over worlds; of the guaranteed stop, a sign: (systems,)."""
        if self._stop is None:
            mean: FloatArray = self._means.mean(axis=1)
            return mean
        sign = self._stop.decided
        if sign is None:
            sign = 1 if np.subtract(*self._stop.e_values) >= 0 else -1
        return np.array([sign, -sign], np.float64)

    @property
    def judged(self) -> int:
        """Number of judged documents, of those that can be asked for."""
        return int(np.count_nonzero(self._askable & (self.level >= 0)))

    @property
    def looks(self) -> int:
        """Number of batches of these systems whose forecasts were compared with judgments."""
        return self._checked[0]

    @cached_property
    def probable_level(self) -> FloatArray:
        """The forecast of each document's level: (documents, levels)."""
        return fill(self.pool, self.level, self._machine)

    @cached_property
    def _means(self) -> FloatArray:
        """The mean score of each system in each world: (systems, worlds)."""
        scales = self._checked[1]
        levels = draw_worlds(self.pool, self.level, self.probable_level, scales, self._seed)
        return self.scorer.means(self.pool, levels)

    @cached_property
    def _checked(self) -> tuple[int, TiltScales]:
        """Number of batches that show how good forecasts are, and the tilts that they show."""
        probability = np.full((len(self.pool), len(self.pool.grades)), np.nan)
        latest = np.full(len(self.pool), -1)  # batch that forecast it: it may be asked for again
        for number, batch in enumerate(self._batches):
            if batch.probability is not None:
                judged = self.level[batch.documents] >= 0
                probability[batch.documents[judged]] = batch.probability[judged]
                latest[batch.documents[judged]] = number
        compared = np.unique(latest[latest >= 0])
        looks = sum(self._batches[number].counts for number in compared.tolist())
        if looks < FIRST_LOOKS:
            return looks, TiltScales()
        documents = np.flatnonzero(~np.isnan(probability[:, 0]))
        return looks, TiltScales.of(
            self.pool, documents, self.level[documents], probability[documents]
        )


def _first_of_queries(pool: JudgingPool) -> Int64Array:
    """The best two documents of each query by fusion, the best of all queries first."""
    position = fusion_order(pool)
    by_query = np.lexsort((position, pool.doc_query))
    place = np.arange(len(pool)) - pool.start[pool.doc_query]
    return by_query[np.lexsort((pool.doc_query, place))][: np.sum(place < FIRST)]
