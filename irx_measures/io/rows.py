"""The rows of tables that people write: csv, tsv and JSON lines; and JSON.

Runs, qrels, groups, costs, scores, judgments and topics are made of them, so what is refused in one
of these is refused in all. `row_blocks` reads many rows at once.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite, isinf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..common.numeric import FloatArray
from ..common.writing import cell, shown
from ..exceptions import InputError
from .columns import (
    DOC_NAMES,
    GRADE_LIMIT,
    QUERY_NAMES,
    ColumnNames,
    grade_hint,
    names_in,
    pick,
)
from .formats import TSV, extension_of
from .lines import read_number
from .reading import BLOCK_BYTES, unpacked, without_mark

DELIMITERS = ",;\t"

LARGEST_JSON = 1 << 30  # bytes: a JSON file is parsed whole, into objects that are larger still

DECIMAL_COMMA = ";"  # spreadsheets and pandas write it where the comma is the decimal sign


SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a pair, escaped


class TableRow(NamedTuple):
    """A row of a table."""

    path: Path  # the file
    line: int  # the line of the row in it
    cells: dict[str, Any]  # by the names of their columns: text, or values of JSON
    number_of: Callable[[Any], float | None]  # converts a cell to a number; None if it is none
    known: dict[
        ColumnNames, str
    ]  # which columns have which meaning, in all rows with the same columns

    @property
    def where(self) -> str:
        """File and line, for messages."""
        return f"{self.path}:{self.line}"

    def text(self, names: ColumnNames) -> str:
        """The text in a column; InputError if it is empty, or no text."""
        value = self.cells[self.name(names)]
        if not isinstance(value, str) or not value:
            raise self._wrong(names, "text", value)
        return value

    def number(self, names: ColumnNames) -> float:
        """The number in a column, which may be NaN or infinite if it is written so."""
        value = self.cells[self.name(names)]
        number = self.number_of(value)
        if number is None:
            raise self._wrong(names, "numbers", value)
        return number

    def finite(self, names: ColumnNames) -> float:
        """The finite number in a column."""
        number = self.number(names)
        if not isfinite(number):
            raise self._wrong(names, "finite numbers", number)
        return number

    def grade(self, names: ColumnNames) -> int:
        """The grade in a column, of the query and the document in the same row."""
        number = self.number(names)
        if not (abs(number) < GRADE_LIMIT and number == int(number)):
            query, doc = self.text(QUERY_NAMES), self.text(DOC_NAMES)
            of = f" for query {shown(query)}, document {shown(doc)}{grade_hint(number)}"
            raise self._wrong(names, "grades, whole numbers of at most 31 bits", number, of)
        return int(number)

    def _wrong(self, names: ColumnNames, kind: str, got: object, of: str = "") -> InputError:
        column = self.name(names)
        return InputError(f"{self.where}: column {column!r} must hold {kind}; got {shown(got)}{of}")

    def value(self, names: ColumnNames) -> Any:
        """What is in a column: text, or a value of JSON."""
        return self.cells[self.name(names)]

    def name(self, names: ColumnNames) -> str:
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


@dataclass(frozen=True)
class CsvForm:
    """What the header of csv or tsv says of all rows.

    The header tells whether commas, semicolons or tabs separate the columns; in ``.tsv``, tabs do.
    With semicolons, numbers may have a decimal comma.
    """

    delimiter: str
    heads: list[str]

    @classmethod
    def begun(
        cls, path: Path, lines: Iterator[str], columns: Iterable[ColumnNames]
    ) -> tuple[CsvForm, int]:
        """The form of a file that begins with some lines, and how many of them are its header.

        InputError if one of the accepted names of each of the `columns` is missing, or if a column
        occurs twice.
        """
        first = next(lines, "")
        of_tabs = extension_of(path) == TSV and "\t" in first
        delimiter = "\t" if of_tabs else max(DELIMITERS, key=first.count)
        form = cls(delimiter, [])
        reader = form.reader(chain([first], lines))
        try:
            heads = [head.strip() for head in next(reader, [])]
        except csv.Error as error:
            raise not_a_table(path, reader.line_num, error) from None
        _check_heads(f"{path}:1: the header", heads, columns)
        return replace(form, heads=heads), reader.line_num

    def reader(self, lines: Iterable[str]) -> Any:
        """A reader of lines."""
        # Strict: else a quotation mark that ends nowhere hides all rows that follow.
        return csv.reader(lines, delimiter=self.delimiter, strict=True)

    def checked(self, where: str, row: list[str]) -> list[str]:
        """The cells of a row; none if it is blank, InputError if they are not as many as heads."""
        cells = list(map(str.strip, row))
        if not any(cells):
            return []
        if len(cells) != len(self.heads):
            raise InputError(
                f"{where}: a row must have {len(self.heads)} cells, as the header has; got "
                f"{len(cells)}"
            )
        return cells

    def number(self, text: str) -> float | None:
        """The number in a cell; None if there is none."""
        return number_in_text(self._plain(text))

    def numbers(self, texts: Sequence[str]) -> FloatArray | None:
        """The numbers in a column; None if a cell has none."""
        if self.delimiter == DECIMAL_COMMA:
            texts = list(map(self._plain, texts))
        return numbers_in_texts(texts)

    def _plain(self, text: str) -> str:
        """A number with a decimal point, where it may have a comma."""
        # A text with both signs has separators of thousands.
        has_comma = self.delimiter == DECIMAL_COMMA and "." not in text
        return text.replace(",", ".") if has_comma else text


def not_a_table(path: Path, line: int, error: csv.Error) -> InputError:
    """The error at a line that csv cannot read."""
    return InputError(f"{path}:{line}: not a table ({error})")


def _check_heads(what: str, heads: list[str], columns: Iterable[ColumnNames]) -> None:
    """InputError if a column is missing or occurs twice; those of spreadsheets may be unnamed."""
    for names in columns:
        pick(names, heads, what)
    for head, count in Counter(heads).items():
        if head and count > 1:
            raise InputError(f"{what} has {count} columns {head!r}")


def record_of(where: str, line: str) -> dict[str, Any]:
    """The JSON object in a line."""
    cells = parse_json(where, line)
    if not isinstance(cells, dict):
        got = cell(line).strip()
        raise InputError(f"{where}: a line must be a JSON object; got {got}")
    return cells


def number_in_json(value: Any) -> float | None:
    """A number of JSON; None if it is another value, or too large for a float."""
    try:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return float(value) if is_number else None
    except OverflowError:
        return None


def numbers_in_json(values: Sequence[Any]) -> FloatArray | None:
    """The numbers in a column of values of JSON; None if one is none: see `number_in_json`."""
    if not {*map(type, values)} <= {int, float}:
        return None
    try:
        return np.fromiter(map(float, values), np.float64, len(values))
    except OverflowError:
        return None


def number_in_text(text: str) -> float | None:
    """A number as `read_number` reads it; None if there is none, or it is too large for a float."""
    try:
        number = read_number(text.encode(), float)
    except ValueError:
        return None
    return None if isinf(number) and any(map(str.isdigit, text)) else number


def numbers_in_texts(texts: Sequence[str]) -> FloatArray | None:
    """The numbers in a column of stripped texts; None if one has none: see `number_in_text`."""
    text = "".join(texts)
    if not text.isascii() or "_" in text:
        return None
    try:
        numbers = np.fromiter(map(float, texts), np.float64, len(texts))
    except ValueError:
        return None
    infinite = np.flatnonzero(np.isinf(numbers)).tolist()
    return None if any(number_in_text(texts[row]) is None for row in infinite) else numbers


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
