"""A judging campaign on arrays: what is judged, what it says, and what to judge next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from .forecasts import forecast, fusion_order
from .guarantee import Draws, GuaranteedStop
from .log import Batch
from .pool import JudgingPool
from .questions import Question
from .scorers import Scorer
from .state import JudgingState, remaining
from .worlds import FIRST_LOOKS, TiltScales, draw_worlds

FIRST = 2  # documents of each query that are judged first: a choice of the study

CANNOT_DIFFER = "the systems cannot differ"


class Campaign:
    """The judgments of a pool so far, and the rule that says when they are enough.

    Of two systems on a measure that is linear in the gains, the rule is `GuaranteedStop`. Otherwise
    a claim is made where it holds in enough worlds, but not before the first round is complete and
    two later batches show how good forecasts are.

    Parameters
    ----------
    pool
        The documents in the top k of the systems that are asked about.
    grade : (documents,) ints
        The grades of judged documents; -1 for others. The campaign changes it.
    scorer, question
        What the campaign is about.
    level
        A claim is made where its probability is at least this.
    machine : (documents, features) floats
        See `forecasts.machine_features`.
    seed
        The random seed of the worlds and of the order of the guaranteed stop.
    batches
        What was asked for before, by this campaign or by another one with its log.

    Attributes
    ----------
    batches : list of Batch
        Those, and the ones that `next` returned.
    size : int
        Number of documents that can be asked for: those whose grade can change the answer, and
        the first round. It does not change.
    """

    def __init__(
        self,
        pool: JudgingPool,
        grade: Int64Array,
        scorer: Scorer,
        question: Question,
        level: float,
        machine: FloatArray,
        seed: int,
        batches: Iterable[Batch] = (),
    ) -> None:
        self.pool, self.grade = pool, grade
        self.scorer, self.question, self.level = scorer, question, level
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
        self.batches: list[Batch] = []
        # The latest forecast of each document, and the number of its batch from 1; 0 for batches
        # of other systems, which do not show how good the forecasts of these are.
        self._forecast = np.full((len(pool), len(pool.grades)), np.nan)
        self._asked_in = np.zeros(len(pool), np.int64)
        for batch in batches:
            documents = self._remember(batch)
            if self._stop is not None and batch.draws is not None and self._is_mine(batch):
                self._stop.resume(documents, batch.draws)
        # What follows from the judgments; None if it is not known yet.
        self._probability: FloatArray | None = None
        self._means: FloatArray | None = None

    def _guaranteed_stop(self) -> GuaranteedStop:
        first, second = self.scorer.weight(self.pool) / len(self.pool.query_ids)
        difference = (first - second) * self.scorer.gain.max()
        stop = GuaranteedStop(difference, alpha=1 - self.level, seed=self._seed)
        known = np.flatnonzero(self.grade >= 0)
        stop.update(known, self.scorer.relevance[self.grade[known]])
        return stop

    def take(self, documents: Int64Array, grade: Int64Array) -> None:
        """Take judgments."""
        self.grade[documents] = grade
        if self._stop is not None:
            self._stop.update(documents, self.scorer.relevance[grade])
        self._probability = self._means = None

    def next(self, n: int) -> tuple[Batch, FloatArray]:
        """The n documents to judge next, with the priority of each; none after the end."""
        state, pool = self.state, self.pool
        documents = self._first[self.grade[self._first] < 0][: 0 if state.settled else n]
        priority = np.ones(len(documents))
        forecasts: list[list[float]] = []
        draws: Draws | None = None
        if not (state.settled or len(documents)):
            probability = self.probability_of_grades
            if self._stop is not None:
                documents, draws = self._stop.ask(probability @ self.scorer.relevance, n)
                priority = np.ptp(self.scorer.weight(pool)[:, documents], axis=0)
            else:
                of_each = self.scorer.priorities(pool, self.grade, probability)
                unjudged = np.flatnonzero(self._askable & (self.grade < 0))
                documents = unjudged[np.argsort(-of_each[unjudged], kind="stable")[:n]]
                priority = of_each[documents]
            forecasts = probability[documents].tolist()
        batch = Batch(
            [pool.pairs[document] for document in documents.tolist()], forecasts,
            tuple(pool.grades.tolist()), pool.names, self.scorer.name, state, draws,
        )  # fmt: skip
        if batch.documents and self.batches[-1:] != [batch]:
            self._remember(batch)
        return batch, priority

    def _remember(self, batch: Batch) -> Int64Array:
        """Keep a batch and its forecasts; the positions of its documents, -1 if not in the pool."""
        self.batches.append(batch)
        place = self.pool.position
        documents = np.array([place.get(pair, -1) for pair in batch.documents], np.int64)
        known = documents >= 0
        if batch.forecasts:
            of_these = {*batch.systems} == {*self.pool.names}
            self._forecast[documents[known]] = np.array(batch.forecasts)[known]
            self._asked_in[documents[known]] = len(self.batches) if of_these else 0
        return documents

    def _is_mine(self, batch: Batch) -> bool:
        """Whether a batch was asked for by this campaign, and not by another one with its log."""
        about = {*batch.systems}, batch.measure, batch.state.claim
        return about == ({*self.pool.names}, self.scorer.name, self.claim)

    @property
    def state(self) -> JudgingState:
        """The answer now, its probability, and whether it is enough."""
        state = JudgingState(
            self.question.asked, self.claim, self.answer, self.probability, self.level,
            self.judged, self.size, self.looks, self.claimed,
        )  # fmt: skip
        before = [look for look in self.history if look.judged < state.judged]
        return replace(state, remaining=remaining([*before, state]))

    @property
    def history(self) -> list[JudgingState]:
        """The states before the batches of this campaign."""
        return [batch.state for batch in self.batches if self._is_mine(batch)]

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
        seen = bool((self.grade[self._first] >= 0).all()) and self.looks >= FIRST_LOOKS
        return seen and self.probability >= self.level

    @property
    def probability(self) -> float:
        """The share of worlds in which the answer holds; of the guaranteed stop, 1 - 2 / e-value.

        What the guaranteed stop decided has at least the probability `level`.
        """
        if not self.size:
            return 1.0
        if self._stop is None:
            return self.question.probability(self.means_in_worlds)
        evidence = max(0.0, 1 - 2 / max(self._stop.e_values))
        return evidence if self._stop.decided is None else max(evidence, self.level)

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
            mean: FloatArray = self.means_in_worlds.mean(axis=1)
            return mean
        sign = self._stop.decided
        if sign is None:
            sign = 1 if np.subtract(*self._stop.e_values) >= 0 else -1
        return np.array([sign, -sign], np.float64)

    @property
    def judged(self) -> int:
        """Number of judged documents, of those that can be asked for."""
        return int(np.count_nonzero(self._askable & (self.grade >= 0)))

    @property
    def looks(self) -> int:
        """Number of batches of these systems whose forecasts were compared with judgments."""
        compared = self._asked_in[self.grade >= 0]
        return len(np.unique(compared[compared > 0]))

    @property
    def probability_of_grades(self) -> FloatArray:
        """The forecast of each document's grade: (documents, grades)."""
        if self._probability is None:
            self._probability = forecast(self.pool, self.grade, self._machine)
        return self._probability

    @property
    def means_in_worlds(self) -> FloatArray:
        """The mean score of each system in each world: (systems, worlds)."""
        if self._means is None:
            probability, scales = self.probability_of_grades, self._tilt_scales()
            grades = draw_worlds(self.pool, self.grade, probability, scales, self._seed)
            self._means = self.scorer.means(self.pool, grades)
        return self._means

    def _tilt_scales(self) -> TiltScales:
        """What the forecasts of documents show that were judged after them."""
        if self.looks < FIRST_LOOKS:
            return TiltScales()
        compared = np.flatnonzero((self.grade >= 0) & ~np.isnan(self._forecast[:, 0]))
        return TiltScales.of(self.pool, compared, self.grade[compared], self._forecast[compared])


def _first_of_queries(pool: JudgingPool) -> Int64Array:
    """The best two documents of each query by fusion, the best of all queries first."""
    position = fusion_order(pool)
    by_query = np.lexsort((position, pool.doc_query))
    place = np.arange(len(pool)) - pool.start[pool.doc_query]
    return by_query[np.lexsort((pool.doc_query, place))][: np.sum(place < FIRST)]
