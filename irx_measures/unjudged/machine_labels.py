"""Labels by machines as features of documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from ..common.numeric import FloatArray
from ..exceptions import InputError
from ..io.containers import is_row
from ..io.table import Table
from ..io.trec import read_qrels
from ..typing import QrelsLike

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


def label_columns(
    documents: Sequence[tuple[str, str]],
    machines: Sequence[Table],
    values: MachineValues,
) -> FloatArray:
    """The label of each document as features: (documents, features), of 0 and 1.

    Each machine has a column for documents without a label, and one for each of its `values`.

    Parameters
    ----------
    documents
        (query id, document id).
    machines
        The labels of each machine.
    values
        The labels that have columns.

    Raises
    ------
    ValueError
        When the number of machines is not that of `values`, or a label has no column.
    """
    if len(machines) != len(values):
        raise InputError(
            f"`machine` must be the labels of {len(values)} machines, on which the model was "
            f"fitted; got {len(machines)}"
        )
    parts = [np.zeros((len(documents), 0))]
    for labels, known in zip(machines, values, strict=True):
        pairs = zip(labels.query.all(), labels.doc.all(), strict=True)
        given = dict(zip(pairs, labels.value.tolist(), strict=True))
        unknown = sorted(set(given.values()) - set(known))
        if unknown:
            raise InputError(
                f"`machine` must have the labels {list(known)}, on which the model was fitted; "
                f"got {unknown[0]}"
            )
        column = {value: number for number, value in enumerate(known, 1)}
        chosen = [column[given[pair]] if pair in given else 0 for pair in documents]
        parts.append(np.eye(len(known) + 1)[chosen])
    return np.hstack(parts)
