"""The native core of the look-up: native/lookup.cpp says what it does.

A column of identifiers is `(objects,)`, an array of Python strings, or `(text, first, length)`,
UTF-8 text with the first byte and the length of each. The functions that rank answer the number of
queries with a tied top, or None.
"""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Column: TypeAlias = tuple[Array] | tuple[Array, Array, Array]

class Index:
    """Stands for the capsule that `make_index` returns."""

def make_index(
    secrets: bytes, queries: Column, docs: Column, rows: Array, cells: Array, cell_count: int, /
) -> Index | None:
    """The judged documents, each with its query's number and its place in the raveled grades.

    `secrets` are 16 random bytes.
    """

def rank_columns(
    index: Index, queries: Column, docs: Column, scores: Array, rank: Array, returned: Array, /
) -> int | None:
    """Rank a run in columns."""

def rank_dict(index: Index, run: Any, rank: Array, returned: Array, /) -> int | None:
    """Rank a run in a dict of dicts."""

def rank_lines(index: Index, text: bytes, rank: Array, returned: Array, /) -> int | None:
    """Rank a run in the text of a TREC file."""
