"""Reads the lines of TREC files; the one place that decides which are malformed, and says so.

Only ASCII white space and ASCII digits count, as in trec_eval.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from math import isfinite
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import BoolArray, Int64Array
from ..common.writing import cell, counted, shown
from ..exceptions import InputError
from . import arrow
from .columns import GRADE_LIMIT, LONGEST_ID, SWAPPED, WHOLE_GRADES
from .identifiers import Ids, Numbering
from .reading import longer_line, text_blocks
from .table import Table

HINTS = {
    (6, 4): f" (these look like qrels: {SWAPPED})",
    (4, 6): f" (this looks like a run: {SWAPPED})",
    (6, 3): " (`RunSet(..., format='msmarco')` reads MS MARCO's query, document and rank)",
}

SPACED = " (does an id contain a space?)"

IS_BLANK = np.zeros(256, bool)
IS_BLANK[list(b" \t\n\r\x0b\x0c")] = True  # as in `bytes.split`

INK = bytes(range(ord(" ") + 1, 256))  # what is no white space, and no other control byte

MUST_BE = f"must be UTF-8 of at most {LONGEST_ID} bytes"

RANK_PLACE, TAG_PLACE = 3, 5  # of a run

OF_NUMBERS = b"+-.0123456789"
IS_OF_NUMBER = np.isin(np.arange(256), list(OF_NUMBERS))

Number = TypeVar("Number", int, float)


def read_number(text: bytes, kind: type[Number]) -> Number:
    """Convert text to a number; ValueError if it is none, or has underscores, as Python allows."""
    if b"_" in text:
        raise ValueError(repr(text))
    return kind(text)


class Layout(NamedTuple):
    """The columns of a text format."""

    width: int  # the number of columns
    doc: int  # the place of the document; the query is the first column
    number: int  # the place of the number
    value: str  # what the number is called
    of_grades: bool = True  # whether the numbers are grades or ranks: whole, and of at most 31 bits


RUN = Layout(6, 2, 4, "score", of_grades=False)
QRELS = Layout(4, 2, 3, "relevance")
MSMARCO = Layout(3, 1, 2, "rank")


def grade_of(text: bytes) -> int:
    """The grade in a cell, such as 1 or 1.0; ValueError if there is none."""
    whole, _, fraction = text.partition(b".")
    if fraction.strip(b"0"):
        raise ValueError(repr(text))
    grade = read_number(whole, int)
    if abs(grade) >= GRADE_LIMIT:
        raise ValueError(repr(text))
    return grade


def read_regular(path: Path, file: IO[bytes], layout: Layout, headed: bool = False) -> Table | None:
    """The rows of a file, read by pyarrow; None if it refuses some.

    Other readers handle these, and bad lines, from the beginning of the file. `headed` says whether
    the file is a table: it begins with names of columns, and quotation marks have a meaning.
    """
    blocks = _parsed_blocks(path, file, layout, headed)
    if not blocks:
        return None
    query, doc, number = arrow.columns_of([parsed for parsed, _ in blocks])
    try:
        value = arrow.decoded(number, grade_of) if layout.of_grades else arrow.array_of(number)
    except ValueError:
        return None
    if np.isnan(value).any():  # pyarrow takes other texts for NaN than Python
        return None
    if headed and np.isinf(value).any():  # in a table, a number too large for a float is an error
        return None
    line = np.concatenate([tidy.line for _, tidy in blocks])
    unclear = [found for _, tidy in blocks for found in tidy.unclear]
    comment = _told(path, unclear)
    return Table(Ids(query), Ids(doc), value, path=path, line=line, comment=comment)


def _parsed_blocks(
    path: Path, file: IO[bytes], layout: Layout, headed: bool
) -> list[tuple[Any, Tidy]] | None:
    """The blocks of a file as tables of pyarrow; see `read_regular`."""
    places = (0, layout.doc, layout.number)
    blocks = []
    for lines_before, block in text_blocks(path, file):
        if headed and not (_is_plain(block) and separator_of(block, layout.width)):
            return None
        rows = block
        if headed and not lines_before:
            rows = block.partition(b"\n")[2]
        tidy = tidied(rows, layout, lines_before + headed * (not lines_before))
        if tidy is None:
            return None
        parsed = arrow.parsed(tidy.rows, tidy.separator, tidy.width, places, layout.of_grades)
        if parsed is None:
            return None
        blocks.append((parsed, tidy))
    return blocks


def _is_plain(block: bytes) -> bool:
    """Whether the cells of a table with tabs are what is written in them, without spaces at an end.

    Letters beyond ASCII may be spaces too.
    """
    return block.isascii() and b'"' not in block


def read_lines(path: Path, file: IO[bytes], layout: Layout) -> Table:
    """The rows of a file; InputError at the first malformed line.

    The content is read in blocks, so that memory never holds all lines. `Table.comment` says
    whether a comment may have been meant as a row.
    """
    queries, docs = Numbering(), Numbering()
    nothing = np.zeros(0, np.int32)
    query, doc = [nothing], [nothing]
    line = [nothing]
    kind = np.int64 if layout.of_grades else np.float64
    values = [np.zeros(0, kind)]
    unclear: list[tuple[int, str]] = []
    for lines_before, block in text_blocks(path, file):
        query_ids, doc_ids, numbers, lines = _cells(path, block, layout, lines_before, unclear)
        query.append(queries.codes(query_ids))
        doc.append(docs.codes(doc_ids))
        values.append(np.array(numbers, values[0].dtype))
        line.append(np.array(lines, np.int64))
    return Table(
        queries.column(np.concatenate(query)),
        docs.column(np.concatenate(doc)),
        np.concatenate(values),
        path=path,
        line=np.concatenate(line),
        comment=_told(path, unclear),
    )


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


class Tidy(NamedTuple):
    """The rows of a block, without what is beside them."""

    rows: bytes  # a line for each
    separator: bytes  # of their cells
    width: int  # how many cells each has; more than the layout if all tags have so many words
    line: Int64Array  # (rows,), the number of each row's line in the file
    unclear: list[tuple[int, str]]  # number and query of comments that read as rows


def tidied(block: bytes, layout: Layout, lines_before: int) -> Tidy | None:
    """The rows of a block: no comments, one separator, as many cells in each.

    None if a line has too few cells, or too many, or if other bytes are in the way.
    """
    rows, comments = _without_comments(block.replace(b"\r\n", b"\n"))
    lines = rows.count(b"\n") + (not rows.endswith(b"\n")) + len(comments)
    line = np.delete(np.arange(lines), list(comments)) + (lines_before + 1)
    unclear: list[tuple[int, str]] = []
    for number, comment in comments.items():
        with suppress(InputError):
            unclear.append((lines_before + 1 + number, _row("", comment, layout)[0]))
    width = _cells_a_line(rows, layout)
    separator = separator_of(rows, width)
    if separator and (width == layout.width or _have_ranks(rows, width)):
        return Tidy(rows, separator, width, line, unclear)
    found = _spaced_once(rows, layout)
    if found is None:
        return None
    rows, is_row = found
    return Tidy(rows, b" ", layout.width, line[is_row], unclear)


def _cells_a_line(rows: bytes, layout: Layout) -> int:
    """How many cells each line should have: in a run, what follows the tag of the first one too."""
    if layout is not RUN:
        return layout.width
    return max(layout.width, len(rows.partition(b"\n")[0].split()))


def _have_ranks(rows: bytes, width: int) -> bool:
    """Whether text may follow the tags of a run, whose cells one separator separates.

    The ranks of all lines are numbers, and no tag begins with one: see `_continues_tag`.
    """
    text = np.frombuffer(rows, np.uint8)
    end = np.flatnonzero(text <= ord(" "))  # of each cell

    def bounds(place: int) -> Int64Array:
        return np.column_stack([end[place - 1 :: width] + 1, end[place::width]])

    return _are_ranks_and_tags(text, bounds(RANK_PLACE), bounds(TAG_PLACE))


def _are_ranks_and_tags(text: NDArray[np.uint8], ranks: Int64Array, tags: Int64Array) -> bool:
    """Whether ranks are numbers, and tags begin with none: see `_continues_tag`.

    Both are the starts and the ends of cells, (cells, 2), in the order of the text.
    """
    is_digit = (text >= ord("0")) & (text <= ord("9"))
    are_ranks = np.logical_and.reduceat(is_digit, ranks.ravel())[::2]
    are_numbers = np.logical_and.reduceat(IS_OF_NUMBER[text], tags.ravel())[::2]
    return bool(are_ranks.all() and not are_numbers.any())


def _without_comments(block: bytes) -> tuple[bytes, dict[int, bytes]]:
    """The other lines of a block, and the comments by the number of their line, from 0."""
    text = b"\n" + block
    rows: list[bytes] = []
    comments: dict[int, bytes] = {}
    start = number = 0
    while (at := text.find(b"\n#", start)) >= 0:
        number += text.count(b"\n", start, at)
        end = text.find(b"\n", at + 1) % (len(text) + 1)  # without one, the end of the text
        comments[number] = text[at + 1 : end]
        rows.append(text[start:at])
        start, number = end, number + 1
    return b"".join([*rows, text[start:]])[1:], comments


def _spaced_once(block: bytes, layout: Layout) -> tuple[bytes, Int64Array] | None:
    """The rows of lines with their cells one space apart, and which lines they are; see `tidied`.

    Blank lines are left out, and what follows the tag of a run.
    """
    text = np.frombuffer(block + b"\n", np.uint8)
    is_blank = IS_BLANK[text]
    if ((text < ord(" ")) & ~is_blank).any():
        return None
    edges = np.diff(~is_blank, prepend=False)  # a line feed is at the end
    start, end = np.flatnonzero(edges).reshape(-1, 2).T
    feed = np.flatnonzero(text == ord("\n"))
    line = np.searchsorted(feed, start)
    count = np.bincount(line, minlength=len(feed))
    place = np.arange(len(start)) - (np.cumsum(count) - count)[line]
    if ((count > 0) & (count < layout.width)).any():
        return None
    is_long = count > layout.width
    if is_long.any():
        if layout is not RUN:
            return None
        of_long, bounds = is_long[line], np.column_stack([start, end])
        ranks = bounds[of_long & (place == RANK_PLACE)]
        tags = bounds[of_long & (place == TAG_PLACE)]
        if not _have_feeds_only(text) or not _are_ranks_and_tags(text, ranks, tags):
            return None
    kept = place < layout.width
    rows = _joined(text, start[kept], end[kept], place[kept] == layout.width - 1)
    if rows.startswith((b"#", codecs.BOM_UTF8)) or longer_line(rows, LONGEST_ID) >= 0:
        return None
    return rows, np.flatnonzero(count)


def _have_feeds_only(text: NDArray[np.uint8]) -> bool:
    """Whether carriage returns stand at the ends of lines only."""
    after = text[np.flatnonzero(text == ord("\r")) + 1]
    return bool(((after == ord("\n")) | (after == ord("\r"))).all())


def _joined(
    text: NDArray[np.uint8], start: Int64Array, end: Int64Array, is_last: BoolArray
) -> bytes:
    """The cells between some bounds, each with the separator or the line feed that follows it."""
    inside = np.zeros(len(text) + 1, np.int8)
    inside[start] += 1
    inside[end + 1] -= 1
    joined = text[np.cumsum(inside[:-1], dtype=np.int8) > 0]
    joined[np.cumsum(end - start + 1) - 1] = np.where(is_last, ord("\n"), ord(" "))
    return joined.tobytes()


def separator_of(block: bytes, columns: int) -> bytes:
    """What separates all cells of whole lines of so many columns; empty if nothing does.

    It is a space or a tab. No cell is empty, no line is a comment or has more bytes than an
    identifier may have, and there is no other control byte and no mark of the byte order.
    """
    ends = b"" if block[-1:] == b"\n" else b"\n"
    blanks = block.translate(None, INK) + ends
    one = blanks[:1]
    lines = len(blanks) // columns
    if one not in (b" ", b"\t") or blanks != (one * (columns - 1) + b"\n") * lines:
        return b""
    signs = np.frombuffer(block, np.uint8)
    is_blank = signs <= ord(" ")
    is_bad = (
        block.startswith((one, b"#", codecs.BOM_UTF8))
        or block.endswith(one)
        or bool((is_blank[1:] & is_blank[:-1]).any())  # an empty cell
        or b"\n#" in block
        or longer_line(block, LONGEST_ID) >= 0
    )
    return b"" if is_bad else one


def _cells(
    path: Path, block: bytes, layout: Layout, lines_before: int, unclear: list[tuple[int, str]]
) -> tuple[Sequence[str], Sequence[str], Sequence[float], Any]:
    """Query, document, number and line of each row of a block; InputError if one is malformed.

    `unclear` gets number and query of each comment that reads as a row.
    """
    tidy = tidied(block, layout, lines_before)
    if tidy is not None and len(tidy.line):
        cells = tidy.rows.split()
        query = cells[:: tidy.width]
        doc = cells[layout.doc :: tidy.width]
        number = cells[layout.number :: tidy.width]
        try:
            values = list(map(cache(grade_of), number)) if layout.of_grades else _floats(number)
            found = _decoded(query), _decoded(doc), values, tidy.line
            unclear += tidy.unclear
            return found
        except ValueError:  # some line is malformed: each is looked at
            pass
    checked = list(_checked(path, block, layout, lines_before, unclear))
    return tuple(zip(*checked, strict=True)) if checked else ((), (), (), ())  # type: ignore[return-value]


def _floats(cells: list[bytes]) -> list[float]:
    """The numbers in cells without control bytes; ValueError if a cell has none."""
    text = b"\n".join(cells).decode("ascii")  # Python reads text in half the time of bytes
    if "_" in text:  # which it reads as a part of a number
        raise ValueError(text)
    return list(map(float, text.split("\n")))


def _decoded(cells: list[bytes]) -> list[str]:
    return b"\n".join(cells).decode().split("\n")


def _checked(
    path: Path, block: bytes, layout: Layout, lines_before: int, unclear: list[tuple[int, str]]
) -> Iterator[tuple[str, str, float, int]]:
    """The cells and the number of each line; InputError at the first line that is malformed."""
    for number, line in enumerate(block.split(b"\n"), lines_before + 1):
        if not line.split():
            continue
        if not line.startswith(b"#"):
            yield *_row(f"{path}:{number}", line, layout), number
            continue
        with suppress(InputError):
            unclear.append((number, _row("", line, layout)[0]))


def _row(where: str, line: bytes, layout: Layout) -> tuple[str, str, float]:
    """Query, document and number of a line; InputError if it is malformed."""
    row = line.split()
    kind = "a whole number of at most 31 bits" if layout.of_grades else "a number"
    if len(row) != layout.width and not _continues_tag(line, row, layout):
        raise InputError(
            f"{where}: a line must have {layout.width} columns; got {len(row)}: "
            f"{_shown(b' '.join(row))}{_columns_hint(row, layout)}"
        )
    place, must_be = 0, f"query_id {MUST_BE}"
    try:
        query = _identifier(row[place])
        place, must_be = layout.doc, f"doc_id {MUST_BE}"
        doc = _identifier(row[place])
        place, must_be = layout.number, f"{layout.value} must be {kind}"
        value = grade_of(row[place]) if layout.of_grades else read_number(row[place], float)
    except ValueError:
        advice = ""
        if layout is QRELS and place == layout.number and is_fraction(row[place]):
            advice = f" for query {shown(query)}, document {shown(doc)} ({WHOLE_GRADES})"
        raise InputError(f"{where}: {must_be}; got {_shown(row[place])}{advice}") from None
    return query, doc, value


def _columns_hint(row: list[bytes], layout: Layout) -> str:
    """Why a line may have another number of columns, for the end of the message."""
    if layout is QRELS and len(row) == RUN.width and not _is_number(row[RUN.number]):
        return SPACED  # it only has as many columns as a run
    known = HINTS.get((layout.width, len(row)))
    if known is None and layout is not MSMARCO and len(row) > layout.width:
        return SPACED
    return known or ""


def _is_number(text: bytes) -> bool:
    with suppress(ValueError):
        read_number(text, float)
        return True
    return False


def is_fraction(text: bytes) -> bool:
    """Whether a text that is no grade is a number with a fraction."""
    try:
        number = read_number(text, float)
    except ValueError:
        return False
    return isfinite(number) and number != int(number)


def _continues_tag(line: bytes, row: list[bytes], layout: Layout) -> bool:
    """Whether text follows the tag, which trec_eval ignores.

    A document id with spaces would shift the later columns, so the rank must be a number, and the
    tag must not begin with one, which would be the score.
    """
    return (
        layout is RUN
        and len(row) > layout.width
        and row[RANK_PLACE].isdigit()
        and row[TAG_PLACE].strip(OF_NUMBERS) != b""
        and b"\r" not in line.rstrip(b"\r")
    )


def _identifier(text: bytes) -> str:
    if len(text) > LONGEST_ID:
        raise ValueError(len(text))
    return text.decode()


def _shown(text: bytes) -> str:
    return repr(cell(text))
