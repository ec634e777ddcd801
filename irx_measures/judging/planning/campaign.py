"""A judging campaign on arrays: what is judged, what it says, and what to judge next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...common.numeric import FloatArray, Int64Array
from .log import Batch
from .pool import JudgingPool
from .questions import Question
from .rules import Asked, Evidence, Guarantee, Outcome, Rule, Worlds
from .scorers import Scorer
from .state import JudgingState, remaining

CANNOT_DIFFER = "the systems cannot differ"


class Campaign:
    """The judgments of a pool so far, and the rule that says when they are enough.

    Parameters
    ----------
    pool
        The documents in the top k of the systems that are asked about.
    grade : (documents,) ints
        The grades of judged documents; -1 for others. The campaign changes it.
    scorer, question
        What the campaign is about. They choose the rule.
    level
        A claim is made where its probability is at least this.
    machine : (documents, features) floats
        See `forecasts.machine_features`.
    seed
        The random seed of the rule.
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
        self.pool, self.grade, self.question, self.level = pool, grade, question, level
        self._measure, self._machine = scorer.name, machine
        self._rule: Rule = (
            Guarantee(pool, scorer, level, seed)
            if len(pool.names) == 2 and not scorer.normalised
            else Worlds(pool, scorer, question, level, seed)
        )
        self._askable = scorer.can_change(pool)
        if self._askable.any():
            self._askable[self._rule.first] = True
        self.size = int(np.count_nonzero(self._askable))
        self.batches: list[Batch] = []
        self._forecast = np.full((len(pool), len(pool.grades)), np.nan)
        self._asked_in = np.zeros(len(pool), np.int64)
        for batch in batches:
            documents = self._remember(batch)
            if batch.draws is not None and self._is_mine(batch):
                self._rule.resume(documents, batch.draws)
        self.take(np.zeros(0, np.int64), np.zeros(0, np.int64))

    def take(self, documents: Int64Array, grade: Int64Array) -> None:
        """Take judgments."""
        self.grade[documents] = grade
        self._evidence = Evidence(
            self.pool, self.grade, self._machine, self._forecast, self._asked_in
        )
        self._outcome: Outcome | None = None

    def next(self, n: int) -> tuple[Batch, FloatArray]:
        """The n documents to judge next, with the priority of each; none after the end."""
        state, unjudged = self.state, self._askable & (self.grade < 0)
        first = self._rule.first[unjudged[self._rule.first]][: 0 if state.settled else n]
        asked: Asked = first, np.ones(len(first)), None
        forecasts: list[list[float]] = []
        if not (state.settled or len(first)):
            asked = self._rule.ask(self._evidence, n, np.flatnonzero(unjudged))
            forecasts = self._evidence.probability[asked[0]].tolist()
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
            self._forecast[documents[known]] = np.array(batch.forecasts)[known]
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
                self._outcome = self._rule.outcome(self._evidence)
            else:
                self._outcome = Outcome(np.zeros(len(self.pool.names)), 1.0, enough=False)
            if self.judged == self.size:
                self._outcome = self._outcome._replace(enough=False)
        return self._outcome

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
        state = JudgingState(
            self.question.asked, self.claim, answer, self.outcome.probability, self.level,
            self.judged, self.size, self._evidence.looks, self.outcome.enough,
        )  # fmt: skip
        before = [look for look in self.history if look.judged < state.judged]
        return replace(state, remaining=remaining([*before, state]))

    @property
    def history(self) -> list[JudgingState]:
        """The states before the batches of this campaign."""
        return [batch.state for batch in self.batches if self._is_mine(batch)]
