"""The native core of the look-up: native/lookup.cpp says what it does.

A column of identifiers is `(objects,)`, an array of Python strings; `(text, first, length)`, UTF-8
text with the first byte and the length of each; or `(codes, column)`, numbers of categories, whose
identifiers are a column of one of the other forms.
"""

from typing import Any, Literal, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Plain: TypeAlias = tuple[Array] | tuple[Array, Array, Array]
Column: TypeAlias = Plain | tuple[Array, Plain]

class Index:
    """Stands for the capsule that `make_index` returns."""

def make_index(
    secrets: bytes, queries: Column, docs: Column, rows: Array, cells: Array, cell_count: int, /
) -> Index | None:
    """The judged documents, each with its query's number and its place in the raveled grades.

    `secrets` are 16 random bytes.
    """

def read_dict(nested: Any, docs: Array, values: Array, /) -> Literal[True] | None:
    """Fill an array of None and one of floats with the documents and numbers of a dict of dicts."""

def rank_columns(
    index: Index,
    queries: Column,
    lengths: Array | None,
    docs: Column,
    scores: Array,
    rank: Array,
    returned: Array,
    first: Array,
    /,
) -> Literal[True] | None:
    """Rank a run in columns; with `lengths`, `queries` has one identifier for so many rows.

    `first` becomes the row of each query's first document.
    """

def rank_dict(index: Index, run: Any, rank: Array, returned: Array, /) -> Literal[True] | None:
    """Rank a run in a dict of dicts."""

def rank_lines(index: Index, text: bytes, rank: Array, returned: Array, /) -> Literal[True] | None:
    """Rank a run in the text of a TREC file."""

def top_of_columns(
    index: Index,
    docs: Column,
    scores: Array,
    first: Array,
    returned: Array,
    rows: Array,
    starts: Array,
    /,
) -> Literal[True] | None:
    """The rows of the highest ranks of each query; `starts` says where each query's are in `rows`.

    `first` and `returned` are those of `rank_columns`.
    """

def top_of_dict(index: Index, run: Any, docs: Array, starts: Array, /) -> Literal[True] | None:
    """The same, as documents in an array of None, for a run that `rank_dict` answered."""
