"""The errors of a model on groups of runs that it was not fitted to."""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray, Int64Array
from .examples import Examples, examples_of
from .machine_labels import MachineLike, OneHot, read_machines, values_of
from .model import prior_for, thresholds_for
from .pooled_runs import PooledRuns
from .tilt import Tilt

FOLDS = 10  # ten folds by convention


def tilt_of(pooled: PooledRuns, depth: int, machine: MachineLike = None) -> Tilt:
    """The tilt of runs, from the documents that each group alone found.

    Parameters
    ----------
    pooled, depth, machine
        As for `JudgmentModel.fit_pooled`.
    """
    machines = read_machines(machine)
    one_hot = OneHot.of(pooled, machines, values_of(machines))
    examples = examples_of(pooled, depth, one_hot)
    probability = _predicted(examples, _folds(pooled.group_names)[examples.group])
    run = pooled.run[examples.entry]
    return Tilt.of(examples.level, probability, run, len(pooled.group_names))


def _predicted(examples: Examples, fold: Int64Array) -> FloatArray:
    """The probabilities of each example's levels, from a model without the groups of its fold."""
    probability = examples.transferred.copy()
    prior = prior_for(examples)
    for number in np.unique(fold).tolist():
        left_out = fold == number
        thresholds = thresholds_for(prior, examples.where(~left_out))
        if thresholds is not None:
            of_fold = examples.where(left_out)
            probability[left_out] = thresholds.probabilities(of_fold.features, of_fold.transferred)
    return probability


def _folds(groups: tuple[str, ...]) -> Int64Array:
    """The fold of each group, which does not depend on the order of the groups."""
    folds = np.empty(len(groups), np.int64)
    folds[np.argsort(np.array(groups))] = np.arange(len(groups)) % FOLDS
    return folds
