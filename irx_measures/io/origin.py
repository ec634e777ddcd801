"""Locates rows in their file, for errors that are detected after reading."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from .columns import DOC_NAMES, QUERY_NAMES
from .files import unpacked
from .line_blocks import text_blocks
from .rows import rows


class Origin(NamedTuple):
    """The file from which columns were read, which can be read again.

    Attributes
    ----------
    path
    doc_place
        The place of the document in a line of text; None if lines are none of a TREC file.
    form
        The format of a file of rows, as in `rows`; empty if lines are no rows.
    """

    path: Path
    doc_place: int | None = None
    form: str = ""

    def where(self, query_id: str, doc_id: str, count: int) -> str:
        """The file, and the first lines that contain this query and document, if there are some."""
        numbers = list(map(str, islice(self._lines(query_id, doc_id), count)))
        if len(numbers) < count:
            return f"{self.path}"
        return f"{self.path}, line{'s' if count > 1 else ''} {' and '.join(numbers)}"

    def _lines(self, query_id: str, doc_id: str) -> Iterator[int]:
        if self.form:
            for row in rows(self.path, form=self.form):
                cell = row.cells.get
                if query_id in map(cell, QUERY_NAMES) and doc_id in map(cell, DOC_NAMES):
                    yield row.line
        if self.doc_place is None:
            return
        wanted = query_id.encode(), doc_id.encode()
        with unpacked(self.path) as file:
            for lines_before, block in text_blocks(self.path, file):
                for number, line in enumerate(BytesIO(block), lines_before + 1):
                    cells = line.split()
                    if len(cells) > self.doc_place and (cells[0], cells[self.doc_place]) == wanted:
                        yield number
