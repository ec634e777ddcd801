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


class Asked(NamedTuple):
    """Documents to judge next, the most useful first."""

    documents: Int64Array
    priority: FloatArray  # (documents,)
    draws: Draws | None = None  # what the guarantee bets on them


NOTHING = Asked(np.zeros(0, np.int64), np.zeros(0))


class JudgingCampaign:
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
        self.pool = pool
        self.grade = grade
        self.question = question
        self.level = level
        self.measure = scorer.name
        self._machine = machine
        self._rule: WorldsRule | GuaranteeRule
        if len(pool.names) == 2 and not scorer.normalised:
            self._rule = GuaranteeRule(pool, scorer, level, seed)
        else:
            self._rule = WorldsRule(pool, scorer, question, level, seed)
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
            if batch.draws and isinstance(self._rule, GuaranteeRule) and self._is_mine(batch):
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
        state = self.state
        unjudged = self._askable & (self.grade < 0)
        first = self._rule.first[unjudged[self._rule.first]][:n]
        forecasts: list[list[float]] = []
        if state.settled:
            asked = NOTHING
        elif len(first):
            asked = Asked(first, np.ones(len(first)))
        else:
            asked = self._rule.ask(self, n, np.flatnonzero(unjudged))
            forecasts = self.forecast[asked.documents].tolist()
        batch = Batch(
            documents=[self.pool.pairs[document] for document in asked.documents.tolist()],
            forecasts=forecasts,
            grades=tuple(self.pool.grades.tolist()),
            systems=self.pool.names,
            measure=self.measure,
            state=state,
            draws=asked.draws,
        )
        if batch.documents and self.batches[-1:] != [batch]:
            self._remember(batch)
        return batch, asked.priority

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
        return about == ({*self.pool.names}, self.measure, self.claim)

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
            question=self.question.asked,
            claim=self.claim,
            answer=answer,
            probability=self.outcome.probability,
            level=self.level,
            judged=self.judged,
            pool=self.size,
            look=self.looks,
            claimed=self.outcome.enough,
        )

    @property
    def history(self) -> list[JudgingState]:
        """The states before the batches of this campaign."""
        return [batch.state for batch in self.batches if self._is_mine(batch)]


class WorldsRule:
    """A claim is made where it holds in enough worlds.

    It is not made before the first round is complete, and two later batches show how good
    forecasts are.
    """

    def __init__(
        self, pool: JudgingPool, scorer: Scorer, question: Question, level: float, seed: int
    ) -> None:
        self.claim = question.claim
        self.first = _first_of_queries(pool)
        self._scorer = scorer
        self._question = question
        self._level = level
        self._seed = seed

    def ask(self, so_far: JudgingCampaign, n: int, askable: Int64Array) -> Asked:
        """The next documents after the first round, at most n of those that can be asked for."""
        priority = self._scorer.priorities(so_far.pool, so_far.grade, so_far.forecast)
        documents = askable[np.argsort(-priority[askable], kind="stable")[:n]]
        return Asked(documents, priority[documents])

    def outcome(self, so_far: JudgingCampaign) -> Outcome:
        """What the judgments say."""
        pool, grade = so_far.pool, so_far.grade
        worlds = draw_worlds(pool, grade, so_far.forecast, so_far.tilt_scales, self._seed)
        means = self._scorer.means(pool, worlds)
        probability = self._question.probability(means)
        first_are_judged = bool((grade[self.first] >= 0).all())
        seen = first_are_judged and so_far.looks >= FIRST_LOOKS
        return Outcome(means.mean(axis=1), probability, seen and probability >= self._level)


class GuaranteeRule:
    """A claim is made where `GuaranteedStop` decides.

    The probability is 1 - 2 / e-value, and at least `level` where it has decided.
    """

    claim = "no wrong decision"

    def __init__(self, pool: JudgingPool, scorer: Scorer, level: float, seed: int) -> None:
        self.first = np.zeros(0, np.int64)
        largest = scorer.gain.max()
        self._relevance = scorer.gain / largest  # of each grade, in [0, 1]
        self._weight = scorer.weight(pool)
        first, second = self._weight / len(pool.query_ids)
        difference = (first - second) * largest
        self._level = level
        self._stop = GuaranteedStop(difference, alpha=1 - level, seed=seed)

    def ask(self, so_far: JudgingCampaign, n: int, askable: Int64Array) -> Asked:
        self._update(so_far)
        documents, draws = self._stop.ask(so_far.forecast @ self._relevance, n)
        return Asked(documents, np.ptp(self._weight[:, documents], axis=0), draws)

    def resume(self, documents: Int64Array, draws: Draws) -> None:
        """Take the bets on a batch that an earlier process asked for."""
        self._stop.resume(documents, draws)

    def outcome(self, so_far: JudgingCampaign) -> Outcome:
        self._update(so_far)
        first, second = self._stop.e_values
        probability = max(0.0, 1 - 2 / max(first, second))
        sign = self._stop.decided
        enough = sign is not None
        if sign is None:
            sign = 1 if first >= second else -1
        else:
            probability = max(probability, self._level)
        return Outcome(np.array([sign, -sign], float), probability, enough)

    def _update(self, so_far: JudgingCampaign) -> None:
        judged = np.flatnonzero(so_far.grade >= 0)
        self._stop.update(judged, self._relevance[so_far.grade[judged]])


def _first_of_queries(pool: JudgingPool) -> Int64Array:
    """The best two documents of each query by fusion, the best of all queries first."""
    position = fusion_order(pool)
    by_query = np.lexsort((position, pool.doc_query))
    place = np.arange(len(pool)) - pool.start[pool.doc_query]
    return by_query[np.lexsort((pool.doc_query, place))][: np.sum(place < FIRST)]
