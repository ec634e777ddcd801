"""The one writer of tables: rows of named cells in every output format.

Every text that reaches it, heads included, is escaped for the format (`escapes`). Nothing else
writes these formats: a library such as tabulate has escapes of its own, which differ from those of
captions and sentences, and pads by what happens to be installed beside it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import isfinite, isnan
from typing import Any, NamedTuple

import numpy as np

from .escapes import exact_in_row, in_row, latex_text, markdown_text, spreadsheet_text
from .fitting import fitting_table
from .markup import Html, html_cell, html_row, latex_lines, markdown_row
from .names import text_width
from .screen import Screen
from .text_columns import TextColumn

Value = str | int | float | bool | None

DEFAULT_PLACES = 4  # as trec_eval and ir_measures print scores

HEAD_SPACE = 2  # beside a head in the source of markup, so that narrow columns stay readable


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
    exact
        Whether ``tsv`` and ``csv`` keep control characters in texts, since `irx` reads them back.
    """

    names: Sequence[str]
    rows: Sequence[Sequence[Value]]
    places: int = DEFAULT_PLACES
    align: Sequence[str] | None = None
    keys: int | None = None
    bold: Collection[tuple[int, int]] = ()
    exact: bool = False

    def cells(self, undefined: str = "") -> list[list[str]]:
        return [[cell_text(value, self.places, undefined) for value in row] for row in self.rows]

    @property
    def lines(self) -> list[list[str]]:
        """The names, and the cells as readers see them."""
        return [[*self.names], *self.cells("-")]

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
    - ``tsv`` and ``csv`` begin with a line of names, and spell out control characters only.
    - ``csv-safe`` is ``csv`` for spreadsheets: an apostrophe is put before each text that a
      spreadsheet would read as a formula.
    - ``markdown``, ``latex`` and ``html`` show every text as it is; none is markup.
    - ``json`` is an array of one object per row, and ``jsonl`` has one object per line. Both ignore
      `places`: floats have all their digits. JSON has no infinity, so infinite values are null.
    - ``table`` fits the terminal, or 80 columns: names of columns are broken at words, long names
      in cells are cut in the middle and explained below, and wide tables are split into parts.
    - The formats for people spell out characters that do not print; see `escapes`.
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


def format_columns(
    columns: Mapping[str, Any], form: str, places: int, left: Iterable[str] = ()
) -> str:
    """Columns by their names as text; `left` has the names of the columns of text."""
    names, texts = list(columns), {*left}
    lists = (np.asarray(column).tolist() for column in columns.values())
    rows = [list(row) for row in zip(*lists, strict=True)]
    align = ["left" if name in texts else "right" for name in names]
    return format_table(TextTable(names, rows, places, align), form)


def cell_text(value: Value, places: int, undefined: str = "") -> str:
    """A value as text; only floats are rounded, None is empty, and NaN is `undefined`."""
    if value is None:
        return ""
    if is_undefined(value):
        return undefined
    return f"{value:.{places}f}" if isinstance(value, float) and places != -1 else str(value)


def is_undefined(value: Value) -> bool:
    return isinstance(value, float) and isnan(value)


def markdown_lines(rows: Sequence[Sequence[str]], align: Sequence[str]) -> list[str]:
    """A table in Markdown, aligned for readers of the source too; its cells have been escaped."""
    head, *others = _padded(rows, align)
    rule = f"|{'|'.join('-' * (text_width(cell) + 2) for cell in head)}|"
    return [markdown_row(head), rule, *map(markdown_row, others)]


def _padded(rows: Sequence[Sequence[str]], align: Sequence[str]) -> list[list[str]]:
    """The cells of every column with the same width."""
    widths = [
        max(text_width(head) + HEAD_SPACE, *map(text_width, cells), 0)
        for head, *cells in zip(*rows, strict=True)
    ]
    return [
        [
            cell + blank if side == "left" else blank + cell
            for cell, side, width in zip(row, align, widths, strict=True)
            for blank in [" " * (width - text_width(cell))]
        ]
        for row in rows
    ]


def _markdown(table: TextTable) -> str:
    rows = [[markdown_text(cell) for cell in row] for row in table.lines]
    return _text(markdown_lines(rows, table.aligned))


def _latex(table: TextTable) -> str:
    rows = [
        f" {' & '.join(map(latex_text, row))} \\\\" for row in _padded(table.lines, table.aligned)
    ]
    return _text(latex_lines("".join(side[0] for side in table.aligned), rows))


def _html(table: TextTable) -> str:
    styles = ["" if side == "left" else 'style="text-align: right;"' for side in table.aligned]

    def row(tag: str, cells: Sequence[str]) -> Html:
        return html_row(map(html_cell, [tag] * len(cells), cells, styles))

    head, *others = _padded(table.lines, table.aligned)
    rows = [row("td", cells) for cells in others]
    start = ["<table>", "<thead>", row("th", head), "</thead>", "<tbody>"]
    return _text([*start, *rows, "</tbody>", "</table>"])


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


def _for_screen(table: TextTable) -> str:
    keys, cells = table.key_columns, table.cells("-")
    columns = [
        TextColumn(
            name,
            [row[place] for row in cells],
            right=align == "right",
            names=align == "left" or place < keys,
            bold={row for row, column in table.bold if column == place},
        )
        for place, (name, align) in enumerate(zip(table.names, table.aligned, strict=True))
    ]
    return fitting_table(columns, keys, Screen.of_stdout())


def _separated(delimiter: str, escape: Callable[[str], str] = in_row) -> Callable[[TextTable], str]:
    """A format for programs; numbers are not escaped."""

    def write(table: TextTable) -> str:
        shown = exact_in_row if table.exact and escape is in_row else escape
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow(map(shown, table.names))
        # Row by row: all pairs of many systems are many rows.
        writer.writerows(
            [
                shown(value) if isinstance(value, str) else cell_text(value, table.places)
                for value in row
            ]
            for row in table.rows
        )
        return out.getvalue()

    return write


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
    "csv-safe": _separated(",", spreadsheet_text),
    "json": _json,
    "jsonl": _jsonl,
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
}

FOR_READERS = ("table", "markdown", "latex", "html")
