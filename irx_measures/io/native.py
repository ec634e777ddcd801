"""The native core, which is optional: it ranks a run without reading it, or declines.

It declines whatever is irregular; the readers then decide, and word the error. Nothing else in the
package knows the core.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..common.numeric import Int32Array, Int64Array
from .arrow import is_arrow, text_of
from .identifiers import Ids, objects
from .source import Unread

try:
    from . import _native
except ImportError:  # it was not built for this machine
    BUILT = False
else:
    BUILT = True

if TYPE_CHECKING:
    from ._native import Column, Index

SECRET_BYTES = 16  # two secrets of 64 bits, as in native/


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
    docs = objects(doc_ids)[doc]
    secrets = os.urandom(SECRET_BYTES)
    return _native.make_index(secrets, (objects(query_ids),), (docs,), query, cell, cells)


def rank(
    index: Index, run: Unread, shape: tuple[int, int]
) -> tuple[Int32Array, Int64Array, int] | None:
    """Rank a run that was not read; None if the core declines.

    Returns the rank of each judged document, 0 if the run did not return it, (queries, cells), the
    number of documents that the run returned, (queries,), and the number of queries with a tied
    top.
    """
    found = np.zeros(shape[0] * shape[1], np.int32), np.zeros(shape[0], np.int64)
    if isinstance(run, dict):
        answered = _native.rank_dict(index, run, *found)
    elif isinstance(run, bytes):
        answered = _native.rank_lines(index, run, *found)
    else:
        value = np.ascontiguousarray(run.value)
        answered = _native.rank_columns(index, _column(run.query), _column(run.doc), value, *found)
    if answered is None:
        return None
    return found[0].reshape(shape), found[1], answered


def _column(ids: Ids) -> Column:
    """Identifiers as the core reads them."""
    text = text_of(ids.raw) if is_arrow(ids.raw) else None
    return text or (np.ascontiguousarray(ids.objects()),)
