"""What commands show: on a terminal tables that fit it, laid out by rich; elsewhere plain lines."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..common.escapes import printable
from ..common.names import text_width
from .column import Column
from .tables import TextTable, padded

GAP = 2  # blanks between columns

LEAST_TEXT = 4  # characters: below, little is left of a word

UNLIMITED = 100_000  # characters: rich cuts what is wider, but blocks are made to fit

SEPARATORS = re.compile(r"[^ ,(/_.:-]*[ ,(/_.:-]+|[^ ,(/_.:-]+")


def sentence(text: str) -> str:
    """A text in lines of the terminal's width, or of 80 characters; names are not broken."""
    return "\n".join(textwrap.wrap(printable(text), terminal_width() or 80, break_on_hyphens=False))


def terminal_width() -> int | None:
    """The width of the standard output; None if it is no terminal."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None


def ends_with(text: str, found: Sequence[str]) -> str:
    """A text; if it is longer than the terminal, these sentences stand below it.

    Then its beginning is out of sight.
    """
    lines = shutil.get_terminal_size((80, 24)).lines
    if not found or not sys.stdout.isatty() or text.count("\n") < lines:
        return text
    return "\n".join([text, *map(sentence, found)]) + "\n"


def on_screen(*tables: TextTable) -> str:
    """Tables as the standard output shows them, and below all of them what is said about them."""
    said = dict.fromkeys(text for table in tables for text in table.sentences)
    renamed = dict.fromkeys(text for table in tables for text in table.renamed)
    below = [*renamed, " ".join(said)]
    parts = [_with_title(table) for table in tables]
    if any(below):
        parts.append("\n".join(sentence(text) for text in below if text))
    return "\n\n".join(parts) + "\n"


class _Shown(NamedTuple):
    """A column as it is shown; its head and its cells may have several lines."""

    column: Column
    head: str
    cells: list[str]

    @property
    def width(self) -> int:
        return max(map(text_width, "\n".join([self.head, *self.cells]).split("\n")))

    def folded(self, width: int) -> _Shown:
        """Head and cells in lines of a width."""
        return self._replace(
            head=folded(self.head, width), cells=[folded(cell, width) for cell in self.cells]
        )

    def with_folded_head(self) -> _Shown:
        """The head in lines, as wide as the cells or its longest word; numbers stay as they are."""
        words = [word.rstrip() for word in SEPARATORS.findall(self.head)]
        return self._replace(
            head=folded(self.head, max(map(text_width, [*self.cells, *words, ""])))
        )


def _with_title(table: TextTable) -> str:
    shown = [
        _Shown(
            column,
            printable(column.head or column.name),
            [*map(printable, column.cells(table.places))],
        )
        for column in table.columns
    ]
    width = terminal_width()
    body = _plain(shown) if width is None else _by_rich(shown, width)
    return f"{sentence(table.title)}\n{body}" if table.title else body


def _plain(shown: Sequence[_Shown]) -> str:
    """As wide as the table needs, without colours."""
    heads, rules = [each.head for each in shown], ["-" * each.width for each in shown]
    rows = [heads, rules, *zip(*(each.cells for each in shown), strict=True)]
    left = [each.column.on_the_left for each in shown]
    return "\n".join((" " * GAP).join(row).rstrip() for row in padded(rows, left))


def _by_rich(shown: Sequence[_Shown], width: int) -> str:
    """In the width of a terminal: in blocks, each of which begins with the columns of the rows."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console(width=UNLIMITED, highlight=False)
    blocks = []
    for block in _blocks(_narrowed(shown, width), width):
        laid_out = RichTable(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
        for each in block:
            justify: Literal["left", "right"] = "left" if each.column.on_the_left else "right"
            laid_out.add_column(
                Text(each.head),
                justify=justify,
                no_wrap=True,
            )
        for row in range(len(block[0].cells)):
            laid_out.add_row(*(Text(each.cells[row], _style(each.column, row)) for each in block))
        with console.capture() as captured:
            console.print(laid_out)
        blocks.append("\n".join(line.rstrip() for line in captured.get().splitlines()))
    return "\n\n".join(blocks)


def _style(column: Column, row: int) -> str:
    if row in column.bold:
        return "bold"
    return "dim" if row in column.dim else ""


def _narrowed(shown: Sequence[_Shown], width: int) -> Sequence[_Shown]:
    """The columns, with texts and heads folded if the table does not fit.

    If little space is left beside the numbers, which then stand in several blocks, texts take up to
    half of the width.
    """
    if sum(each.width for each in shown) + GAP * (len(shown) - 1) <= width:
        return shown
    widths = [each.width for each in shown if each.column.on_the_left]
    numbers = [each.with_folded_head() for each in shown if not each.column.on_the_left]
    beside = sum(each.width + GAP for each in numbers)
    space = max(width - beside, width // 2) - GAP * (len(widths) - 1)
    limit = max(widths, default=0)
    while limit > LEAST_TEXT and sum(min(limit, own) for own in widths) > space:
        limit -= 1
    return [
        each.folded(limit) if each.column.on_the_left else each.with_folded_head() for each in shown
    ]


def folded(text: str, width: int) -> str:
    """A text in lines of a width, broken after its separators; longer words are broken too."""
    lines = [""]
    for piece in SEPARATORS.findall(text):
        if lines[-1] and text_width(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
        while text_width(lines[-1].rstrip()) > width > 1:
            end = max(width // 2, 1) if not lines[-1].isascii() else width
            lines[-1:] = [lines[-1][:end], lines[-1][end:]]
    return "\n".join(line.rstrip() for line in lines)


def _blocks(shown: Sequence[_Shown], width: int) -> list[list[_Shown]]:
    """The columns of each block: those that name the rows, and as many others as fit."""
    keys = [each for each in shown if each.column.key] or [shown[0]]
    others = [each for each in shown if not any(each is key for key in keys)]
    blocks, free = [[*keys]], width - sum(each.width + GAP for each in keys)
    start = free
    for each in others:
        if each.width > free and len(blocks[-1]) > len(keys):
            blocks.append([*keys])
            free = start
        blocks[-1].append(each)
        free -= each.width + GAP
    return blocks
