"""The native core: native/lookup.cpp says what it does.

A column of identifiers is `(objects,)`, an array of Python strings, `(text, first, length)`, UTF-8
text with the first byte and the length of each, or `(codes, objects)`, the places of the
identifiers in an array of distinct ones. `secrets` are 16 random bytes. Each function declines with
None what is an error, and what only Python can read.
"""

from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Column: TypeAlias = tuple[Any, ...]
Asked: TypeAlias = tuple[Array, Array, tuple[int, ...], bool, bool]
"""What is asked for of a run.

The arrays for the ranks and for the numbers of returned documents, which are zero; the depths of
the tops that are wanted; whether all scores are wanted; whether documents with the id of their
query are left out.
"""
Answer: TypeAlias = tuple[int, int, bool, tuple[bytes, bytes, bytes], tuple[bytes, ...], bytes]
"""What is known of a run beside the ranks.

The number of queries with a tied top; that of queries with the document of their own id in the top;
whether most documents tie only as floats; for each order of
ties, cell and rank of the judged documents in ties, as 64-bit numbers; for each depth, the numbers
of letters of the documents down to it, query by query, and then their text; the scores by rank as
32-bit floats, query by query, or nothing.
"""
Head: TypeAlias = list[tuple[str, str, str, float]]
"""Query, document, rank and score of some rows at the beginning of a text."""

INTERFACE: int
"""The version of these functions."""

class Index:
    """Stands for the capsule that `make_index` returns."""

def make_index(
    secrets: bytes, queries: Column, docs: Column, rows: Array, cells: Array, cell_count: int, /
) -> Index | None:
    """The judged documents, each with its query's number and its place in the raveled grades."""

def rank_columns(
    index: Index, queries: Column, docs: Column, scores: Array, asked: Asked, /
) -> Answer | None:
    """Rank a run in columns."""

def rank_dict(index: Index, run: Any, numbers: tuple[type, ...], asked: Asked, /) -> Answer | None:
    """Rank a run in a dict of dicts, or of lists of documents.

    `numbers` are types of scores, beside Python's, that have a conversion of their own to float.
    """

def rank_lines(
    index: Index, text: bytearray, width: int, asked: Asked, /
) -> tuple[Answer, Head] | None:
    """Rank a run in the text of a TREC file (6 columns), or of MS MARCO's (3)."""

def number(secrets: bytes, column: Column, /) -> tuple[bytes, list[str]] | None:
    """The number of each row's identifier, as 32-bit numbers, and the distinct identifiers."""

def read_lines(
    secrets: bytes, text: bytearray, width: int, /
) -> tuple[bytes, list[str], bytes, list[str], bytes, bytes, Head] | None:
    """The rows of a text: queries and documents as `number` gives them, numbers, lines, and head.

    Numbers are 64-bit floats: scores, grades (4 columns), or ranks with a minus. Lines are 64-bit
    numbers from 1.
    """

def split_csv(text: bytes, delimiter: int, width: int, /) -> tuple[list[str], ...] | None:
    """The columns of plain lines of csv in ASCII, without blanks at the ends of cells."""
