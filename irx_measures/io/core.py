"""The native core, which is optional: it reads, splits, numbers and ranks.

It declines errors, which the readers in Python then word. Nothing else in the package knows it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Float32Array, FloatArray, Int32Array, Int64Array
from ..common.warn import warn
from .rank_column import HeadRow

if TYPE_CHECKING:
    from ._native import Index

INTERFACE = 3
"""The version of the functions of the core, as in native/; another number with each change."""

try:
    from . import _native
except ImportError:  # it was not built for this machine
    BUILT = False
else:
    BUILT = getattr(_native, "INTERFACE", None) == INTERFACE
    if not BUILT:
        warn(
            f"the native core was built from other sources, and is not used ({_native.__file__}); "
            "`python native/build.py` in the source folder builds it anew",
            RuntimeWarning,
        )

SECRET_BYTES = 16  # two secrets of 64 bits, as in native/

NUMBERS = tuple(
    np.dtype(kind).type for kind in ["f2", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
)
"""Types of scores, beside Python's, that have a conversion of their own to float."""

Column: TypeAlias = tuple[Any, ...]
"""Identifiers of rows; see `Ids`."""

Columns: TypeAlias = tuple[Column, Column, NDArray[Any]]
"""Queries, documents and scores of rows."""


class Text(NamedTuple):
    """The text of a run or of qrels in lines."""

    content: bytearray
    width: int  # the number of columns, which tells the layout; see `lines.LAYOUTS`


class Rows(NamedTuple):
    """The rows of a text."""

    query: Int32Array  # the number of each row's query
    queries: list[str]  # in order of first appearance
    doc: Int32Array
    docs: list[str]
    value: FloatArray
    line: Int64Array  # the number of each row's line, from 1
    head: list[HeadRow]  # see `Ranked`


class Ranked(NamedTuple):
    """What judgments need of a run; `Ranking.joined` makes the same without the core."""

    rank: Int32Array  # (queries, documents), from 1; 0 if the document was not returned
    returned: Int64Array  # (queries,), number of documents returned
    tied_tops: int  # number of queries; see `Ranking.tied_tops`
    own_tops: int  # number of queries; see `Ranking.own_tops`
    tie_by_rounding: bool  # whether most documents tie only when scores are float32
    # For each other order of ties: cell and rank of the judged documents in ties, (tied, 2).
    ties: tuple[Int64Array, ...]
    tops: tuple[bytes, ...]  # for each depth, the documents as `packed_names`, query by query
    scores: Float32Array  # (returned,), by query and rank; empty if they are not wanted
    head: list[HeadRow]  # of a text: the top rows and the last one of the first queries


def secrets() -> bytes:
    """Of a hash, so that nobody can choose identifiers that collide."""
    return os.urandom(SECRET_BYTES)


def number(column: Column) -> tuple[Int32Array, list[str]] | None:
    """The number of each row's identifier, and the identifiers in order of first appearance.

    None if the core is not built, or declines.
    """
    found = _native.number(secrets(), column) if BUILT else None
    return None if found is None else (np.frombuffer(found[0], np.int32), found[1])


def split_csv(text: str, delimiter: str, width: int) -> Sequence[list[str]] | None:
    """The columns of plain lines of csv; None if the core is not built, or declines."""
    return _native.split_csv(text.encode(), ord(delimiter), width) if BUILT else None


def read_lines(text: Text) -> Rows | None:
    """The rows of a text; None if the core is not built, or declines."""
    found = _native.read_lines(secrets(), text.content, text.width) if BUILT else None
    if found is None:
        return None
    query, queries, doc, docs, value, line, head = found
    return Rows(
        np.frombuffer(query, np.int32),
        queries,
        np.frombuffer(doc, np.int32),
        docs,
        np.frombuffer(value, np.float64),
        np.frombuffer(line, np.int64),
        list(map(HeadRow._make, head)),
    )


def index_of(
    query_ids: NDArray[Any],
    doc_ids: NDArray[Any],
    entries: tuple[Int64Array, Int64Array, Int64Array],
    cells: int,
) -> Index | None:
    """Judgments as the core looks them up; None if it is not built, or declines them.

    `entries` are the number of the query, that of the document, and the cell, of each judgment.
    """
    if not BUILT:
        return None
    query, doc, cell = entries
    docs = doc.astype(np.int32), doc_ids
    return _native.make_index(secrets(), (query_ids,), docs, query, cell, cells)


def rank(
    index: Index,
    rows: dict[str, Any] | Text | Columns,
    shape: tuple[int, int],
    depths: Sequence[int | None] = (),
    with_scores: bool = False,
    without_identical: bool = False,
) -> Ranked | None:
    """Rank a run; None if the core declines.

    `depths` are those of the tops that are wanted; None is the whole ranking. `with_scores` says
    whether all scores are wanted; `without_identical`, whether documents with the id of their query
    are left out.
    """
    rank = np.zeros(shape[0] * shape[1], np.int32)
    returned = np.zeros(shape[0], np.int64)
    tops = tuple(sys.maxsize if depth is None else depth for depth in depths)
    asked = rank, returned, tops, with_scores, without_identical
    head: list[HeadRow] = []
    if isinstance(rows, dict):
        answer = _native.rank_dict(index, rows, NUMBERS, asked)
    elif isinstance(rows, Text):
        found = _native.rank_lines(index, rows.content, rows.width, asked)
        answer, begin = (None, ()) if found is None else found
        head.extend(map(HeadRow._make, begin))
    else:
        query, doc, score = rows
        value = np.ascontiguousarray(score, np.float64)
        answer = _native.rank_columns(index, query, doc, value, asked)
    if answer is None:
        return None
    tied_tops, own_tops, by_rounding, ties, texts, scores = answer
    pairs = tuple(np.frombuffer(of, np.int64).reshape(-1, 2) for of in ties)
    return Ranked(
        rank.reshape(shape),
        returned,
        tied_tops,
        own_tops,
        by_rounding,
        pairs,
        texts,
        np.frombuffer(scores, np.float32),
        head,
    )
