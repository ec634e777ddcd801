"""A judging campaign about two systems whose decision has a guarantee; see `guarantee`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...common.arrays import FloatArray, Int64Array
from ...exceptions import InputError
from ...typing import MeasureLike
from .campaign import Batch, Campaign
from .guarantee import Draws, GuaranteedStop
from .offered import scorer_of
from .pool import JudgingPool
from .questions import Pair, Question
from .scorers import NDCG, GainSum, Scorer

LINEAR = "P@k, RBP@k or DCG@k"


class DrawSums(NamedTuple):
    """What the log keeps of `Draws` beside the documents and their forecasts.

    `total` is the sum of ``|a_i|`` over all documents: it shows that the runs are the same.
    """

    waiting: int
    estimate: float
    rest: float
    spread: float
    over: float
    under: float
    total: float


def linear_scorer_of(measure: MeasureLike, grades: Sequence[int]) -> GainSum:
    """The scorer of a measure that is linear in the gains.

    Raises
    ------
    InputError
        When the measure is not one of them.
    """
    text = str(measure)
    is_dcg = text.startswith("DCG")
    scorer: Scorer = scorer_of(f"n{text}" if is_dcg else measure, grades)
    if is_dcg and isinstance(scorer, NDCG):
        return GainSum(scorer.cutoff, scorer.gain, scorer.seen_at)
    if type(scorer) is GainSum:
        return scorer
    why = ": its ideal is not linear in the grades; DCG is" if isinstance(scorer, NDCG) else ""
    raise InputError(f"`measure` must be {LINEAR} with guarantee=True; got {text}{why}")


class GuaranteedCampaign(Campaign):
    """A campaign that asks for documents in random order, and bets.

    Parameters
    ----------
    pool, level, scorer, question, machine, seed
        As for `Campaign`. The seed is also that of the order.
    confidence
        A wrong system is decided for with at most 1 - this probability.
    """

    def __init__(
        self,
        pool: JudgingPool,
        level: Int64Array,
        scorer: Scorer,
        question: Question,
        machine: FloatArray,
        seed: int,
        confidence: float,
    ) -> None:
        if not isinstance(question, Pair):
            raise InputError(
                "`question` must be the names of two systems with guarantee=True; got "
                f"{type(question).__name__.lower()!r}"
            )
        super().__init__(pool, level, scorer, question, machine, seed)
        self._pair, self._confidence = question, confidence
        # The order of the documents must not depend on that of the runs.
        names = [(pool.query_ids[q], d) for q, d in zip(pool.doc_query, pool.doc_ids, strict=True)]
        self._named = np.array(sorted(range(len(pool)), key=names.__getitem__), np.int64)
        self._place = np.argsort(self._named)
        weight = scorer.weight(pool) / len(pool.query_ids)
        difference = (weight[question.first] - weight[question.second]) * scorer.gain.max()
        self._total = float(np.abs(difference).sum())
        self._relevance = scorer.gain / scorer.gain.max()
        self._stop = GuaranteedStop(difference[self._named], alpha=1 - confidence, seed=seed)
        self._size = np.abs(difference)
        known = np.flatnonzero(level >= 0)
        self._stop.update(self._place[known], self._relevance[level[known]])

    def take(self, documents: Int64Array, level: Int64Array) -> None:
        super().take(documents, level)
        self._stop.update(self._place[documents], self._relevance[level])

    def next(self, n: int) -> Batch:
        probability = self.probable_level
        draws = self._stop.ask((probability @ self._relevance)[self._named], n)
        documents = self._named[draws.documents]
        sums = DrawSums(draws.waiting, *draws[3:], self._total)
        return Batch(documents, self._size[documents], probability[documents], sums)

    def resume(self, documents: Int64Array, probability: FloatArray, sums: DrawSums) -> None:
        """Take a batch of the log.

        Raises
        ------
        InputError
            When the two systems have other rankings than in the log.
        """
        if not np.isclose(sums.total, self._total, rtol=1e-9):
            raise InputError(
                "`runs` must rank as in the log with guarantee=True; the differences of weights "
                f"sum to {self._total:g}, in the log to {sums.total:g}"
            )
        predicted = probability @ self._relevance
        self._stop.resume(Draws(self._place[documents], predicted, *sums[:-1]))

    @property
    def claim(self) -> str:
        return "no wrong decision"

    @property
    def probability(self) -> float:
        """1 - 2 / e-value, at least `confidence` where it is decided."""
        evidence = max(0.0, 1 - 2 / max(self._stop.e_values))
        return evidence if self._stop.decided is None else max(evidence, self._confidence)

    @property
    def answer(self) -> str:
        names, decided = self.pool.names, self._stop.decided
        first, second = names[self._pair.first], names[self._pair.second]
        if decided == 0:
            return f"{first} = {second}"
        if decided is None:
            decided = 1 if np.subtract(*self._stop.e_values) >= 0 else -1
        return first if decided > 0 else second
