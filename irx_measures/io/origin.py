"""Where the rows of a file stand, for the messages of errors that are found after reading."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from .files import text_blocks


class Origin(NamedTuple):
    """The file that columns were read from.

    Attributes
    ----------
    path
        The file, which can be read again.
    doc_place
        Which column of a line is the document; None where rows are no lines.
    """

    path: Path
    doc_place: int | None

    def lines_of(self, query_id: str, doc_id: str) -> list[int]:
        """The numbers of the first two lines that have a query and a document."""
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


def repeated(origin: Origin | None, label: str, query_id: str, verb: str, doc_id: str) -> str:
    """The message that a query has a document twice; of a file, with both lines.

    Parameters
    ----------
    origin
        None where the rows do not come from a file.
    label
        What they are called.
    query_id, verb, doc_id
        Which query does what with which document.
    """
    what = f"{label}: query {query_id!r} {verb} document {doc_id!r} more than once"
    if origin is None:
        return what
    lines = origin.lines_of(query_id, doc_id)
    where = f", lines {lines[0]} and {lines[1]}" if len(lines) == 2 else ""
    return f"{what} ({origin.path}{where})"
