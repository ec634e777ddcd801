"""The one reader of tables that people write, by columns: csv, tsv and JSON lines.

Lines are read in blocks. A block that is plain becomes columns as a whole; of another one, each row
is read, which words the error.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..exceptions import InputError
from . import arrow
from .columns import ColumnNames, names_in
from .formats import JSONL, format_of
from .reading import feeds_in, longer_line, text_parts
from .rows import (
    SURROGATE,
    CsvForm,
    TableRow,
    not_a_table,
    number_in_json,
    numbers_in_json,
    record_of,
)

BLANKS = frozenset(b"\t\v\f\r\x1c\x1d\x1e\x1f ")  # what `str.strip` takes away, of ASCII

CONTROLS = bytes(code for code in range(ord(" ")) if code != ord("\n"))

TOKEN = re.compile(r'"[^"]*"|[^\s",:{}\[\]]+')  # of a line of JSON without escaped quotation marks

SCALARS = {str, int, float, bool, type(None)}

MARKS = "".join(map(chr, range(1, ord("\t"))))  # stand for what separates cells, which has none

MARK = MARKS[0]  # when their order is known, one is enough

NO_MARKS = bytes(range(ord("\n") + 1, 256)) + b"\t\0"

ABSENT = object()
"""The cell of a row of JSON that lacks the column."""

# White space beyond ASCII, which `str.strip` takes away, too.
SPACE_BEYOND = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")

Cells = Sequence[Any]
"""The cells of a column; or a column of texts, or of the numbers of JSON, that Arrow has read: it
has the same methods but gives no strings one by one: see `listed`."""


@dataclass(frozen=True)
class Block:
    """Some rows of a table, by columns."""

    path: Path
    line: Sequence[int]  # of each row
    cells: dict[str, Cells]  # by the names of the columns: text, or values of JSON
    number_of: Callable[[Any], float | None]  # see `TableRow`
    numbers_of: Callable[[Cells], FloatArray | None]  # the same of a column; None if one is none
    records: list[dict[str, Any]] | None = None  # rows whose columns may differ
    of_csv: bool = False  # whether all cells are text

    def rows(self) -> Iterator[TableRow]:
        """The rows one by one."""
        known: dict[ColumnNames, str] = {}
        if self.records is None:
            columns = map(listed, self.cells.values())
            for line, *values in zip(self.line, *columns, strict=True):
                cells = dict(zip(self.cells, values, strict=True))
                yield TableRow(self.path, line, cells, self.number_of, known)
            return
        heads: tuple[str, ...] = ()
        for line, record in zip(self.line, self.records, strict=True):
            if tuple(record) != heads:
                heads, known = tuple(record), {}
            yield TableRow(self.path, line, record, self.number_of, known)

    def lines(self) -> Int64Array:
        """The line of each row, as an array."""
        if isinstance(self.line, range):
            return np.arange(self.line.start, self.line.stop)
        return np.array(self.line, np.int64)

    def first(self, count: int) -> Block:
        """The first rows."""
        cells = {head: cells[:count] for head, cells in self.cells.items()}
        records = None if self.records is None else self.records[:count]
        return replace(self, line=self.line[:count], cells=cells, records=records)

    def column(self, names: ColumnNames) -> Cells | None:
        """The cells of a column; None if a row lacks it, or has several with this meaning."""
        present = names_in(names, self.cells)
        if len(present) != 1:
            return None
        (head,) = present
        may_lack = self.records is not None
        if may_lack and (head not in names or ABSENT in self.cells[head]):
            return None
        return self.cells[head]

    def texts(self, names: ColumnNames) -> Cells | None:
        """The cells of a column of texts; None as of `column`, or if one is empty, or no text."""
        cells = self.column(names)
        if cells is None or not _are_texts(cells) or _has_empty(cells):
            return None
        return cells

    def beside(self, head: str) -> list[Any]:
        """The cells of a column that rows may lack: None where they do."""
        cells = self.cells.get(head, [None] * len(self.line))
        return [None if cell is ABSENT else cell for cell in listed(cells)]


def _are_texts(cells: Cells) -> bool:
    """Whether all cells of a column are texts."""
    if arrow.is_arrow(cells):
        return arrow.are_texts(cells)
    return {*map(type, cells)} <= {str}


def _has_empty(cells: Cells) -> bool:
    """Whether a cell of a column is an empty text."""
    return arrow.has_empty(cells) if arrow.is_arrow(cells) else "" in cells


def listed(cells: Any) -> Sequence[Any]:
    """The cells of a column of any kind, one by one."""
    if arrow.is_arrow(cells):
        return cells.to_pylist()
    return cells.tolist() if isinstance(cells, np.ndarray) else cells


def block_of_records(path: Path, line: Sequence[int], records: list[dict[str, Any]]) -> Block:
    """Rows of JSON, which may have different columns."""
    heads = dict.fromkeys(head for record in records for head in record)
    cells: dict[str, Cells] = {
        head: [record.get(head, ABSENT) for record in records] for head in heads
    }
    return Block(path, line, cells, number_in_json, numbers_in_json, records)


def rows(
    path: Path, columns: Sequence[ColumnNames] = (), form: str | None = None
) -> Iterator[TableRow]:
    """The rows of a table in a file; see `blocks`."""
    for block in blocks(path, columns, form):
        yield from block.rows()


def blocks(
    path: Path, columns: Sequence[ColumnNames] = (), form: str | None = None
) -> Iterator[Block]:
    """The rows of a table in a file; rows without a text, which spreadsheets add, are left out.

    For the separators of csv and tsv, see `CsvForm`. Spaces at the ends of cells are taken away.
    `columns` has the accepted names of each column that csv and tsv must have; `form` is ``jsonl``
    or ``csv``, None if the extension says it.

    InputError, which names file and line, if the file is not text in UTF-8, a column is missing or
    occurs twice, a row has more or fewer cells than the header, a line is no JSON object or has a
    key twice. The rows before it come first.
    """
    if (form or format_of(path)) == JSONL:
        return _json_blocks(path)
    return _csv_blocks(path, columns)


class _Text:
    """The text of a file: by lines, as a reader of csv takes them, or the rest of a block at once.

    A row of csv may begin in a block and end in the next one.
    """

    def __init__(self, path: Path) -> None:
        self._parts = text_parts(path)
        self._block, self._place = "", 0

    @property
    def in_block(self) -> bool:
        """Whether the block has more lines."""
        return self._place < len(self._block)

    def lines(self) -> Iterator[str]:
        """The lines, also of the blocks that follow."""
        while self._has_more():
            start = self._place
            self._place = self._block.find("\n", start) + 1 or len(self._block)
            yield self._block[start : self._place]

    def rest(self) -> str:
        """The rest of the block, or the next one, which `lines` still gives; empty at the end."""
        return self._block[self._place :] if self._has_more() else ""

    def skip(self) -> None:
        """Leave out the rest of the block."""
        self._place = len(self._block)

    def _has_more(self) -> bool:
        if not self.in_block:
            self._block, self._place = next(self._parts, ""), 0
        return self.in_block


def _csv_blocks(path: Path, columns: Iterable[ColumnNames]) -> Iterator[Block]:
    text = _Text(path)
    form, before = CsvForm.begun(path, text.lines(), columns)
    while content := text.rest():
        found = _plain_csv(path, form, content, before) or _quoted_csv(path, form, content, before)
        if found is None:
            before = yield from _csv_by_row(path, form, text, before)
        else:
            text.skip()
            block, before = found
            yield block


def _block_of_csv(
    path: Path, form: CsvForm, line: Sequence[int], columns: Iterable[Cells]
) -> Block:
    cells = dict(zip(form.heads, columns, strict=True))
    return Block(path, line, cells, form.number, partial(_numbers_of_csv, form), of_csv=True)


def _numbers_of_csv(form: CsvForm, cells: Cells) -> FloatArray | None:
    """The numbers in a column; None if a cell has none."""
    if not arrow.is_arrow(cells):
        return form.numbers(cells)
    numbers = arrow.finite_in(cells)
    return form.numbers(listed(cells)) if numbers is None else numbers


def _with_feeds(text: str) -> str:
    """A text in which a line feed ends each line."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text if text.endswith("\n") else f"{text}\n"


def _plain_csv(path: Path, form: CsvForm, text: str, before: int) -> tuple[Block, int] | None:
    """Lines without quotation marks that have all cells; None if others are among them.

    `before` is the number of lines before them; the returned number is that of the lines up to
    their end.
    """
    text = _with_feeds(text)
    if '"' in text or "\r" in text:
        return None
    content, width = text.encode(), len(form.heads)
    lines = feeds_in(content)
    if longer_line(content, csv.field_size_limit()) >= 0:
        return None
    columns = None
    if arrow.pays_off_for(len(content)):
        columns = _columns_by_arrow(text, content, form.delimiter, width, lines)
    if columns is None:
        columns = _split(text, content, form.delimiter, width, lines)
    if columns is None or _has_empty(columns[0]):  # a row may be blank
        return None
    end = before + lines
    return _block_of_csv(path, form, range(before + 1, end + 1), columns), end


def _columns_by_arrow(
    text: str, content: bytes, delimiter: str, width: int, lines: int
) -> list[Any] | None:
    """The same as `_split`, by Arrow; None also if white space is at the end of a cell."""
    if not content.isascii() and SPACE_BEYOND.search(text):
        return None
    signs = np.frombuffer(content, np.uint8)
    between = lines * width if delimiter == "\t" else lines
    has_blanks = np.count_nonzero(signs <= ord(" ")) > between
    if has_blanks and _has_outer_blanks(content, delimiter):
        return None
    return arrow.texts_in(content, delimiter, width, lines)


def _has_outer_blanks(content: bytes, delimiter: str) -> bool:
    """Whether a cell of some lines begins or ends with a blank."""
    signs = np.frombuffer(b"\n" + content, np.uint8)
    is_blank, is_edge = np.zeros(256, bool), np.zeros(256, bool)
    is_blank[list(BLANKS - {ord(delimiter)})] = True
    is_edge[[ord("\n"), ord(delimiter)]] = True
    blanks, edges = is_blank[signs], is_edge[signs]
    outer = (blanks[1:] & edges[:-1]) | (edges[1:] & blanks[:-1])
    return bool(outer.any())


def _split(
    text: str, content: bytes, delimiter: str, width: int, lines: int
) -> list[list[str]] | None:
    """The columns of plain lines, as text and in UTF-8; None if one has another number of cells."""
    kept = {ord(delimiter), ord("\n")}
    between = content.translate(None, bytes({*range(256)} - kept))
    if between != (delimiter * (width - 1) + "\n").encode() * lines:
        return None
    cells = text.replace(delimiter, "\n").split("\n")[:-1]
    without_blanks = content.translate(None, bytes(BLANKS - kept))
    if not content.isascii() or len(without_blanks) < len(content):
        cells = list(map(str.strip, cells))
    return [cells[place::width] for place in range(width)]


def _quoted_csv(path: Path, form: CsvForm, text: str, before: int) -> tuple[Block, int] | None:
    """Lines that may have quoted cells, or be blank; None if a row is wrong, or has two lines.

    For the numbers, see `_plain_csv`.
    """
    reader = form.reader(io.StringIO(text, newline="\n"))
    try:
        found = list(reader)
    except csv.Error:
        return None
    if reader.line_num > len(found):
        return None
    end = before + len(found)
    line: Sequence[int] = range(before + 1, end + 1)
    if any(not row or not row[0] or row[0].isspace() for row in found):
        kept = [place for place, row in enumerate(found) if any(map(str.strip, row))]
        found = [found[place] for place in kept]
        line = [line[place] for place in kept]
    if not found or {*map(len, found)} != {len(form.heads)}:
        return None
    columns = (list(map(str.strip, column)) for column in zip(*found, strict=True))
    return _block_of_csv(path, form, line, columns), end


def _csv_by_row(path: Path, form: CsvForm, text: _Text, before: int) -> Generator[Block, None, int]:
    """The rows of the rest of a block one by one; returns the number of lines up to its end.

    The last row may end in the next block, of which the rest is read so too.
    """
    reader = form.reader(text.lines())
    line: list[int] = []
    found: list[list[str]] = []
    wrong = None
    try:
        while text.in_block:
            row = next(reader)
            cells = form.checked(f"{path}:{before + reader.line_num}", row)
            if cells:
                found.append(cells)
                line.append(before + reader.line_num)
    except csv.Error as error:
        wrong = not_a_table(path, before + reader.line_num, error)
    except InputError as error:
        wrong = error
    if found:
        yield _block_of_csv(path, form, line, map(list, zip(*found, strict=True)))
    if wrong is not None:
        raise wrong
    return before + reader.line_num


def _json_blocks(path: Path) -> Iterator[Block]:
    before = 0
    for text in text_parts(path):
        found = _plain_json(path, text, before)
        if found is None:
            yield from _json_by_row(path, text, before)
        else:
            yield found
        before += text.count("\n")


def _json_by_row(path: Path, text: str, before: int) -> Iterator[Block]:
    """Objects of any form."""
    line: list[int] = []
    found: list[dict[str, Any]] = []
    wrong = None
    for number, content in enumerate(io.StringIO(text, newline="\n"), before + 1):
        if not content.strip():
            continue
        try:
            found.append(record_of(f"{path}:{number}", content))
        except InputError as error:
            wrong = error
            break
        line.append(number)
    if found:
        yield block_of_records(path, line, found)
    if wrong is not None:
        raise wrong


def _plain_json(path: Path, text: str, before: int) -> Block | None:
    """Objects that are written alike, of texts and numbers; None if others are among them."""
    text = _with_feeds(text)
    content, lines = text.encode(), text.count("\n")
    if len(content.translate(None, CONTROLS)) < len(content):
        return None
    if '\\"' in text or SURROGATE.search(text):
        return None
    cells = _columns_of_json(content, lines)
    if cells is None:
        return None
    line = range(before + 1, before + lines + 1)
    return Block(path, line, cells, number_in_json, _numbers_of_json)


def _numbers_of_json(cells: Cells) -> FloatArray | None:
    """The numbers in a column; None if a cell has none."""
    return arrow.floats_of(cells) if arrow.is_arrow(cells) else numbers_in_json(cells)


def _columns_of_json(content: bytes, lines: int) -> dict[str, Cells] | None:
    """The columns of lines of JSON that differ in texts and numbers only; None if others differ.

    All else is as in the first line, which is JSON: so all lines are.
    """
    first = content[: content.index(b"\n")].decode()
    try:
        record = record_of("", first)
    except InputError:
        return None
    literals = _literals(first, record)
    if len(literals) < 2 or len(literals) > len(MARKS):
        return None
    marked = _marked(content, [literal.encode() for literal in literals], lines)
    if not marked:
        return None
    is_escaped = b"\\" in content
    found = _cells_between(marked, len(record), lines, by_arrow=not is_escaped)
    columns: dict[str, Cells] = {}
    for (head, value), cells_of in zip(record.items(), found, strict=True):
        column = _column_of_json(cells_of, value, is_escaped)
        if column is None:
            return None
        columns[head] = column
    return columns


def _literals(line: str, record: dict[str, Any]) -> list[str]:
    """What stands before, between and after the texts and numbers of a JSON object in a line.

    Quotation marks of texts belong to it. Empty if a value is another one.
    """
    tokens = list(TOKEN.finditer(line))
    if len(tokens) != 2 * len(record) or not {*map(type, record.values())} <= SCALARS:
        return []
    literals, end = [], 0
    for token in tokens[1::2]:  # every other one is a key
        is_text = token[0].startswith('"')
        literals.append(line[end : token.start() + is_text])
        end = token.end() - is_text
    return [*literals, line[end:]]


def _marked(content: bytes, literals: list[bytes], lines: int) -> bytes:
    """What is between some texts, with a mark between two of a line; empty if other texts are.

    The texts stand in this order in each line. Marks stand in no line.
    """
    begin, *between, end = literals
    if not content.startswith(begin) or not content.endswith(end + b"\n"):
        return b""
    content = content[len(begin) : -len(end) - 1].replace(end + b"\n" + begin, b"\n") + b"\n"
    marks = MARKS[: len(between)].encode()
    for place, literal in enumerate(between):
        content = content.replace(literal, marks[place : place + 1])
    if b'"' in content or content.translate(None, NO_MARKS) != (marks + b"\n") * lines:
        return b""
    return content.translate(bytes.maketrans(marks, MARK.encode() * len(marks)))


def _cells_between(marked: bytes, width: int, lines: int, by_arrow: bool) -> list[Any]:
    """The columns of lines with marks between cells, as texts."""
    if by_arrow and arrow.pays_off_for(len(marked)):
        found = arrow.texts_in(marked, MARK, width, lines)
        if found is not None:
            return found
    cells = marked.decode().replace(MARK, "\n").split("\n")[:-1]
    return [cells[place::width] for place in range(width)]


def _column_of_json(cells: Cells, first: Any, is_escaped: bool) -> Cells | None:
    """What JSON has between quotation marks, or numbers; None if a cell is something else.

    `first` is the value of the first cell.
    """
    is_text = isinstance(first, str)
    if is_text and not is_escaped:
        return cells
    if arrow.is_arrow(cells):
        numbers = arrow.numbers_of_json(cells, type(first))
        if numbers is not None:
            return numbers
        cells = listed(cells)
    joined = ",".join(cells)
    if is_text:
        quoted = '","'.join(cells)
        joined = f'"{quoted}"'
    try:
        values: list[Any] = json.loads(f"[{joined}]")
    except (ValueError, RecursionError):
        return None
    are_values = {*map(type, values)} <= SCALARS
    return values if are_values and len(values) == len(cells) else None
