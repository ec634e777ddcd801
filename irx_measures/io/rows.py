"""The one reader of tables that people write: csv, tsv and JSON lines; and of JSON.

Runs, qrels, groups, costs, scores, judgments and topics are read here, so what is refused in one of
them is refused in all.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import isfinite, isinf
from pathlib import Path
from typing import Any, NamedTuple

from ..common.writing import cell, shown
from ..exceptions import InputError
from .columns import (
    DOC_NAMES,
    GRADE_LIMIT,
    QUERY_NAMES,
    Names,
    grade_hint,
    names_in,
    pick,
)
from .formats import JSONL, TSV, extension_of, format_of
from .lines import read_number
from .reading import BLOCK_BYTES, text_lines, unpacked, without_mark

DELIMITERS = ",;\t"

LARGEST_JSON = 1 << 30  # bytes: a JSON file is parsed whole, into objects that are larger still

DECIMAL_COMMA = ";"  # spreadsheets and pandas write it where the comma is the decimal sign


SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a pair, escaped


class Row(NamedTuple):
    """A row of a table."""

    path: Path  # the file
    line: int  # the line of the row in it
    cells: dict[str, Any]  # by the names of their columns: text, or values of JSON
    number_of: Callable[[Any], float | None]  # converts a cell to a number; None if it is none
    known: dict[Names, str]  # which columns have which meaning, in all rows with the same columns

    @property
    def where(self) -> str:
        """File and line, for messages."""
        return f"{self.path}:{self.line}"

    def text(self, names: Names) -> str:
        """The text in a column; InputError if it is empty, or no text."""
        value = self.cells[self.name(names)]
        if not isinstance(value, str) or not value:
            raise self._wrong(names, "text", value)
        return value

    def number(self, names: Names) -> float:
        """The number in a column, which may be NaN or infinite if it is written so."""
        value = self.cells[self.name(names)]
        number = self.number_of(value)
        if number is None:
            raise self._wrong(names, "numbers", value)
        return number

    def finite(self, names: Names) -> float:
        """The finite number in a column."""
        number = self.number(names)
        if not isfinite(number):
            raise self._wrong(names, "finite numbers", number)
        return number

    def grade(self, names: Names) -> int:
        """The grade in a column, of the query and the document in the same row."""
        number = self.number(names)
        if not (abs(number) < GRADE_LIMIT and number == int(number)):
            query, doc = self.text(QUERY_NAMES), self.text(DOC_NAMES)
            of = f" for query {shown(query)}, document {shown(doc)}{grade_hint(number)}"
            raise self._wrong(names, "grades, whole numbers of at most 31 bits", number, of)
        return int(number)

    def _wrong(self, names: Names, kind: str, got: object, of: str = "") -> InputError:
        column = self.name(names)
        return InputError(f"{self.where}: column {column!r} must hold {kind}; got {shown(got)}{of}")

    def name(self, names: Names) -> str:
        """The name of a column; InputError if there is none, or if two of one meaning differ."""
        if names in self.known:
            return self.known[names]
        present = names_in(names, self.cells)
        if len(present) == 1:
            self.known[names] = present[0]
            return present[0]
        return pick(
            names, list(self.cells), f"{self.where}: a row", lambda name: [self.cells[name]]
        )


def rows(path: Path, columns: Sequence[Names] = (), form: str | None = None) -> Iterator[Row]:
    """The rows of a table in a file; rows without a text, which spreadsheets add, are left out.

    The header of csv and tsv says whether commas, semicolons or tabs separate the columns; in
    ``.tsv``, tabs do. With semicolons, numbers may have a decimal comma. Spaces at the ends of
    cells are taken away. `columns` has the accepted names of each column that the table must have;
    `form` is ``jsonl`` or ``csv``, None if the extension says it.

    InputError, which names file and line, if the file is not text in UTF-8, a column is missing or
    occurs twice, a row has more or fewer cells than the header, a line is no JSON object or has a
    key twice.
    """
    if (form or format_of(path)) == JSONL:
        return _json_rows(path)
    return _csv_rows(path, columns)


def _csv_rows(path: Path, columns: Iterable[Names]) -> Iterator[Row]:
    lines = text_lines(path)
    first = next(lines, "")
    of_tabs = extension_of(path) == TSV and "\t" in first
    delimiter = "\t" if of_tabs else max(DELIMITERS, key=first.count)
    number_of = _with_decimal_comma if delimiter == DECIMAL_COMMA else _number
    known: dict[Names, str] = {}
    # Strict: else a quotation mark that ends nowhere hides all rows that follow.
    reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    try:
        heads = [head.strip() for head in next(reader, [])]
        _check_heads(f"{path}:1: the header", heads, columns)
        for row in reader:
            if not any(map(str.strip, row)):
                continue
            if len(row) != len(heads):
                raise InputError(
                    f"{path}:{reader.line_num}: a row must have {len(heads)} cells, as the header "
                    f"has; got {len(row)}"
                )
            cells = dict(zip(heads, map(str.strip, row), strict=True))
            yield Row(path, reader.line_num, cells, number_of, known)
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not a table ({error})") from None


def _check_heads(what: str, heads: list[str], columns: Iterable[Names]) -> None:
    """InputError if a column is missing or occurs twice; those of spreadsheets may be unnamed."""
    for names in columns:
        pick(names, heads, what)
    for head, count in Counter(heads).items():
        if head and count > 1:
            raise InputError(f"{what} has {count} columns {head!r}")


def _json_rows(path: Path) -> Iterator[Row]:
    heads: tuple[str, ...] = ()
    known: dict[Names, str] = {}
    for number, line in enumerate(text_lines(path), 1):
        if line.strip():
            cells = parse_json(f"{path}:{number}", line)
            if not isinstance(cells, dict):
                got = cell(line).strip()
                raise InputError(f"{path}:{number}: a line must be a JSON object; got {got}")
            if tuple(cells) != heads:
                heads, known = tuple(cells), {}
            yield Row(path, number, cells, number_in_json, known)


def number_in_json(value: Any) -> float | None:
    """A number of JSON; None if it is another value, or too large for a float."""
    try:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return float(value) if is_number else None
    except OverflowError:
        return None


def _number(text: str) -> float | None:
    """A number as `read_number` reads it; None if there is none, or it is too large for a float."""
    try:
        number = read_number(text.encode(), float)
    except ValueError:
        return None
    return None if isinf(number) and any(map(str.isdigit, text)) else number


def _with_decimal_comma(text: str) -> float | None:
    # A text with both signs has separators of thousands.
    return _number(text if "." in text else text.replace(",", "."))


def read_json(path: Path) -> Any:
    """The value of a JSON file."""
    parts = []
    with unpacked(path) as file:
        while part := file.read(BLOCK_BYTES):
            if b"\0" in part:
                raise InputError(f"{path}: a null byte; not JSON")
            parts.append(part)
            if len(parts) * BLOCK_BYTES > LARGEST_JSON:
                raise InputError(
                    f"{path}: a JSON file must have at most {LARGEST_JSON} bytes, unpacked; "
                    "JSON lines and Parquet may have more"
                )
    return parse_json(str(path), without_mark(b"".join(parts)))


def parse_json(where: str, text: str | bytes) -> Any:
    """The value of a JSON text; an InputError names the place of the text."""
    try:
        decoded = text.decode() if isinstance(text, bytes) else text  # the parser is less strict
        value = json.loads(decoded, object_pairs_hook=_distinct)
        if SURROGATE.search(decoded):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeEncodeError as error:
        lone = error.object[error.start : error.start + 1]
        raise InputError(f"{where}: not text in Unicode (a lone surrogate, {lone!r})") from None
    except RecursionError:
        raise InputError(f"{where}: not JSON (nested too deeply)") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON ({error})") from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; ValueError if it has a key twice, of which Python would keep the last value."""
    named = dict(pairs)
    if len(named) < len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"an object has the key {name!r} twice")
    return named
