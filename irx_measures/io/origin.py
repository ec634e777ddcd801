"""Locates rows in their file, for errors that are detected after reading."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from .files import text_blocks


class Origin(NamedTuple):
    """The file from which columns were read.

    Attributes
    ----------
    path
        The file, which can be read again.
    doc_place
        Position of the document column in a line; None if rows are not lines of text.
    ranks
        How the rank column of a run contradicts its scores; empty if it does not.
    """

    path: Path
    doc_place: int | None
    ranks: str = ""

    def lines_of(self, query_id: str, doc_id: str) -> list[int]:
        """The numbers of the first two lines that contain this query and document."""
        if self.doc_place is None:
            return []
        wanted = query_id.encode(), doc_id.encode()
        return list(islice(self._matching(*wanted, self.doc_place), 2))

    def _matching(self, query: bytes, doc: bytes, place: int) -> Iterator[int]:
        for lines_before, block in text_blocks(self.path):
            if doc not in block:
                continue
            for number, line in enumerate(BytesIO(block), lines_before + 1):
                row = line.split()
                if len(row) > place and (row[0], row[place]) == (query, doc):
                    yield number


def duplicate_message(
    origin: Origin | None, label: str, query_id: str, verb: str, doc_id: str
) -> str:
    """The error message for a duplicate document in a query; for a file it names both lines.

    Parameters
    ----------
    origin
        The file; None if the rows do not come from a file.
    label
        The label of the run or qrels.
    query_id, verb, doc_id
        The query, the verb and the document of the message.
    """
    what = f"{label}: query {query_id!r} {verb} document {doc_id!r} more than once"
    if origin is None:
        return what
    lines = origin.lines_of(query_id, doc_id)
    where = f", lines {lines[0]} and {lines[1]}" if len(lines) == 2 else ""
    return f"{what} ({origin.path}{where})"
