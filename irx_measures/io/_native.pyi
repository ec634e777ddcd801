"""The native core: native/lookup.cpp says what it does.

A column of identifiers is `(objects,)`, an array of Python strings, `(text, first, length)`, UTF-8
text with the first byte and the length of each, or `(codes, column)`, the places of the
identifiers in a column of distinct ones. `depths` are those of tops that are wanted.
`without_identical` leaves out the documents with the id of their query.
"""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Distinct: TypeAlias = tuple[Array] | tuple[Array, Array, Array]
Column: TypeAlias = Distinct | tuple[Array, Distinct]
Answer: TypeAlias = tuple[int, int, bool, tuple[bytes, bytes, bytes], tuple[bytes, ...], bytes]
"""What is known of a run beside the ranks.

The number of queries with a tied top; that of queries with the document of their own id in the top;
whether most documents tie only as floats; for each order of
ties, cell and rank of the judged documents in ties, as 64-bit numbers; for each depth, the numbers
of letters of the documents down to it, query by query, and then their text; the scores by rank as
32-bit floats, query by query, or nothing.
"""

INTERFACE: int
"""The version of these functions."""

class Index:
    """Stands for the capsule that `make_index` returns."""

def make_index(
    secrets: bytes, queries: Column, docs: Column, rows: Array, cells: Array, cell_count: int, /
) -> Index | None:
    """The judged documents, each with its query's number and its place in the raveled grades.

    `secrets` are 16 random bytes.
    """

def rank_columns(
    index: Index,
    queries: Column,
    docs: Column,
    scores: Array,
    rank: Array,
    returned: Array,
    depths: tuple[int, ...],
    with_scores: bool,
    without_identical: bool = False,
    /,
) -> Answer | None:
    """Rank a run in columns."""

def rank_dict(
    index: Index,
    run: Any,
    numbers: tuple[type, ...],
    rank: Array,
    returned: Array,
    depths: tuple[int, ...],
    with_scores: bool,
    without_identical: bool = False,
    /,
) -> Answer | None:
    """Rank a run in a dict of dicts, or of lists of documents.

    `numbers` are types of scores, beside Python's, that have a conversion of their own to float.
    """

def rank_lines(
    index: Index,
    text: bytearray,
    of_ranks: bool,
    rank: Array,
    returned: Array,
    depths: tuple[int, ...],
    with_scores: bool,
    without_identical: bool = False,
    /,
) -> Answer | None:
    """Rank a run in the text of a TREC file, or of MS MARCO's with ranks in place of scores."""
