"""A judging campaign on arrays: what is judged, what it says, and what to judge next."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...common.arrays import FloatArray, Int64Array
from .fill import fill, fusion_order
from .order import priorities
from .pool import JudgingPool
from .questions import Question
from .scorers import Scorer
from .tilts import FIRST_LOOKS, TiltScales
from .worlds import draw_worlds

FIRST = 2  # documents of each query that are judged first: a choice of the study


class Forecasts(NamedTuple):
    """What was forecast of a batch of documents before they were judged.

    Attributes
    ----------
    documents : (documents,) ints
    probability : (documents, levels) floats
    """

    documents: Int64Array
    probability: FloatArray


class Batch(NamedTuple):
    """Documents to judge, the most useful first.

    Attributes
    ----------
    documents : (documents,) ints
    priority : (documents,) floats
    probability : (documents, levels) floats, or None
        The forecasts; None in the first batches, which are chosen without any.
    sums : tuple of floats, optional
        See `guaranteed.DrawSums`.
    """

    documents: Int64Array
    priority: FloatArray
    probability: FloatArray | None
    sums: tuple[float, ...] | None = None


class Campaign:
    """The judgments of a pool so far.

    Parameters
    ----------
    pool
    level : (documents,) ints
        The levels of judged documents; -1 for others. The campaign changes it.
    scorer, question
        What the campaign is about.
    machine : (documents, features) floats
        See `machine.machine_features`.
    seed
        The random seed of the worlds.
    """

    def __init__(
        self,
        pool: JudgingPool,
        level: Int64Array,
        scorer: Scorer,
        question: Question,
        machine: FloatArray,
        seed: int,
    ) -> None:
        self.pool, self.level = pool, level
        self.scorer, self.question = scorer, question
        self.forecasts: list[Forecasts] = []
        self._machine, self._seed = machine, seed
        self._asked = question.disagreement(scorer.weight(pool)) > 0
        of_question = pool.in_top[question.about(len(pool.names))].any(axis=0)
        self._first = _first_of_queries(pool, np.flatnonzero(of_question))

    def take(self, documents: Int64Array, level: Int64Array) -> None:
        """Take judgments."""
        self.level[documents] = level
        self._forget()

    def expect(self, forecasts: Forecasts) -> None:
        """Remember what was forecast of documents that are judged later."""
        self.forecasts.append(forecasts)
        self._forget()

    def _forget(self) -> None:
        """Forget what followed from other judgments or forecasts."""
        for name in ("probable_level", "means", "_tilts"):
            vars(self).pop(name, None)

    def next(self, n: int) -> Batch:
        """The n documents to judge next."""
        waiting = self._first[self.level[self._first] < 0][:n]
        if len(waiting):
            return Batch(waiting, np.ones(len(waiting)), None)
        probability = self.probable_level
        priority = priorities(self.pool, self.level, probability, self.scorer, self.question)
        unjudged = np.flatnonzero(self.level < 0)
        documents = unjudged[np.argsort(-priority[unjudged], kind="stable")[:n]]
        return Batch(documents, priority[documents], probability[documents])

    @cached_property
    def probable_level(self) -> FloatArray:
        """The forecast of each document's level: (documents, levels)."""
        return fill(self.pool, self.level, self._machine)

    @cached_property
    def means(self) -> FloatArray:
        """The mean score of each system in each world: (systems, worlds)."""
        scales = self._tilts[1]
        levels = draw_worlds(self.pool, self.level, self.probable_level, scales, self._seed)
        return self.scorer.means(self.pool, levels)

    @property
    def looks(self) -> int:
        """Number of batches of which forecasts were compared with judgments."""
        return self._tilts[0]

    @property
    def claim(self) -> str:
        """What is probable; it completes "P(...)"."""
        return self.question.claim

    @property
    def probability(self) -> float:
        """The share of worlds in which the answer holds."""
        return self.question.probability(self.means)

    @property
    def answer(self) -> str:
        """The answer by the mean over worlds."""
        return self.question.answer(self.pool.names, self.means)

    @property
    def judged(self) -> int:
        """Number of judged documents."""
        return int(np.count_nonzero(self.level >= 0))

    @property
    def size(self) -> int:
        """Number of documents that are judged or can change the answer."""
        return int(np.count_nonzero(self._asked | (self.level >= 0)))

    @cached_property
    def _tilts(self) -> tuple[int, TiltScales]:
        """Number of batches that show how good forecasts are, and the tilts that they show."""
        probability = np.full((len(self.pool), len(self.pool.grades)), np.nan)
        latest = np.full(len(self.pool), -1)  # batch that forecast it: it may be asked for again
        for number, batch in enumerate(self.forecasts):
            judged = self.level[batch.documents] >= 0
            probability[batch.documents[judged]] = batch.probability[judged]
            latest[batch.documents[judged]] = number
        looks = len(np.unique(latest[latest >= 0]))
        if looks < FIRST_LOOKS:
            return looks, TiltScales()
        documents = np.flatnonzero(~np.isnan(probability[:, 0]))
        return looks, TiltScales.of(
            self.pool, documents, self.level[documents], probability[documents]
        )


def _first_of_queries(pool: JudgingPool, documents: Int64Array) -> Int64Array:
    """The best two of some documents of each query by fusion, the best of all queries first."""
    position = fusion_order(pool)[documents]
    query = pool.doc_query[documents]
    by_query = np.lexsort((position, query))
    place = np.arange(len(by_query)) - np.searchsorted(query[by_query], query[by_query])
    return documents[by_query[np.lexsort((query[by_query], place))]][: np.sum(place < FIRST)]
