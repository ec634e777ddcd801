"""Rows of named cells as text: the output formats of the command line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from math import isfinite, isnan
from typing import NamedTuple

from tabulate import tabulate

from ..common.text_columns import TextColumn, printable
from .layout import fitting_table
from .screen import Screen

Value = str | int | float | bool | None

DEFAULT_PLACES = 4

FORMULA = ("=", "+", "-", "@", "\t", "\r")


class TextTable(NamedTuple):
    """The input of a format: a table of values.

    Attributes
    ----------
    names
        The names of the columns.
    rows
        Each row has one value per column; None is an empty cell. NaN marks an undefined value: it
        is an empty cell in ``tsv``, ``csv`` and ``csv-safe``, null in ``json`` and ``jsonl``, and
        ``-`` in the other formats.
    places
        Decimal places of floats, -1 for all.
    align
        ``left`` or ``right`` per column. If None, a column is aligned by its first value:
        strings to the left, other values to the right.
    keys
        Number of columns that name a row; ``table`` repeats them if it splits a wide table. If
        None, they are the first columns that are aligned to the left, at least one.
    bold
        Row and column of each cell that a terminal shows bold.
    """

    names: Sequence[str]
    rows: Sequence[Sequence[Value]]
    places: int = DEFAULT_PLACES
    align: Sequence[str] | None = None
    keys: int | None = None
    bold: Collection[tuple[int, int]] = ()

    def cells(self, undefined: str = "") -> list[list[str]]:
        return [[cell_text(value, self.places, undefined) for value in row] for row in self.rows]

    @property
    def aligned(self) -> Sequence[str]:
        if self.align is not None:
            return self.align
        if not self.rows:
            return ["left"] * len(self.names)
        return ["left" if isinstance(value, str) else "right" for value in self.rows[0]]

    @property
    def key_columns(self) -> int:
        if self.keys is not None:
            return self.keys
        left = [align == "left" for align in self.aligned]
        return max(1, [*left, False].index(False))


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
    - ``json`` is an array of one object per row, and ``jsonl`` has one object per line. Both ignore
      `places`: floats have all their digits. JSON has no infinity, so infinite values are null.
    - ``table`` fits the terminal, or 80 columns: names of columns are broken at words, long names
      in cells are cut in the middle and explained below, and wide tables are split into parts.
    """
    return FORMATS[form](table)


def format_records(records: Sequence[Mapping[str, Value]], form: str, places: int) -> str:
    """Records as text; all records have the same names in the same order.

    Without records, ``json`` is an empty array, and the other formats are an empty text.
    """
    if not records:
        return _json(TextTable([], [])) if form == "json" else ""
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


def _aligned(style: str, escape: Callable[[str], str] = str) -> Callable[[TextTable], str]:
    """A format with aligned columns, in a style of tabulate; `escape` is applied to every cell."""

    def write(table: TextTable) -> str:
        text = tabulate(
            [[escape(cell) for cell in row] for row in table.cells("-")],
            headers=[escape(name) for name in table.names],
            tablefmt=style,
            colalign=table.aligned if table.rows else None,
            disable_numparse=True,
        )
        return text + "\n"

    return write


def _for_screen(table: TextTable) -> str:
    keys = table.key_columns
    cells = [list(map(printable, row)) for row in table.cells("-")]
    columns = [
        TextColumn(
            printable(name),
            [row[place] for row in cells],
            right=align == "right",
            names=align == "left" or place < keys,
            bold={row for row, column in table.bold if column == place},
        )
        for place, (name, align) in enumerate(zip(table.names, table.aligned, strict=True))
    ]
    return fitting_table(columns, keys, Screen.of_stdout())


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


def _json(table: TextTable) -> str:
    objects = ",\n  ".join(_objects(table))
    return f"[\n  {objects}\n ]\n" if objects else "[]\n"


def _jsonl(table: TextTable) -> str:
    return "".join(f"{line}\n" for line in _objects(table))


def _objects(table: TextTable) -> list[str]:
    """A JSON object per row."""
    return [
        json.dumps(
            {name: json_value(value) for name, value in zip(table.names, row, strict=True)},
            allow_nan=False,
        )
        for row in table.rows
    ]


def json_value(value: Value) -> Value:
    """A value that JSON has: NaN and infinite values are null."""
    return None if isinstance(value, float) and not isfinite(value) else value


FORMATS: dict[str, Callable[[TextTable], str]] = {
    "table": _for_screen,
    "tsv": _separated("\t"),
    "csv": _separated(","),
    "csv-safe": _csv_safe,
    "json": _json,
    "jsonl": _jsonl,
    "markdown": _aligned("github", escape=_escaped),
    "latex": _aligned("latex_booktabs"),
    "html": _aligned("html"),
}
