"""Look-up of judged documents by the native core, which is optional and declines irregular runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..common.arrays import Int32Array, Int64Array
from .columns import RunColumns
from .containers import NestedRun
from .identifiers import CodedIds, Ids, ListIds, RepeatedIds
from .trec import UnparsedRun
from .utf8_identifiers import TextIds

try:
    from . import _native
except ImportError:  # it was not built for this machine
    BUILT = False
else:
    BUILT = True

if TYPE_CHECKING:
    from ._native import Array, Column, Index, Plain

SECRET_BYTES = 16  # two secrets of 64 bits, as in native/


def make_index(
    query_ids: Sequence[str],
    doc_ids: Sequence[str],
    entries: tuple[Int64Array, Int64Array, Int64Array],
    cells: int,
) -> Index | None:
    """Judgments as the native core looks them up; None if it declines them.

    Parameters
    ----------
    query_ids, doc_ids
        The identifiers of queries and documents.
    entries
        The number of the query, that of the document, and the cell, of each judgment.
    cells
        How many cells there are.
    """
    query, doc, cell = entries
    docs = doc, _objects(doc_ids)
    secrets = os.urandom(SECRET_BYTES)
    return _native.make_index(secrets, _objects(query_ids), docs, query, cell, cells)


def find_ranks(index: Index, run: RunColumns, rank: Int32Array, returned: Int64Array) -> bool:
    """Whether the native core answers; only then do the arrays hold what may be used.

    Parameters
    ----------
    index
        The judgments.
    run
        The run.
    rank : (cells,) ints
        Zeros, which become the rank of each judged document that the run returned.
    returned : (queries,) ints
        Zeros, which become the number of documents that the run returned.
    """
    if isinstance(run.source, NestedRun):
        return _native.rank_dict(index, run.source.nested, rank, returned) is True
    if isinstance(run.source, UnparsedRun):
        return _native.rank_lines(index, run.source.text, rank, returned) is True
    columns = _columns(run)
    return columns is not None and _native.rank_columns(index, *columns, rank, returned) is True


def top_names(
    index: Index, run: RunColumns, query_ids: Sequence[str], lengths: Int64Array
) -> list[str] | None:
    """The highest ranked documents of each query, query by query; None if the core declines.

    Parameters
    ----------
    index, query_ids
        The judgments and their queries.
    run
        A run for which `find_ranks` answered.
    lengths : (queries,) ints
        How many documents of each query; the run has so many.
    """
    starts = np.append(0, np.cumsum(lengths))
    rows = np.zeros(starts[-1], np.int64)
    if isinstance(run.source, NestedRun):
        nested = run.source.nested
        if _native.top_of_dict(index, nested, rows, starts) is not True:
            return None
        names: list[str] = []
        for query_id, (start, end) in zip(query_ids, pairwise(starts.tolist()), strict=True):
            documents = list(nested.get(query_id, ()))
            names += map(documents.__getitem__, rows[start:end].tolist())
        return names
    columns = None if isinstance(run.source, UnparsedRun) else _columns(run)
    if columns is None or _native.top_of_columns(index, *columns, rows, starts) is not True:
        return None
    return run.doc.take(rows)


def _columns(run: RunColumns) -> tuple[Column, Array | None, Column, Array] | None:
    """A run's columns as the native core reads them; None if it cannot read them."""
    query, doc = _column(run.query), _column(run.doc)
    if query is None or doc is None:
        return None
    lengths = run.query.lengths if isinstance(run.query, RepeatedIds) else None
    return query, lengths, doc, np.ascontiguousarray(run.score)


def _column(ids: Ids) -> Column | None:
    """Identifiers as the native core reads them; None if it cannot read them."""
    if isinstance(ids, CodedIds):
        categories = _plain(ids.categories)
        return None if categories is None else (np.ascontiguousarray(ids.code), categories)
    return _plain(ids)


def _plain(ids: Ids) -> Plain | None:
    if isinstance(ids, TextIds):
        return ids.text, np.ascontiguousarray(ids.first), np.ascontiguousarray(ids.length)
    if isinstance(ids, (ListIds, RepeatedIds)):
        return _objects(ids.values)
    return None


def _objects(values: Sequence[str]) -> tuple[Array]:
    return (np.ascontiguousarray(values, dtype=object),)
