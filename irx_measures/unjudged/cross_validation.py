"""The errors of a model on groups of runs that it was not fitted to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from .examples import Examples, examples_of
from .machine_labels import MachineLike, read_labels
from .model import JudgmentModel, fitted, prior_for
from .pooled_runs import UNJUDGED, PooledRuns
from .tilt import Tilt

FOLDS = 10  # ten folds by convention


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Models that were fitted without some of the groups."""

    pooled: PooledRuns  # the training runs
    machine: MachineLike
    examples: Examples  # what the judgments show of each group's own documents
    fold: Int64Array  # (groups,), of each group of `pooled`
    models: dict[int, JudgmentModel]  # by fold; each was fitted without the examples of its fold

    @classmethod
    def of(cls, pooled: PooledRuns, depth: int, machine: MachineLike = None) -> CrossValidation:
        """Fit the models to what `examples_of` finds."""
        machine = read_labels(machine)  # a file is read once
        examples = examples_of(pooled, depth, machine)
        fold, prior = _folds(pooled.group_names), prior_for(examples)
        of_example = fold[examples.group]
        models = {
            number: fitted(examples.where(of_example != number), prior)
            for number in np.unique(of_example).tolist()
        }
        return cls(pooled, machine, examples, fold, models)

    @property
    def groups(self) -> list[int]:
        """The groups that alone found judged documents."""
        numbers: list[int] = np.unique(self.examples.group).tolist()
        return numbers

    @cached_property
    def tilt(self) -> Tilt:
        """The tilt of runs, from the documents that each group alone found."""
        run = self.pooled.run[self.examples.entry]
        return Tilt.of(self.examples.level, self._predicted(), run, len(self.groups))

    def _predicted(self) -> FloatArray:
        """The probabilities of each example's levels, by the model of its fold."""
        probability = self.examples.transferred.copy()
        of_example = self.fold[self.examples.group]
        for number, model in self.models.items():
            if model.thresholds is not None:
                left_out = of_example == number
                of_fold = self.examples.where(left_out)
                probability[left_out] = model.thresholds.probabilities(
                    of_fold.features, of_fold.transferred
                )
        return probability

    def without(self, group: int, cutoff: int) -> tuple[PooledRuns, Int64Array, FloatArray]:
        """The judgments as if a group had not been pooled, and what its runs then return.

        They are the runs, without the judgments of documents that the group alone found; the
        unjudged entries in the top `cutoff` of the group's runs, (unjudged,); and the probabilities
        by the model that was fitted without the group, (unjudged, levels).
        """
        own = self.examples.entry[self.examples.group == group]
        pooled = self.pooled.without(self.pooled.doc[own])
        of_group = pooled.group_of_run[pooled.run] == group
        unjudged = pooled.grade[pooled.doc] == UNJUDGED
        entries = np.flatnonzero(of_group & unjudged & (pooled.rank <= cutoff))
        model = self.models[int(self.fold[group])]
        return pooled, entries, model.probabilities(pooled, entries, self.machine)


def _folds(groups: tuple[str, ...]) -> Int64Array:
    """The fold of each group, which does not depend on the order of the groups."""
    folds = np.empty(len(groups), np.int64)
    folds[np.argsort(np.array(groups))] = np.arange(len(groups)) % FOLDS
    return folds
