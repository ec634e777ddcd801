"""Reads the lines of TREC files; the one place that decides which are malformed, and says so.

Only ASCII white space and ASCII digits count, as in trec_eval.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..common.writing import cell
from ..exceptions import InputError
from .columns import GRADE_LIMIT, SWAPPED
from .identifiers import LONGEST_ID, Ids, Numbering
from .line_blocks import longer_line, text_blocks
from .numbers import read_float, read_integer

HINTS = {
    (6, 4): f" (these look like qrels: {SWAPPED})",
    (4, 6): f" (this looks like a run: {SWAPPED})",
    (6, 3): " (MS MARCO's query, document and rank are read with RunSet(..., format='msmarco') or "
    "--format msmarco)",
}

INK = bytes(range(ord(" ") + 1, 256))  # what is no white space, and no other control byte

MUST_BE = f"must be UTF-8 of at most {LONGEST_ID} bytes"

RANK_PLACE = 3  # of a run


class Layout(NamedTuple):
    """The columns of a text format.

    Attributes
    ----------
    width
        The number of columns.
    doc, number
        The places of the document and of the number; the query is the first column.
    value
        What the number is called.
    of_grades
        Whether the numbers are grades or ranks: whole, and of at most 31 bits.
    header
        Whether the first line is no row.
    """

    width: int
    doc: int
    number: int
    value: str
    of_grades: bool = True
    header: bool = False

    def number_of(self, text: bytes) -> float:
        """The number in a cell; ValueError if there is none."""
        return grade_of(text) if self.of_grades else read_float(text)


RUN = Layout(6, 2, 4, "score", of_grades=False)
QRELS = Layout(4, 2, 3, "relevance")
BEIR = Layout(3, 1, 2, "relevance", header=True)
MSMARCO = Layout(3, 1, 2, "rank")


def grade_of(text: bytes) -> int:
    """The grade in a cell; ValueError if there is none."""
    grade = read_integer(text)
    if abs(grade) >= GRADE_LIMIT:
        raise ValueError(repr(text))
    return grade


def read_lines(path: Path, file: IO[bytes], layout: Layout) -> tuple[Ids, Ids, NDArray[Any]]:
    """The queries, documents and numbers of a file.

    Parameters
    ----------
    path
        The file, for errors.
    file
        Its content, decompressed. It is read in blocks, so that memory never holds all lines.

    Raises
    ------
    InputError
        When a line is malformed; the message names file and line.
    """
    queries, docs = Numbering(), Numbering()
    query, doc = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    values = [np.zeros(0, np.int64 if layout.of_grades else np.float64)]
    for lines_before, block in text_blocks(path, file):
        query_ids, doc_ids, numbers = _cells(path, block, layout, lines_before)
        query.append(queries.codes(query_ids))
        doc.append(docs.codes(doc_ids))
        values.append(np.array(numbers, values[0].dtype))
    return (
        Ids.coded(queries.names, np.concatenate(query)),
        Ids.coded(docs.names, np.concatenate(doc)),
        np.concatenate(values),
    )


def separator_of(block: bytes, columns: int) -> bytes:
    """What separates all cells of whole lines of so many columns; empty if nothing does.

    It is a space or a tab. No cell is empty, no line is a comment, and there is no other control
    byte and no mark of the byte order.
    """
    ends = b"" if block[-1:] == b"\n" else b"\n"
    blanks = block.translate(None, INK) + ends
    one = blanks[:1]
    lines = len(blanks) // columns
    if one not in (b" ", b"\t") or blanks != (one * (columns - 1) + b"\n") * lines:
        return b""
    starts_badly = block.startswith((one, b"#", codecs.BOM_UTF8))
    ends_badly = block.endswith(one)
    bad = one * 2, b"\n" + one, one + b"\n", b"\n#"
    if starts_badly or ends_badly or any(pair in block for pair in bad):
        return b""
    return one


def _cells(
    path: Path, block: bytes, layout: Layout, lines_before: int
) -> tuple[list[str], list[str], list[float]]:
    """Query, document and number of each line of a block; InputError if one is malformed."""
    places = 0, layout.doc, layout.number
    try:
        if longer_line(block, LONGEST_ID) is not None:
            raise ValueError
        if not layout.header and separator_of(block, layout.width):
            cells = block.split()
            query, doc, number = (cells[place :: layout.width] for place in places)
        else:
            rows = [row for _, _, row in _rows(block, layout, lines_before)]
            if {*map(len, rows)} - {layout.width}:
                raise ValueError
            query, doc, number = ([row[place] for row in rows] for place in places)
        if b"_" in b"".join(number):  # which Python reads as a part of a number
            raise ValueError
        read = cache(grade_of) if layout.of_grades else float
        return _decoded(query), _decoded(doc), list(map(read, number))
    except ValueError:  # some line may be malformed: each is looked at
        checked = list(_checked(path, block, layout, lines_before))
        return [row[0] for row in checked], [row[1] for row in checked], [row[2] for row in checked]


def _decoded(cells: list[bytes]) -> list[str]:
    return b"\n".join(cells).decode().split("\n") if cells else []


def _checked(
    path: Path, block: bytes, layout: Layout, lines_before: int
) -> Iterator[tuple[str, str, float]]:
    """The cells of each line; InputError at the first line that is malformed."""
    kind = "a whole number of at most 31 bits" if layout.of_grades else "a number"
    for number, line, row in _rows(block, layout, lines_before):
        if len(row) != layout.width and not _continues_tag(line, row, layout):
            raise InputError(
                f"{path}:{number}: a line must have {layout.width} columns; got {len(row)}: "
                f"{_shown(b' '.join(row))}{HINTS.get((layout.width, len(row)), '')}"
            )
        place, must_be = 0, f"query_id {MUST_BE}"
        try:
            query = _identifier(row[place])
            place, must_be = layout.doc, f"doc_id {MUST_BE}"
            doc = _identifier(row[place])
            place, must_be = layout.number, f"{layout.value} must be {kind}"
            yield query, doc, layout.number_of(row[place])
        except ValueError:
            raise InputError(f"{path}:{number}: {must_be}; got {_shown(row[place])}") from None


def _rows(
    block: bytes, layout: Layout, lines_before: int
) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """The lines that are no comments and not blank: the number, the line, and its cells."""
    text = block if lines_before else block.removeprefix(codecs.BOM_UTF8)
    for number, line in enumerate(text.split(b"\n"), lines_before + 1):
        if line[:1] != b"#" and not (layout.header and number == 1) and (row := line.split()):
            yield number, line, row


def _continues_tag(line: bytes, row: list[bytes], layout: Layout) -> bool:
    """Whether text follows the tag, which trec_eval ignores.

    A document id with spaces would shift the later columns, so the rank must be a number.
    """
    return (
        layout is RUN
        and len(row) > layout.width
        and row[RANK_PLACE].isdigit()
        and b"\r" not in line.rstrip(b"\r")
    )


def _identifier(text: bytes) -> str:
    if len(text) > LONGEST_ID:
        raise ValueError(len(text))
    return text.decode()


def _shown(text: bytes) -> str:
    return repr(cell(text))
