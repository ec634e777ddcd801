"""Rows of named cells as text: the output formats of the command line."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import NamedTuple

from tabulate import tabulate

Value = str | int | float | bool | None

DEFAULT_PLACES = 4

HEADER_WIDTH = 20

FORMULA = ("=", "+", "-", "@", "\t", "\r")


class TextTable(NamedTuple):
    """The input of a format: a table of values.

    Attributes
    ----------
    names
        The names of the columns.
    rows
        Each row has one value per column; None is an empty cell. NaN marks an undefined value: it
        is an empty cell in ``tsv``, ``csv`` and ``csv-safe``, null in ``jsonl``, and ``-`` in the
        other formats.
    places
        Decimal places of floats, -1 for all.
    align
        ``left`` or ``right`` per column. If None, a column is aligned by its first value:
        strings to the left, other values to the right.
    """

    names: Sequence[str]
    rows: Sequence[Sequence[Value]]
    places: int = DEFAULT_PLACES
    align: Sequence[str] | None = None

    def cells(self, undefined: str = "") -> list[list[str]]:
        return [[cell_text(value, self.places, undefined) for value in row] for row in self.rows]

    @property
    def aligned(self) -> Sequence[str]:
        if self.align is not None:
            return self.align
        return ["left" if isinstance(value, str) else "right" for value in self.rows[0]]


def format_table(table: TextTable, form: str) -> str:
    """A table as text.

    Parameters
    ----------
    table
        The table to write.
    form
        A key of `FORMATS`.

    Notes
    -----
    - ``tsv`` and ``csv`` begin with a line of names.
    - ``csv-safe`` is ``csv`` for spreadsheets: an apostrophe is put before each text that a
      spreadsheet would read as a formula.
    - ``markdown`` escapes ``|``, and ``html`` escapes markup.
    - ``jsonl`` has one object per row, and ignores `places`: floats have all their digits.
    - ``table`` breaks long names over several lines.
    """
    return FORMATS[form](table)


def format_records(records: Sequence[Mapping[str, Value]], form: str, places: int) -> str:
    """Records (at least one) as text; all records have the same names in the same order."""
    rows = [list(record.values()) for record in records]
    return format_table(TextTable(list(records[0]), rows, places), form)


def cell_text(value: Value, places: int, undefined: str = "") -> str:
    """A value as text; only floats are rounded, None is empty, and NaN is `undefined`."""
    if value is None:
        return ""
    if is_undefined(value):
        return undefined
    return f"{value:.{places}f}" if isinstance(value, float) and places != -1 else str(value)


def is_undefined(value: Value) -> bool:
    return isinstance(value, float) and isnan(value)


def _aligned(
    style: str, header_width: int | None = None, escape: Callable[[str], str] = str
) -> Callable[[TextTable], str]:
    """A format with aligned columns, in a style of tabulate; `escape` is applied to every cell."""

    def write(table: TextTable) -> str:
        names = [escape(name) for name in table.names]
        if header_width is not None:
            names = [_broken(name, header_width) for name in names]
        text = tabulate(
            [[escape(cell) for cell in row] for row in table.cells("-")],
            headers=names,
            tablefmt=style,
            colalign=table.aligned if table.rows else None,
            disable_numparse=True,
        )
        return text + "\n"

    return write


def _broken(name: str, width: int) -> str:
    """Break a name into lines of at most `width`, after commas, spaces and opening brackets."""
    lines = [""]
    for part in re.findall(r"[^, (]*[, (]+|[^, (]+", name):
        if lines[-1] and len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _separated(delimiter: str) -> Callable[[TextTable], str]:
    def write(table: TextTable) -> str:
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(
            [table.names, *table.cells()]
        )
        return out.getvalue()

    return write


def _csv_safe(table: TextTable) -> str:
    rows = [[_guarded(value) for value in row] for row in table.rows]
    names = [str(_guarded(name)) for name in table.names]
    return _separated(",")(table._replace(names=names, rows=rows))


def _guarded(value: Value) -> Value:
    """A value, with an apostrophe in front if a spreadsheet would read it as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")


def _jsonl(table: TextTable) -> str:
    rows = ([None if is_undefined(value) else value for value in row] for row in table.rows)
    return "".join(json.dumps(dict(zip(table.names, row, strict=True))) + "\n" for row in rows)


FORMATS: dict[str, Callable[[TextTable], str]] = {
    "table": _aligned("simple", HEADER_WIDTH),
    "tsv": _separated("\t"),
    "csv": _separated(","),
    "csv-safe": _csv_safe,
    "jsonl": _jsonl,
    "markdown": _aligned("github", escape=_escaped),
    "latex": _aligned("latex_booktabs"),
    "html": _aligned("html"),
}
