"""Labels of machines as features of the documents of a pool."""

from __future__ import annotations

from ...common.numeric import FloatArray
from ...unjudged.machine_labels import MachineLike, label_columns, read_machines, values_of
from .pool import JudgingPool


def machine_features(pool: JudgingPool, machine: MachineLike) -> FloatArray:
    """A column for every label of every machine, and one for documents without a label."""
    machines = read_machines(machine)
    return label_columns(list(pool.position), machines, values_of(machines))
