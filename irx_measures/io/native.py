"""Look-up of judged documents by the native core, which is optional and declines irregular runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..common.numeric import Int32Array, Int64Array
from .columns import RunColumns
from .containers import NestedRun
from .identifiers import CodedIds, Ids, ListIds, RepeatedIds
from .native_dicts import BUILT as BUILT
from .trec import UnparsedRun
from .utf8_identifiers import TextIds

if BUILT:
    from . import _native

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


class FoundInCore(NamedTuple):
    """What the native core finds; arrays of zeros before it answers.

    Attributes
    ----------
    rank : (cells,) ints
        The rank of each judged document; 0 if the run did not return it.
    returned : (queries,) ints
        The number of documents that the run returned.
    first : (queries,) ints
        The row of each query's first document, if the run is in columns.
    """

    rank: Int32Array
    returned: Int64Array
    first: Int64Array

    @classmethod
    def zeros(cls, cells: int, queries: int) -> FoundInCore:
        """Nothing is found yet."""
        return cls(
            np.zeros(cells, np.int32), np.zeros(queries, np.int64), np.zeros(queries, np.int64)
        )


def find_ranks(index: Index, run: RunColumns, found: FoundInCore) -> bool:
    """Whether the native core answers; only then does `found` hold what may be used."""
    rank, returned, first = found
    if isinstance(run.source, NestedRun):
        return _native.rank_dict(index, run.source.nested, rank, returned) is True
    if isinstance(run.source, UnparsedRun):
        return _native.rank_lines(index, run.source.text, rank, returned) is True
    query, doc = _column(run.query), _column(run.doc)
    if query is None or doc is None:
        return False
    lengths = run.query.lengths if isinstance(run.query, RepeatedIds) else None
    score = np.ascontiguousarray(run.score)
    return _native.rank_columns(index, query, lengths, doc, score, rank, returned, first) is True


def top_names(
    index: Index, run: RunColumns, found: FoundInCore, lengths: Int64Array
) -> list[str] | None:
    """The highest ranked documents of each query, query by query; None if the core declines.

    Parameters
    ----------
    index
        The judgments.
    run, found
        The run, and what `find_ranks` found in it.
    lengths : (queries,) ints
        How many documents of each query; the run has so many.
    """
    starts = np.append(0, np.cumsum(lengths))
    if isinstance(run.source, NestedRun):
        docs = np.empty(starts[-1], object)
        answers = _native.top_of_dict(index, run.source.nested, docs, starts)
        return docs.tolist() if answers is True else None
    doc = None if isinstance(run.source, UnparsedRun) else _column(run.doc)
    if doc is None:
        return None
    rows = np.zeros(starts[-1], np.int64)
    score, (_, returned, first) = np.ascontiguousarray(run.score), found
    if _native.top_of_columns(index, doc, score, first, returned, rows, starts) is not True:
        return None
    return run.doc.take(rows)


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
