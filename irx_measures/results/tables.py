"""The one writer of tables: columns in every output format.

Every text that reaches it, heads included, is escaped for the format (`escapes`). Nothing else
writes these formats: a library such as tabulate has escapes of its own, which differ from those of
captions and sentences, and pads by what happens to be installed beside it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..common.escapes import HTML, LATEX, MARKDOWN, Markup, exact_in_row, in_row, spreadsheet_text
from ..common.memory import require_memory
from ..common.names import text_width
from .column import DEFAULT_PLACES, Column, Value, cell_text, is_undefined, listed, notes_of

BYTES_OF_CELL = 60  # measured: of a cell's value and text while a table is written


@dataclass(frozen=True)
class TextTable:
    """The input of every format."""

    columns: Sequence[Column]
    places: int = DEFAULT_PLACES  # decimal places of floats, -1 for all
    title: str = ""  # above ``table``
    legend: Sequence[str] = ()  # below ``table``: what short names stand for, a line each
    notes: Sequence[str] = ()  # sentences below ``table``
    caption: Callable[[Markup], str] | None = None  # of ``markdown``, ``latex`` and ``html``
    # Whether ``tsv`` and ``csv`` keep control characters in texts, since `irx` reads them back.
    exact: bool = False
    # Whether ``tsv`` has neither a header nor quotation marks, as ir_measures prints scores.
    bare: bool = False

    @classmethod
    def of(
        cls, columns: Mapping[str, Any], places: int = DEFAULT_PLACES, keys: Iterable[str] = ()
    ) -> TextTable:
        """A table of arrays or lists by their names; `keys` are the columns that name the rows."""
        named = {*keys}
        return cls(
            [Column(name, listed(values), key=name in named) for name, values in columns.items()],
            places,
        )

    @classmethod
    def of_records(cls, records: Sequence[Mapping[str, Value]], places: int) -> TextTable:
        """A table of records, which have the same names in the same order."""
        names = list(records[0]) if records else []
        return cls.of({name: [record[name] for record in records] for name in names}, places)

    @property
    def data(self) -> list[Column]:
        """The columns that programs read."""
        return [column for column in self.columns if column.values is not None]

    @property
    def shown(self) -> list[Column]:
        """The columns that ``table`` has."""
        return [column for column in self.columns if column.shown]

    @property
    def rows(self) -> Iterable[tuple[Value, ...]]:
        return zip(*(column.listed for column in self.data), strict=True)

    @property
    def renamed(self) -> list[str]:
        """What short heads in ``table`` stand for."""
        short = (column.short_for for column in self.shown if column.is_shortened)
        return [*self.legend, *dict.fromkeys(short)]

    @property
    def sentences(self) -> list[str]:
        """The notes of the table, and of its columns."""
        return [*self.notes, *notes_of(self.columns)]


def write(table: TextTable, form: str) -> str:
    """A table as text; without columns, all but ``json`` are empty.

    The forms are the keys of `FORMATS`:

    - ``tsv`` and ``csv`` begin with a line of names, and spell out control characters only.
    - ``csv-safe`` is ``csv`` for spreadsheets: an apostrophe is put before each text that a
      spreadsheet would read as a formula.
    - ``markdown``, ``latex`` and ``html`` show every text as it is; none is markup.
    - ``json`` is one object, as `content_of` gives it, and ``jsonl`` has one object per line. Both
      ignore `places`: floats have all their digits. JSON has no infinity, so infinite values are
      null.
    - ``table`` fits a terminal: names are folded at their separators, and columns that do not fit
      stand in another block. Elsewhere it is as wide as it needs.
    - The formats for people spell out characters that do not print; see `escapes`.

    InputError if the text would take more memory than is allowed.
    """
    if not table.columns and form != "json":
        return ""
    _require_memory(table)
    return FORMATS[form](table)


def _require_memory(table: TextTable) -> None:
    rows = max((len(column.listed) for column in table.data), default=0)
    require_memory(f"a table of {rows} rows", BYTES_OF_CELL * rows * len(table.data))


def padded(rows: Sequence[Sequence[str]], left: Sequence[bool]) -> list[list[str]]:
    """The cells of every column with the same width."""
    widths = [max(map(text_width, cells)) for cells in zip(*rows, strict=True)]
    return [
        [pad(cell, width, side) for cell, side, width in zip(row, left, widths, strict=True)]
        for row in rows
    ]


def pad(cell: str, width: int, left: bool) -> str:
    """A cell with blanks up to a width, on its right if it is aligned to the left."""
    blanks = " " * (width - text_width(cell))
    return cell + blanks if left else blanks + cell


def markdown_lines(
    rows: Sequence[Sequence[str]], left: Sequence[bool], caption: str = "", short: str = ""
) -> list[str]:
    """Escaped rows, the heads first, as a table that is aligned for readers of the source too.

    `short` says what short heads stand for; it follows the caption.
    """
    head, rule, *others = padded([rows[0], ["---"] * len(left), *rows[1:]], left)
    for column, is_left in enumerate(left):
        dashes = "-" * (text_width(rule[column]) - 1)
        rule[column] = f"{dashes}-" if is_left else f"{dashes}:"
    lines = [f"| {' | '.join(row)} |" for row in (head, rule, *others)]
    below = _in_one(caption, short)
    return [*lines, "", below] if below else lines


def latex_lines(
    rows: Sequence[Sequence[str]], left: Sequence[bool], caption: str = "", short: str = ""
) -> list[str]:
    """Escaped rows, the heads first, as a tabular of booktabs; in a table if it has a caption.

    `short` says what short heads stand for, at the end of the caption; without a caption, in a
    comment above the tabular.
    """
    head, *others = [" & ".join(row) + r" \\" for row in rows]
    columns = " ".join("l" if side else "r" for side in left)
    start = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
    lines = [*start, *others, r"\bottomrule", r"\end{tabular}"]
    if not caption:
        return [f"% {short}", *lines] if short else lines
    above = rf"\caption{{{_in_one(caption, short)}}}"
    start = [r"% \usepackage{booktabs}", r"\begin{table}", above, r"\centering"]
    return [*start, *lines, r"\end{table}"]


def _in_one(*texts: str) -> str:
    """Sentences in one paragraph."""
    return " ".join(text for text in texts if text)


def html_lines(
    rows: Sequence[Sequence[str]], left: Sequence[bool], caption: str = "", short: str = ""
) -> list[str]:
    """Escaped rows, the heads first; the first cell of each other row names it."""
    heads = "".join(f'<th scope="col">{head}</th>' for head in rows[0])
    lines = []
    for name, *cells in rows[1:]:
        parts = [f'<th scope="row">{name}</th>']
        for cell, is_left in zip(cells, left[1:], strict=True):
            style = "" if is_left else ' style="text-align: right;"'
            parts.append(f"<td{style}>{cell}</td>")
        lines.append(f"<tr>{''.join(parts)}</tr>")
    said = _in_one(caption, short)
    above = [f"<caption>{said}</caption>"] if said else []
    head = f"<thead><tr>{heads}</tr></thead>"
    return ["<table>", *above, head, "<tbody>", *lines, "</tbody>", "</table>"]


Lines = Callable[[Sequence[Sequence[str]], Sequence[bool], str, str], list[str]]

MARKUPS: dict[str, tuple[Markup, Lines]] = {
    "latex": (LATEX, latex_lines),
    "markdown": (MARKDOWN, markdown_lines),
    "html": (HTML, html_lines),
}
"""Formats of texts and papers: how each writes a part of a table, and the lines of a table."""


def _in_markup(markup: Markup, lines: Lines, table: TextTable) -> str:
    heads = [markup.text(column.head_in_texts) for column in table.data]
    cells = (column.marked_cells(markup, table.places) for column in table.data)
    left = [column.on_the_left for column in table.data]
    caption = "" if table.caption is None else table.caption(markup)
    said = markup.text(_about_heads(table))
    return "\n".join(lines([heads, *zip(*cells, strict=True)], left, caption, said)) + "\n"


def _about_heads(table: TextTable) -> str:
    """What the heads stand for that formats of texts and papers have."""
    short = dict.fromkeys(column.short_for for column in table.data if column.is_shortened)
    notes = dict.fromkeys(column.note for column in table.data if column.has_own_note)
    meant = [f"{'; '.join(short)}."] if short else []
    return " ".join([*meant, *notes])


def _on_screen(table: TextTable) -> str:
    from .screen import on_screen  # it knows this module's tables

    return on_screen(table)


def _separated(delimiter: str, escape: Callable[[str], str], table: TextTable) -> str:
    """A format for programs; numbers are not escaped."""
    shown = exact_in_row if table.exact and escape is in_row else escape
    cells = (
        [
            shown(value) if isinstance(value, str) else cell_text(value, table.places)
            for value in row
        ]
        for row in table.rows
    )
    if table.bare and delimiter == "\t":
        return "".join("\t".join(row) + "\n" for row in cells)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow([shown(column.name) for column in table.data])
    writer.writerows(cells)
    return out.getvalue()


def json_text(content: Mapping[str, Any]) -> str:
    """A JSON object in lines that people can read and tools can compare."""
    return json.dumps(content, indent=1, allow_nan=False) + "\n"


def content_of(table: TextTable) -> dict[str, Any]:
    """A table as ``json`` has it: its columns with what they mean, and an object per row.

    InputError if it would take more memory than is allowed.
    """
    _require_memory(table)
    columns = [{"name": column.name, "meaning": column.meaning} for column in table.data]
    return {"columns": columns, "results": _records(table)}


def _records(table: TextTable) -> list[dict[str, Value]]:
    names = [column.name for column in table.data]
    rows = ([None if is_undefined(value) else value for value in row] for row in table.rows)
    return [dict(zip(names, row, strict=True)) for row in rows]


def _json(table: TextTable) -> str:
    return json_text(content_of(table))


def _json_lines(table: TextTable) -> str:
    return "".join(f"{json.dumps(row, allow_nan=False)}\n" for row in _records(table))


FORMATS: dict[str, Callable[[TextTable], str]] = {
    "table": _on_screen,
    "tsv": partial(_separated, "\t", in_row),
    "csv": partial(_separated, ",", in_row),
    "csv-safe": partial(_separated, ",", spreadsheet_text),
    "json": _json,
    "jsonl": _json_lines,
    **{form: partial(_in_markup, *markup) for form, markup in MARKUPS.items()},
}

FOR_READERS = ("table", *MARKUPS)
