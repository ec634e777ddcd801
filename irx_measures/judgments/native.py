"""Look-up of judged documents by the native core, which is optional and declines irregular runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..common.arrays import Int32Array, Int64Array
from ..io.columns import RunColumns
from ..io.containers import NestedRun
from ..io.identifiers import Ids, ListIds, RepeatedIds
from ..io.utf8_identifiers import TextIds

try:
    from .. import _native
except ImportError:  # it was not built here
    BUILT = False
else:
    BUILT = True

if TYPE_CHECKING:
    from .._native import Column, Index
    from .judgments import Judgments

SECRET_BYTES = 16

Found: TypeAlias = tuple[Int32Array, Int64Array]


def make_index(judgments: Judgments) -> Index | None:
    """The judged documents for the native core; None if it is not built, or declines them."""
    if not BUILT:
        return None
    query, doc, cell = judgments.entries()
    return _native.make_index(
        os.urandom(SECRET_BYTES),
        _objects(judgments.query_ids),
        (doc, _objects(judgments.doc_index.ids)),
        query,
        cell,
        judgments.grade.size,
    )


def find_ranks(judgments: Judgments, run: RunColumns) -> Found | None:
    """The attributes `rank` and `returned` of a `JudgedRun`; None if the native core declines."""
    index = judgments.native_index
    if index is None:
        return None
    rank = np.zeros(judgments.grade.shape, np.int32)
    returned = np.zeros(len(judgments.query_ids), np.int64)
    found = rank.reshape(-1), returned
    if isinstance(run.source, NestedRun):
        answered = _native.rank_dict(index, run.source.nested, *found)
    else:
        answered = _rank_columns(index, run, *found)
    return (rank, returned) if answered else None


def _rank_columns(index: Index, run: RunColumns, *found: Int32Array | Int64Array) -> bool | None:
    lengths = run.query.lengths if isinstance(run.query, RepeatedIds) else None
    query, doc = _column(run.query), _column(run.doc)
    if query is None or doc is None:
        return None
    score = np.ascontiguousarray(run.score)
    return _native.rank_columns(index, query, lengths, doc, score, *found)


def _column(ids: Ids) -> Column | None:
    """Identifiers as the native core reads them; None if it cannot read them."""
    if isinstance(ids, TextIds):
        return ids.text, np.ascontiguousarray(ids.first), np.ascontiguousarray(ids.length)
    if isinstance(ids, (ListIds, RepeatedIds)):
        return _objects(ids.values)
    return None


def _objects(values: Sequence[str]) -> Column:
    return (np.ascontiguousarray(values, dtype=object),)
