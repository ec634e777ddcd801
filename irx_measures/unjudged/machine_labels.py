"""The labels of a machine as features of documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from ..common.numeric import FloatArray
from ..exceptions import InputError
from ..io.table import Table
from ..io.trec import read_qrels
from ..typing import QrelsLike

MachineLike: TypeAlias = QrelsLike | Table | None
"""The labels of a machine, in any form that qrels have."""


def read_labels(machine: MachineLike) -> Table | None:
    """The labels as a table, if there are any."""
    return None if machine is None else read_qrels(machine)


def distinct_labels(labels: Table | None) -> tuple[int, ...]:
    """The labels that occur, ascending."""
    return () if labels is None else tuple(np.unique(labels.value).tolist())


def label_columns(
    documents: Sequence[tuple[str, str]], labels: Table | None, known: tuple[int, ...]
) -> FloatArray:
    """The label of each document as features: (documents, features), of 0 and 1.

    Without known labels there is no column, else one for documents without a label, and one for
    each known label. InputError if a label has no column, or there are none of those that have.
    """
    found = distinct_labels(labels)
    if not {*found} <= {*known} or (known and labels is None):
        raise InputError(
            f"`machine` must have the labels {list(known)}, on which the model was fitted; got "
            f"{list(found)}"
        )
    if labels is None or not known:
        return np.zeros((len(documents), 0))
    pairs = zip(labels.query.all(), labels.doc.all(), strict=True)
    given = dict(zip(pairs, labels.value.tolist(), strict=True))
    column = {value: number for number, value in enumerate(known, 1)}
    column_of = {pair: column[label] for pair, label in given.items()}
    return np.eye(len(known) + 1)[[column_of.get(pair, 0) for pair in documents]]
