"""Labels by machines as features of documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..exceptions import InputError
from ..io.containers import is_row
from ..io.table import Table
from ..io.trec import read_qrels
from ..typing import QrelsLike
from .pooled_runs import PooledRuns

MachineLike: TypeAlias = "QrelsLike | Table | Sequence[QrelsLike | Table] | None"
"""The labels of no, one or several machines, each in any form that qrels have."""

MachineValues: TypeAlias = tuple[tuple[int, ...], ...]
"""The distinct labels of each machine."""


def read_machines(machine: MachineLike) -> tuple[Table, ...]:
    """The labels of each machine."""
    if machine is None:
        return ()
    if isinstance(machine, (list, tuple)) and machine and not is_row(machine[0]):
        return tuple(read_qrels(labels) for labels in machine)
    return (read_qrels(machine),)  # type: ignore[arg-type]


def values_of(machines: Sequence[Table]) -> MachineValues:
    """The distinct labels of each machine, ascending."""
    return tuple(tuple(np.unique(labels.value).tolist()) for labels in machines)


@dataclass(frozen=True)
class OneHot:
    """A feature for every label of every machine, and one for documents without a label.

    Attributes
    ----------
    columns : (documents, features)
    """

    columns: FloatArray

    @classmethod
    def of(cls, pooled: PooledRuns, machines: Sequence[Table], values: MachineValues) -> OneHot:
        """Look up all documents.

        Parameters
        ----------
        pooled
            The documents.
        machines
            The labels of each machine.
        values
            The labels that have features.

        Raises
        ------
        ValueError
            When the number of machines is not that of `values`, or a label has no feature.
        """
        if len(machines) != len(values):
            raise InputError(
                f"`machine` must be the labels of {len(values)} machines, on which the model was "
                f"fitted; got {len(machines)}"
            )
        parts = [np.zeros((len(pooled.grade), 0))]
        for labels, known in zip(machines, values, strict=True):
            query_ids = map(pooled.query_ids.__getitem__, pooled.doc_query.tolist())
            parts.append(one_hot(zip(query_ids, pooled.doc_ids, strict=True), labels, known))
        return cls(np.hstack(parts))

    @property
    def width(self) -> int:
        """The number of features."""
        return self.columns.shape[1]

    def __call__(self, docs: Int64Array) -> FloatArray:
        return self.columns[docs]


def one_hot(
    documents: Iterable[tuple[str, str]], labels: Table, known: tuple[int, ...]
) -> FloatArray:
    """The label of each (query id, document id) as one of several columns.

    Parameters
    ----------
    documents
    labels
    known
        The labels that have columns. The first column stands for documents without a label.
    """
    pairs = zip(labels.query.all(), labels.doc.all(), strict=True)
    given = dict(zip(pairs, labels.value.tolist(), strict=True))
    unknown = sorted(set(given.values()) - set(known))
    if unknown:
        raise InputError(
            f"`machine` must have the labels {list(known)}, on which the model was fitted; "
            f"got {unknown[0]}"
        )
    column: Mapping[int, int] = {value: number for number, value in enumerate(known, 1)}
    chosen = [column[given[pair]] if pair in given else 0 for pair in documents]
    return np.eye(len(known) + 1)[chosen]
