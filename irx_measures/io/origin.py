"""Locates rows in their file, for errors that are detected after reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from .columns import DOC_NAMES, QUERY_NAMES
from .files import unpacked
from .line_blocks import text_blocks
from .rows import rows


class Origin(NamedTuple):
    """The file from which columns were read.

    Attributes
    ----------
    path
        The file, which can be read again.
    lines
        The numbers of the lines of a file that contain a query and a document, in order; None if
        rows are not lines of text.
    """

    path: Path
    lines: Callable[[Path, str, str], Iterator[int]] | None

    @classmethod
    def of(
        cls, path: Path, lines: Callable[[Path, str, str], Iterator[int]] | None
    ) -> Origin | None:
        """The file, unless it is a pipe, which cannot be read again."""
        return cls(path, lines) if path.is_file() else None

    def where(self, query_id: str, doc_id: str, count: int) -> str:
        """The file, and the first lines that contain this query and document, if there are some."""
        found = [] if self.lines is None else self.lines(self.path, query_id, doc_id)
        numbers = list(map(str, islice(found, count)))
        if len(numbers) < count:
            return f"{self.path}"
        return f"{self.path}, line{'s' if count > 1 else ''} {' and '.join(numbers)}"


def lines_of_text(path: Path, query_id: str, doc_id: str, doc_place: int) -> Iterator[int]:
    """The lines of a TREC file that contain a query and a document.

    Parameters
    ----------
    doc_place
        Position of the document column in a line.
    """
    query, doc = query_id.encode(), doc_id.encode()
    with unpacked(path) as file:
        for lines_before, block in text_blocks(path, file):
            if doc not in block:
                continue
            for number, line in enumerate(BytesIO(block), lines_before + 1):
                row = line.split()
                if len(row) > doc_place and (row[0], row[doc_place]) == (query, doc):
                    yield number


def lines_of_row(path: Path, query_id: str, doc_id: str, form: str) -> Iterator[int]:
    """The lines of a file of rows that contain a query and a document."""
    for row in rows(path, form=form):
        if query_id in map(row.cells.get, QUERY_NAMES) and doc_id in map(row.cells.get, DOC_NAMES):
            yield row.line
