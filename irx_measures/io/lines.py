"""Reads the lines of TREC files; the one place that decides which are malformed, and says so.

The native core reads what is legal. Without it, and to word an error, a plain loop does. Only ASCII
white space and ASCII digits count, as in trec_eval.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from ..common.writing import cell, counted, shown
from ..exceptions import InputError
from . import core
from .columns import GRADE_LIMIT, LONGEST_ID, SWAPPED, WHOLE, grade_hint
from .core import Text
from .identifiers import Ids, Numbering
from .rank_column import HEAD_ROWS, HeadRow, contradiction
from .reading import mistakes_in
from .table import Table, whole_grades

SPACED = " (does an id contain a space?)"

HEADER = " (line 1 looks like a header: leave it out)"

HEADS = frozenset(
    b"query_id qid query-id doc_id docno docid corpus-id rank score relevance rel grade".split()
)
"""Words of headers, of which a line of TREC has hardly two."""

LETOR = " (this looks like learning-to-rank data, which irx_measures.read_letor reads)"

MUST_BE = f"must be UTF-8 of at most {LONGEST_ID} bytes"

RANK_PLACE, TAG_PLACE = 3, 5  # of a run

LINES = 1 << 16  # that are read at once, a choice: of more, the cells take much memory

# However it is written, also with a decimal comma; as in native/.
LIKE_A_NUMBER = re.compile(
    rb"[+-]?(?:[.,]?[0-9][0-9.,e+-]*|0x[0-9a-f]+|inf|infinity|nan)", re.IGNORECASE
)

Number = TypeVar("Number", int, float)


def read_number(text: bytes, kind: type[Number]) -> Number:
    """Convert text to a number; ValueError if it is none, or has underscores, as Python allows."""
    if b"_" in text:
        raise ValueError(repr(text))
    return kind(text)


def grade_of(text: bytes) -> int:
    """The grade in a cell, such as 1 or 1.0; ValueError if there is none."""
    whole, _, fraction = text.partition(b".")
    if fraction.strip(b"0"):
        raise ValueError(repr(text))
    grade = read_number(whole, int)
    if abs(grade) >= GRADE_LIMIT:
        raise ValueError(repr(text))
    return grade


def _numbers_of(cells: Sequence[bytes]) -> list[float]:
    if b"_" in b"".join(cells):  # as Python allows
        raise ValueError
    return list(map(float, cells))


def _scores_of_ranks(cells: Sequence[bytes]) -> list[float]:
    return [-grade_of(cell) for cell in cells]


class Layout(NamedTuple):
    """The columns of a text format."""

    width: int  # the number of columns
    doc: int  # the place of the document; the query is the first column
    number: int  # the place of the number
    value: str  # what the number is called
    # The scores or grades in cells; ValueError if one has none.
    read: Callable[[Sequence[bytes]], list[float]]


RUN = Layout(6, 2, 4, "score", _numbers_of)
QRELS = Layout(4, 2, 3, "relevance", _numbers_of)
MSMARCO = Layout(3, 1, 2, "rank", _scores_of_ranks)

LAYOUTS = {layout.width: layout for layout in (RUN, QRELS, MSMARCO)}

LIKE = {
    (QRELS.width, RUN.width): f" (this looks like a run: {SWAPPED})",
    (RUN.width, QRELS.width): f" (these look like qrels: {SWAPPED})",
    (RUN.width, MSMARCO.width): (
        " (`RunSet(..., format='msmarco')` reads MS MARCO's query, document and rank)"
    ),
}
"""Hints, by the number of columns that was expected and that a line has."""


def table_of_text(path: Path, text: Text) -> Table:
    """The rows of a file; InputError at the first malformed line.

    `Table.comment` says whether a comment may have been meant as a row.
    """
    with mistakes_in(path):
        rows = core.read_lines(text)
        table, head = _by_line(path, text) if rows is None else _of_core(path, rows)
    if text.width != QRELS.width:
        return replace(table, ranks=contradiction(head))
    try:
        return replace(table, value=whole_grades(table.value, table.place))
    except InputError:
        _refuse(path, text, QRELS)
        raise


def _of_core(path: Path, rows: core.Rows) -> tuple[Table, list[HeadRow]]:
    """The rows that the core has read, and those at the beginning."""
    query = Ids.of_numbers(rows.queries, rows.query)
    doc = Ids.of_numbers(rows.docs, rows.doc)
    return Table(query, doc, rows.value, path=path, line=rows.line), rows.head


def _by_line(path: Path, text: Text) -> tuple[Table, list[HeadRow]]:
    """The same without the core, or to word the error."""
    layout = LAYOUTS[text.width]
    queries, docs = Numbering(), Numbering()
    query, doc = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    value, line = [np.zeros(0)], [np.zeros(0, np.int64)]
    ranks: list[str] = []
    unclear: list[tuple[int, str]] = []
    lines = enumerate(BytesIO(text.content), 1)
    while several := list(islice(lines, LINES)):
        try:
            rows = _rows_of(several, layout, unclear)
            query.append(queries.codes(_decoded(rows.query)))
            doc.append(docs.codes(_decoded(rows.doc)))
            value.append(np.array(layout.read(rows.value), np.float64))
        except ValueError:
            _refuse(path, text, layout)
            raise
        line.append(np.array(rows.line, np.int64))
        if layout is RUN and not ranks:
            first = [several[number - several[0][0]][1] for number in rows.line[:HEAD_ROWS]]
            ranks = [of_row.split()[RANK_PLACE].decode(errors="replace") for of_row in first]
    table = Table(
        Ids.of_numbers(queries.names, np.concatenate(query)),
        Ids.of_numbers(docs.names, np.concatenate(doc)),
        np.concatenate(value),
        path=path,
        line=np.concatenate(line),
        comment=_told(path, unclear),
    )
    return table, table.head(ranks)


class _Cells(NamedTuple):
    """Cells of lines, by columns."""

    query: list[bytes]
    doc: list[bytes]
    value: list[bytes]
    line: list[int]


def _rows_of(
    lines: Iterable[tuple[int, bytes]], layout: Layout, unclear: list[tuple[int, str]]
) -> _Cells:
    """The rows in some lines; ValueError if one has too few or too many cells.

    Comments that read as rows are added to `unclear`, by their line and query.
    """
    rows = _Cells([], [], [], [])
    add_query, add_doc = rows.query.append, rows.doc.append
    add_value, add_line = rows.value.append, rows.line.append
    for number, line in lines:
        cells = line.split()
        if line.startswith(b"#"):
            with suppress(InputError):
                unclear.append((number, _row("", line, cells, layout)[0]))
        elif cells:
            if len(cells) != layout.width and not _continues_tag(line, cells, layout):
                raise ValueError
            add_query(cells[0])
            add_doc(cells[layout.doc])
            add_value(cells[layout.number])
            add_line(number)
    return rows


def _refuse(path: Path, text: Text, layout: Layout) -> None:
    """InputError at the first malformed line."""
    for number, line in enumerate(BytesIO(text.content), 1):
        if line.strip() and not line.startswith(b"#"):
            _row(f"{path}:{number}", line, line.split(), layout)


def _decoded(cells: list[bytes]) -> list[str]:
    if max(map(len, cells), default=0) > LONGEST_ID:
        raise ValueError
    return b"\n".join(cells).decode().split("\n") if cells else []


def _told(path: Path, unclear: Sequence[tuple[int, str]]) -> str:
    """The question about lines, by number and query, which are comments or rows; empty without."""
    if not unclear:
        return ""
    number, query_id = unclear[0]
    more = f", like {counted(len(unclear) - 1, 'more line')}" if len(unclear) > 1 else ""
    return (
        f"{path}:{number}: a comment, or the query {shown(query_id)}? The line begins with # and "
        f"reads as a row{more}"
    )


def _row(where: str, line: bytes, row: list[bytes], layout: Layout) -> tuple[str, str, float]:
    """Query, document and number of a line and its cells; InputError if it is malformed."""
    kind = WHOLE if layout is MSMARCO else "a number"
    hint = _hint(where, row, layout)
    if len(row) != layout.width and not _continues_tag(line, row, layout):
        raise InputError(
            f"{where}: a line must have {layout.width} columns; got {len(row)}: "
            f"{_shown(b' '.join(row))}{hint}"
        )
    place, must_be = 0, f"query_id {MUST_BE}"
    try:
        query = _identifier(row[place])
        place, must_be = layout.doc, f"doc_id {MUST_BE}"
        doc = _identifier(row[place])
        place, must_be = layout.number, f"{layout.value} must be {kind}"
        (value,) = layout.read([row[place]])
        if layout is QRELS:
            must_be, hint = f"a grade must be {WHOLE}", grade_hint(value)
            whole_grades(np.array([value]), str)
    except ValueError:
        raise InputError(f"{where}: {must_be}; got {_shown(row[place])}{hint}") from None
    return query, doc, value


def _hint(where: str, row: list[bytes], layout: Layout) -> str:
    """What a malformed line may be, for the end of the message."""
    if b" ".join(row[1:]).startswith(b"qid:"):
        return LETOR
    if where.endswith(":1") and len(HEADS.intersection(row)) > 1:
        return HEADER
    with suppress(KeyError, ValueError):
        other = LAYOUTS[len(row)]
        other.read([row[other.number]])
        return LIKE.get((layout.width, other.width), "")
    return SPACED if len(row) > layout.width else ""


def _continues_tag(line: bytes, row: list[bytes], layout: Layout) -> bool:
    """Whether text follows the tag, which trec_eval ignores.

    A document id with spaces would shift the later columns, so the rank must be a number, and the
    tag must not begin with one, which would be the score, however it is written.
    """
    return (
        layout is RUN
        and len(row) > layout.width
        and row[RANK_PLACE].isdigit()
        and LIKE_A_NUMBER.fullmatch(row[TAG_PLACE]) is None
        and b"\r" not in line.rstrip(b"\r\n")
    )


def _identifier(text: bytes) -> str:
    if len(text) > LONGEST_ID:
        raise ValueError(len(text))
    return text.decode()


def _shown(text: bytes) -> str:
    return repr(cell(text))
