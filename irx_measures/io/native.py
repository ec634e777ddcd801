"""The native core, which is optional: it ranks the rows of a run as they came.

It declines errors, which the readers then word. Nothing else in the package knows the core.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..common.numeric import Float32Array, Int32Array, Int64Array
from ..common.warn import warn
from .arrow import codes_of, is_arrow, is_coded, text_of
from .identifiers import Ids, Names, objects
from .source import Rows, Text

INTERFACE = 2
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

if TYPE_CHECKING:
    from ._native import Column, Distinct, Index

SECRET_BYTES = 16  # two secrets of 64 bits, as in native/

NUMBERS = (
    *(np.float16, np.float32, np.int8, np.int16, np.int32, np.int64),
    *(np.uint8, np.uint16, np.uint32, np.uint64),
)
"""Types of scores, beside Python's, that have a conversion of their own to float."""


class Ranked(NamedTuple):
    """What the core finds in a run."""

    rank: Int32Array  # (queries, cells), from 1; 0 if the document was not returned
    returned: Int64Array  # (queries,), number of documents returned
    tied_tops: int  # number of queries with a tied top
    own_tops: int  # number of queries with the document of their own id in the top
    tie_by_rounding: bool  # whether most documents tie only when scores are float32
    # For each other order of ties: cell and rank of the judged documents in ties, (tied, 2).
    ties: tuple[Int64Array, ...]
    tops: tuple[bytes, ...]  # for each depth, the documents as `packed_names`, query by query
    scores: Float32Array  # (returned,), by query and rank; empty if they are not wanted


def index_of(
    query_ids: Sequence[str],
    doc_ids: Sequence[str],
    entries: tuple[Int64Array, Int64Array, Int64Array],
    cells: int,
) -> Index | None:
    """Judgments as the core looks them up; None if it is not built, or declines them.

    `entries` are the number of the query, that of the document, and the cell, of each judgment.
    """
    if not BUILT:
        return None
    query, doc, cell = entries
    secrets = os.urandom(SECRET_BYTES)
    docs = doc, (objects(doc_ids),)
    return _native.make_index(secrets, (objects(query_ids),), docs, query, cell, cells)


def rank(
    index: Index,
    rows: Rows,
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
    tops = tuple(map(_depth, depths))
    to = rank, returned, tops, with_scores, without_identical
    if isinstance(rows, dict):
        answer = _native.rank_dict(index, rows, NUMBERS, *to)
    elif isinstance(rows, Text):
        answer = _native.rank_lines(index, rows.content, rows.of_ranks, *to)
    else:
        value = np.ascontiguousarray(rows.value, np.float64)
        answer = _native.rank_columns(index, _column(rows.query), _column(rows.doc), value, *to)
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
    )


def _depth(depth: int | None) -> int:
    return sys.maxsize if depth is None else depth


def _column(ids: Ids) -> Column:
    """Identifiers as the core reads them."""
    raw = ids.raw
    if isinstance(raw, np.ndarray):
        return (np.ascontiguousarray(raw),)
    if is_arrow(raw):
        if not is_coded(raw):
            return text_of(raw)
        code, distinct = codes_of(raw)
        return code, text_of(distinct)
    return np.ascontiguousarray(ids.given.code), _distinct(ids.given.names)


def _distinct(names: Names) -> Distinct:
    return text_of(names.raw) if is_arrow(names.raw) else (objects(names.raw),)
