"""Runs and qrels as CSV files with a header, as pandas and spreadsheets write them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ..common.writing import cell
from ..exceptions import InputError
from .columns import DOC_NAMES, QUERY_NAMES, pick
from .files import numbered_lines
from .numbers import read_float

DELIMITERS = ",;\t"

KEY_NAMES = (QUERY_NAMES, DOC_NAMES)

DECIMAL_COMMA = ";"  # spreadsheets and pandas write it where the comma is the decimal sign


def rows_of_csv(path: Path, value_names: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a CSV file, each with its line number; other columns are left out.

    Parameters
    ----------
    path
        The file; its header says whether commas, semicolons or tabs separate the columns. With
        semicolons, numbers may have a decimal comma.
    value_names
        The accepted names of the column of scores or grades.

    Raises
    ------
    ValueError
        When the file is not UTF-8 CSV, a column is missing, a row has more or fewer cells than the
        header, a cell is empty, or a number is none.
    """
    for number, row, delimiter in _rows(path, value_names):
        yield number, _cells(f"{path}:{number}", row, value_names, delimiter)


def cells_of_csv(
    path: Path,
    value_names: tuple[str, ...],
    key_names: Sequence[tuple[str, ...]] = KEY_NAMES,
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV file as text, each with its line number; otherwise as `rows_of_csv`.

    `key_names` are the accepted names of the columns that say what a row is about.
    """
    return ((number, row) for number, row, _ in _rows(path, value_names, key_names))


def _rows(
    path: Path, value_names: tuple[str, ...], key_names: Sequence[tuple[str, ...]] = KEY_NAMES
) -> Iterator[tuple[int, dict[str, str], str]]:
    """Line numbers, rows and the delimiter; rows without a text, which spreadsheets add, are left
    out."""
    lines = (line for _, line in numbered_lines(path))
    first = next(lines, "")
    delimiter = max(DELIMITERS, key=first.count)
    columns = (*key_names, value_names)
    for number, row in cells_of_lines(path, chain([first], lines), delimiter, columns):
        yield number, row, delimiter


def cells_of_lines(
    path: Path,
    lines: Iterable[str],
    delimiter: str,
    columns: Iterable[tuple[str, ...]],
    strict: bool = False,
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of the lines of a table as text, each with its line number.

    Parameters
    ----------
    path
        The file of the lines, for error messages.
    lines
        The header first.
    delimiter
    columns
        The accepted names of each column that the header must have.
    strict
        Whether a quotation mark that ends nowhere is an error.
    """
    rows = csv.reader(lines, delimiter=delimiter, strict=strict)
    try:
        header = next(rows, [])
        for names in columns:
            pick(names, header, f"{path}:1: the header")
        for row in rows:
            if not any(row):
                continue
            if len(row) != len(header):
                raise InputError(
                    f"{path}:{rows.line_num}: a row must have {len(header)} cells, as the header "
                    f"has; got {len(row)}"
                )
            yield rows.line_num, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV file ({error})") from None


def _cells(
    where: str, row: dict[str, str], value_names: tuple[str, ...], delimiter: str
) -> dict[str, Any]:
    cells = {
        name: text for name, text in row.items() if name in QUERY_NAMES + DOC_NAMES + value_names
    }
    if not all(cells.values()):
        empty = next(name for name, text in cells.items() if not text)
        raise InputError(f"{where}: column {empty!r} must not be empty")
    numbers = {
        name: _number(where, name, cells[name], delimiter) for name in value_names if name in cells
    }
    return {**cells, **numbers}


def with_decimal_point(text: str, delimiter: str) -> str:
    """The text of a number, without the decimal comma that a table with semicolons may have."""
    # A text with both signs has separators of thousands.
    return text.replace(",", ".") if delimiter == DECIMAL_COMMA and "." not in text else text


def _number(where: str, name: str, text: str, delimiter: str) -> float:
    try:
        return read_float(with_decimal_point(text, delimiter).encode())
    except ValueError:
        raise InputError(
            f"{where}: column {name!r} must hold numbers; got {cell(text)!r}"
        ) from None
