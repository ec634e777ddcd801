"""What commands show: on a terminal tables that fit it, laid out by rich; elsewhere plain lines."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING

from .escapes import printable
from .names import text_width
from .tables import Column, TextTable, padded

if TYPE_CHECKING:
    from rich.console import JustifyMethod

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


def on_screen(*tables: TextTable) -> str:
    """Tables as the standard output shows them, and below all of them what is said about them."""
    said = dict.fromkeys(text for table in tables for text in table.sentences)
    below = [*dict.fromkeys(text for table in tables for text in table.renamed), " ".join(said)]
    parts = [_with_title(table) for table in tables]
    if any(below):
        parts.append("\n".join(sentence(text) for text in below if text))
    return "\n\n".join(parts) + "\n"


def _with_title(table: TextTable) -> str:
    columns = table.columns
    heads = [printable(column.head or column.name) for column in columns]
    cells = [[printable(cell) for cell in column.cells(table.places)] for column in columns]
    width = terminal_width()
    if width is None:
        body = _plain(columns, heads, cells)
    else:
        body = _by_rich(columns, heads, cells, width)
    return f"{sentence(table.title)}\n{body}" if table.title else body


def _plain(columns: Sequence[Column], heads: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """As wide as the table needs, without colours."""
    rules = ["-" * _width(head, column) for head, column in zip(heads, cells, strict=True)]
    rows = [heads, rules, *zip(*cells, strict=True)]
    left = [column.on_the_left for column in columns]
    return "\n".join((" " * GAP).join(row).rstrip() for row in padded(rows, left))


def _by_rich(
    columns: Sequence[Column], heads: Sequence[str], cells: Sequence[Sequence[str]], width: int
) -> str:
    """In the width of a terminal: in blocks, each of which begins with the columns of the rows."""
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    heads, cells = _narrowed(columns, heads, cells, width)
    console = Console(width=UNLIMITED, highlight=False)
    blocks = []
    for block in _blocks(columns, heads, cells, width):
        laid_out = RichTable(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
        for place in block:
            side: JustifyMethod = "left" if columns[place].on_the_left else "right"
            laid_out.add_column(Text(heads[place]), justify=side, no_wrap=True)
        for row in range(len(cells[0])):
            laid_out.add_row(
                *(Text(cells[place][row], _style(columns[place], row)) for place in block)
            )
        with console.capture() as captured:
            console.print(laid_out)
        blocks.append("\n".join(line.rstrip() for line in captured.get().splitlines()))
    return "\n\n".join(blocks)


def _style(column: Column, row: int) -> str:
    return "bold" if row in column.bold else "dim" if row in column.dim else ""


def _narrowed(
    columns: Sequence[Column], heads: Sequence[str], cells: Sequence[Sequence[str]], width: int
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Heads and texts that are folded so that the table fits; numbers stay as they are.

    If little space is left beside the numbers, which then stand in several blocks, texts take up to
    half of the width.
    """
    widths = [_width(head, column) for head, column in zip(heads, cells, strict=True)]
    if sum(widths) + GAP * (len(widths) - 1) <= width:
        return heads, cells
    is_text = [column.on_the_left for column in columns]
    limits = [
        max([_width("", column), *(text_width(word.rstrip()) for word in SEPARATORS.findall(head))])
        for head, column in zip(heads, cells, strict=True)
    ]
    beside = sum(own + GAP for own, text in zip(limits, is_text, strict=True) if not text)
    texts = list(compress(widths, is_text))
    space = max(width - beside, width // 2) - GAP * (len(texts) - 1)
    limit = max(texts, default=0)
    while limit > LEAST_TEXT and sum(min(limit, own) for own in texts) > space:
        limit -= 1
    limits = [limit if text else own for own, text in zip(limits, is_text, strict=True)]
    return (
        [folded(head, own) for head, own in zip(heads, limits, strict=True)],
        [
            [folded(cell, limit) for cell in column] if text else column
            for column, text in zip(cells, is_text, strict=True)
        ],
    )


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


def _blocks(
    columns: Sequence[Column], heads: Sequence[str], cells: Sequence[Sequence[str]], width: int
) -> list[list[int]]:
    """The columns of each block: those that name the rows, and as many others as fit."""
    keys = [place for place, column in enumerate(columns) if column.key] or [0]
    start = width - sum(_width(heads[place], cells[place]) + GAP for place in keys) + GAP
    blocks, free = [[*keys]], start
    for place in range(len(columns)):
        if place in keys:
            continue
        needed = GAP + _width(heads[place], cells[place])
        if needed > free and len(blocks[-1]) > len(keys):
            blocks.append([*keys])
            free = start
        blocks[-1].append(place)
        free -= needed
    return blocks


def _width(head: str, cells: Sequence[str]) -> int:
    return max(text_width(line) for text in (head, *cells) for line in text.split("\n"))
