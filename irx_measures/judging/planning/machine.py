"""Labels of machines as features of the documents of a pool."""

from __future__ import annotations

import numpy as np

from ...common.numeric import FloatArray
from ...unjudged.machine_labels import MachineLike, one_hot, read_machines, values_of
from .pool import JudgingPool


def machine_features(pool: JudgingPool, machine: MachineLike) -> FloatArray:
    """A column for every label of every machine, and one for documents without a label."""
    machines = read_machines(machine)
    parts = [np.zeros((len(pool), 0))]
    for labels, known in zip(machines, values_of(machines), strict=True):
        parts.append(one_hot(list(pool.position), labels, known))
    return np.hstack(parts)
