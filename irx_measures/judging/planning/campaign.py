"""A judging campaign on arrays: what is judged, what it says, and what to judge next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from .forecasts import forecast, fusion_order
from .guarantee import Draws, GuaranteedStop
from .pool import JudgingPool
from .questions import Question
from .records import Batch, JudgingState
from .scorers import Scorer
from .worlds import FIRST_LOOKS, TiltScales, draw_worlds

FIRST = 2  # documents of each query that are judged first: a choice of the study

CANNOT_DIFFER = "the systems cannot differ"


class Outcome(NamedTuple):
    """What a rule says of the judgments so far.

    `estimate`, (systems,), is what the answer follows from: mean scores, or a sign of each of two
    systems. `probability` is that of the claim, and `enough` whether it can be made.
    """

    estimate: FloatArray
    probability: float
    enough: bool


Asked = tuple[Int64Array, FloatArray, Draws | None]
"""Documents to judge next, the priority of each, and what the guarantee bets on them."""


class Campaign:
    """The judgments of a pool so far, and the rule that says when they are enough.

    `scorer` and `question` choose the rule; a claim is made where its probability is at least
    `level`. `grade`, (documents,), is -1 where nobody judged; the campaign changes it. `machine`,
    (documents, features), is that of `forecasts.machine_features`. `given` are batches that were
    asked for before, by this campaign or by another one with its log.
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
        given: Iterable[Batch] = (),
    ) -> None:
        self.pool, self.grade, self.question, self.level = pool, grade, question, level
        self._measure, self._machine = scorer.name, machine
        self._rule: Worlds | Guarantee = (
            Guarantee(pool, scorer, level, seed)
            if len(pool.names) == 2 and not scorer.normalised
            else Worlds(pool, scorer, question, level, seed)
        )
        self._askable = scorer.can_change(pool)
        if self._askable.any():
            self._askable[self._rule.first] = True
        # The documents that can be asked for: their grade can change the answer, or the first round
        # has them.
        self.size = int(np.count_nonzero(self._askable))
        self.batches: list[Batch] = []  # given, or returned by `next`
        # The latest forecast of each document, and the number of its batch from 1; 0 for batches
        # of other systems, which do not show how good the forecasts of these are.
        self._forecast_before = np.full((len(pool), len(pool.grades)), np.nan)
        self._asked_in = np.zeros(len(pool), np.int64)
        for batch in given:
            documents = self._remember(batch)
            if batch.draws and isinstance(self._rule, Guarantee) and self._is_mine(batch):
                self._rule.resume(documents, batch.draws)
        # What follows from the judgments; None if it is not known yet.
        self._forecast: FloatArray | None = None
        self._outcome: Outcome | None = None

    def take(self, documents: Int64Array, grade: Int64Array) -> None:
        """Take judgments."""
        self.grade[documents] = grade
        self._forecast = self._outcome = None

    def next(self, n: int) -> tuple[Batch, FloatArray]:
        """The n documents to judge next, with the priority of each; none after the end."""
        state, unjudged = self.state, self._askable & (self.grade < 0)
        first = self._rule.first[unjudged[self._rule.first]][: 0 if state.settled else n]
        asked: Asked = first, np.ones(len(first)), None
        forecasts: list[list[float]] = []
        if not (state.settled or len(first)):
            asked = self._rule.ask(self, n, np.flatnonzero(unjudged))
            forecasts = self.forecast[asked[0]].tolist()
        documents, priority, draws = asked
        batch = Batch(
            [self.pool.pairs[document] for document in documents.tolist()], forecasts,
            tuple(self.pool.grades.tolist()), self.pool.names, self._measure, state, draws,
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
            self._forecast_before[documents[known]] = np.array(batch.forecasts)[known]
            self._asked_in[documents[known]] = len(self.batches) if of_these else 0
        return documents

    def _is_mine(self, batch: Batch) -> bool:
        """Whether a batch was asked for by this campaign, and not by another one with its log."""
        about = {*batch.systems}, batch.measure, batch.state.claim
        return about == ({*self.pool.names}, self._measure, self.claim)

    @property
    def claim(self) -> str:
        """What is probable; it completes "P(...)"."""
        return self._rule.claim if self.size else CANNOT_DIFFER

    @property
    def outcome(self) -> Outcome:
        """What the rule says; nothing can be claimed where all is judged."""
        if self._outcome is None:
            if self.size:
                self._outcome = self._rule.outcome(self)
            else:
                self._outcome = Outcome(np.zeros(len(self.pool.names)), 1.0, enough=False)
            if self.judged == self.size:
                self._outcome = self._outcome._replace(enough=False)
        return self._outcome

    @property
    def forecast(self) -> FloatArray:
        """The probability of each grade of each document: (documents, grades)."""
        if self._forecast is None:
            self._forecast = forecast(self.pool, self.grade, self._machine)
        return self._forecast

    @property
    def looks(self) -> int:
        """Number of batches of these systems whose forecasts were compared with judgments."""
        compared = self._asked_in[self.grade >= 0]
        return len(np.unique(compared[compared > 0]))

    @property
    def tilt_scales(self) -> TiltScales:
        """How wrong forecasts were, by the documents that were judged after them."""
        if self.looks < FIRST_LOOKS:
            return TiltScales()
        before = self._forecast_before
        compared = np.flatnonzero((self.grade >= 0) & ~np.isnan(before[:, 0]))
        return TiltScales.of(self.pool, compared, self.grade[compared], before[compared])

    @property
    def judged(self) -> int:
        """Number of judged documents, of those that can be asked for."""
        return int(np.count_nonzero(self._askable & (self.grade >= 0)))

    @property
    def state(self) -> JudgingState:
        """The answer now, its probability, and whether it is enough."""
        answer = f"{CANNOT_DIFFER}: they return the same documents"
        if self.size:
            answer = self.question.answer(self.pool.names, self.outcome.estimate)
        return JudgingState(
            self.question.asked, self.claim, answer, self.outcome.probability, self.level,
            self.judged, self.size, self.looks, self.outcome.enough,
        )  # fmt: skip

    @property
    def history(self) -> list[JudgingState]:
        """The states before the batches of this campaign."""
        return [batch.state for batch in self.batches if self._is_mine(batch)]


class Worlds:
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

    def ask(self, so_far: Campaign, n: int, askable: Int64Array) -> Asked:
        """The next documents after the first round, at most n of those that can be asked for."""
        priority = self._scorer.priorities(so_far.pool, so_far.grade, so_far.forecast)
        documents = askable[np.argsort(-priority[askable], kind="stable")[:n]]
        return documents, priority[documents], None

    def outcome(self, so_far: Campaign) -> Outcome:
        """What the judgments say."""
        pool, grade = so_far.pool, so_far.grade
        worlds = draw_worlds(pool, grade, so_far.forecast, so_far.tilt_scales, self._seed)
        means = self._scorer.means(pool, worlds)
        probability = self._question.probability(means)
        seen = bool((grade[self.first] >= 0).all()) and so_far.looks >= FIRST_LOOKS
        return Outcome(means.mean(axis=1), probability, seen and probability >= self._level)


class Guarantee:
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

    def ask(self, so_far: Campaign, n: int, askable: Int64Array) -> Asked:
        self._update(so_far)
        documents, draws = self._stop.ask(so_far.forecast @ self._relevance, n)
        return documents, np.ptp(self._weight[:, documents], axis=0), draws

    def resume(self, documents: Int64Array, draws: Draws) -> None:
        """Take the bets on a batch that an earlier process asked for."""
        self._stop.resume(documents, draws)

    def outcome(self, so_far: Campaign) -> Outcome:
        self._update(so_far)
        first, second = self._stop.e_values
        probability, sign = max(0.0, 1 - 2 / max(first, second)), self._stop.decided
        if sign is not None:
            return Outcome(np.array([sign, -sign], float), max(probability, self._level), True)
        sign = 1 if first >= second else -1
        return Outcome(np.array([sign, -sign], float), probability, False)

    def _update(self, so_far: Campaign) -> None:
        judged = np.flatnonzero(so_far.grade >= 0)
        self._stop.update(judged, self._relevance[so_far.grade[judged]])


def _first_of_queries(pool: JudgingPool) -> Int64Array:
    """The best two documents of each query by fusion, the best of all queries first."""
    position = fusion_order(pool)
    by_query = np.lexsort((position, pool.doc_query))
    place = np.arange(len(pool)) - pool.start[pool.doc_query]
    return by_query[np.lexsort((pool.doc_query, place))][: np.sum(place < FIRST)]
