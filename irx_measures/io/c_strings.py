"""Identifiers that C code cannot read: with null characters, or without a form in UTF-8."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from .identifiers import Ids
from .utf8_identifiers import TextIds

# The first byte of a lone surrogate in UTF-8; also of many other characters.
SURROGATE = 0xED


class OddId(NamedTuple):
    """An identifier of a query, or of a document in a query."""

    query_id: str
    id: str


def first_not_c_string(query: Ids, doc: Ids) -> OddId | None:
    """The first identifier with a null character or a lone surrogate; None if there is none.

    Parameters
    ----------
    query, doc
        Columns of the same length.
    """
    if _surely_c_strings(query.run_lengths()[0]) and _surely_c_strings(doc):
        return None
    for query_id, doc_id in zip(query.all(), doc.all(), strict=True):
        for name in (query_id, doc_id):
            if not _are_c_strings([name]):
                return OddId(query_id, name)
    return None


def _surely_c_strings(ids: Ids) -> bool:
    """True is certain; False says that the identifiers must be examined one by one."""
    if isinstance(ids, TextIds):
        return _surely_c_strings_in_text(ids)
    return _are_c_strings(ids.all())


def _surely_c_strings_in_text(ids: TextIds) -> bool:
    if not len(ids):
        return True
    start = int(ids.first.min())
    text = ids.text[start : int((ids.first + ids.length).max())]
    if (text == SURROGATE).any():
        return _are_c_strings(ids.all())
    null = np.flatnonzero(text == 0) + start
    if not len(null):
        return True
    if np.any(ids.first[1:] < ids.first[:-1]):
        return _are_c_strings(ids.all())
    # Chunks of text are padded with null bytes, which are not part of an identifier.
    row = np.searchsorted(ids.first, null, side="right") - 1
    return not np.any(null < ids.first[row] + ids.length[row])


def _are_c_strings(names: Iterable[str]) -> bool:
    try:
        return b"\0" not in "".join(names).encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
