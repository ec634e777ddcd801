"""Qrels of human judgments, completed by calibrated judgments of a machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..common.arrays import BoolArray, FloatArray, Int64Array, IntArray
from ..common.random_streams import random_stream
from ..common.validators import integer
from ..exceptions import InputError
from ..judgments.judgments import Judgments
from ..kernels.worlds import levels_of_draws
from ..runsets.runset import RunSet
from ..typing import QrelsLike
from ..unjudged.model import RANK, TRANSFERRED, JudgmentModel, pool
from ..unjudged.pooled_runs import DEPTH
from .judged_pairs import JudgedPairs

# A choice: so many random numbers take seconds; a larger product is more likely a mistake.
MOST_DRAWS = 1 << 30


@dataclass(frozen=True, eq=False)
class CalibratedPairs:
    """Pairs that only a machine judged, with the probability of each human grade.

    Attributes
    ----------
    query_ids, doc_ids : list of str
    grades : (levels,) ints
        The human grades, ascending, from 0.
    probability : (pairs, levels) floats
    learned : (pairs,) bools
        Whether the probability comes from a JudgmentModel, and not from the label alone.
    left_out : int
        Number of pairs with a label that no pair with a human grade has. They have no probability.
    """

    query_ids: list[str]
    doc_ids: list[str]
    grades: Int64Array
    probability: FloatArray
    learned: BoolArray
    left_out: int

    @classmethod
    def by_label(cls, human: Judgments, pairs: JudgedPairs) -> CalibratedPairs:
        """Calibrate by label: P(human grade | label) among the pairs that both judged."""
        grades = human.levels.grades
        labels, code = np.unique(pairs.label, return_inverse=True)
        both = pairs.both
        level = np.searchsorted(grades, pairs.grade[both])
        counts = np.zeros((len(labels), len(grades)))
        np.add.at(counts, (code[both], level), 1.0)
        of_label = counts.sum(axis=1)
        known = ~both & (of_label[code] > 0)
        rows = np.flatnonzero(known)
        return cls(
            [pairs.query_ids[row] for row in rows.tolist()],
            [pairs.doc_ids[row] for row in rows.tolist()],
            grades,
            counts[code[rows]] / of_label[code[rows], np.newaxis],
            np.zeros(len(rows), bool),
            int(np.count_nonzero(~both & ~known)),
        )

    def learned_from(
        self,
        runs: RunSet,
        human: QrelsLike,
        machine: QrelsLike,
        depth: int,
        progress: bool | None = False,
    ) -> tuple[CalibratedPairs, JudgmentModel]:
        """Take the probabilities of documents in the runs' top 100 from a JudgmentModel.

        The transferred prior knows no labels: with it, nothing changes.
        """
        depth = RANK.check("depth", depth)
        pooled = pool(runs, human, progress=progress)
        model = JudgmentModel.fit_pooled(pooled, depth, machine)
        if model.prior == TRANSFERRED:
            return self, model
        table = model.table(pooled, DEPTH, machine)
        columns = [f"P({grade})" for grade in self.grades.tolist()]
        means = table.groupby(["query_id", "doc_id"])[columns].mean()
        learned = dict(zip(means.index, means.to_numpy(), strict=True))
        probability, is_learned = self.probability.copy(), self.learned.copy()
        for row, pair in enumerate(zip(self.query_ids, self.doc_ids, strict=True)):
            if pair in learned:
                probability[row], is_learned[row] = learned[pair], True
        return replace(self, probability=probability, learned=is_learned), model

    def expected(self) -> Int64Array:
        """The expected grade of each pair, rounded to a whole number; halves are rounded up."""
        # np.round would round halves to even grades.
        return np.floor(self.probability @ self.grades + 0.5).astype(np.int64)

    def worlds(self, samples: int, seed: int) -> Iterator[Int64Array]:
        """The grades of the pairs in each of several worlds, drawn from their probabilities.

        A pair's draws depend only on the seed and its ids, as those of `JudgmentModel.worlds`.
        """
        integer(1).check("worlds", samples)
        integer(0).check("seed", seed)
        if samples * len(self.query_ids) > MOST_DRAWS:
            raise InputError(
                f"`worlds` x pairs must be at most {MOST_DRAWS}; got {samples} x "
                f"{len(self.query_ids)}"
            )
        level = self._levels(samples, seed)
        for world in range(samples):
            yield self.grades[level[:, world]]

    def _levels(self, samples: int, seed: int) -> IntArray:
        below = np.cumsum(self.probability, axis=1)[:, :-1]
        level = np.zeros((len(self.query_ids), samples), np.min_scalar_type(len(self.grades)))
        for row, pair in enumerate(zip(self.query_ids, self.doc_ids, strict=True)):
            # float32, as in the model's worlds: float64 would draw other grades.
            draws = random_stream(seed, *pair).random(samples, np.float32)
            level[row] = levels_of_draws(below[row : row + 1], draws[np.newaxis])[0]
        return level
