"""Columns of text: padded, wrapped at words, with a legend of the names that were cut."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .escapes import printable
from .names import text_width

GAP = "  "

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True)
class TextColumn:
    """A column of text; heads and cells may have several lines.

    Attributes
    ----------
    head
    cells
    right
        Whether the cells are aligned at the right.
    names
        Whether the cells are names, which may be cut.
    optional
        Columns with the highest number are left out first if the width does not suffice; 0: never.
    bold, dim
        Positions of cells that a terminal shows bold or dim.
    """

    head: str
    cells: Sequence[str]
    right: bool = True
    names: bool = False
    optional: int = 0
    bold: Collection[int] = ()
    dim: Collection[int] = ()

    @property
    def width(self) -> int:
        return max(text_width(line) for text in [self.head, *self.cells] for line in lines_of(text))


def lines_of(text: str) -> list[str]:
    """The lines of a cell; an empty cell has one."""
    return text.split("\n")


def total_width(columns: Sequence[TextColumn]) -> int:
    """The width of a table."""
    return sum(column.width for column in columns) + len(GAP) * (len(columns) - 1)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, which prints; names are not broken at hyphens."""
    return textwrap.wrap(printable(text), width, break_on_hyphens=False)


def broken_head(head: str, width: int, in_names: bool = False) -> str:
    """Break a head into lines of about `width`, after commas, spaces and ``(``, not in words.

    A word that is longer than the width stays whole, unless it is to be broken after ``_``.
    """
    ends = ", (_" if in_names else ", ("
    return _joined(re.findall(rf"[^{ends}]*[{ends}]+|[^{ends}]+", head), width)


def broken_text(text: str, width: int) -> str:
    """Break a sentence at words; words that are too wide are broken, after ``/``, ``_``, ``-``."""
    pieces: list[str] = []
    for word in re.findall(r"\S+\s*", text):
        if text_width(word.rstrip()) <= width:
            pieces.append(word)
            continue
        for piece in re.findall(r"[^/_-]*[/_-]+|[^/_-]+", word):
            pieces += _halves(piece, width)
    return _joined(pieces, width)


def _halves(piece: str, width: int) -> list[str]:
    """The piece, divided until each part fits."""
    if text_width(piece.rstrip()) <= width or len(piece) < 2:
        return [piece]
    middle = len(piece) // 2
    return [*_halves(piece[:middle], width), *_halves(piece[middle:], width)]


def _joined(pieces: Iterable[str], width: int) -> str:
    """Pieces of a text, as many in a line as fit."""
    lines = [""]
    for piece in pieces:
        if lines[-1] and text_width(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def legend(short: dict[str, str], width: int) -> list[str]:
    """Lines that say what was cut or renamed; names that are shown whole have none."""
    return [
        line
        for name, text in short.items()
        if printable(name) != text
        for line in wrapped(f"{text} = {name}", width)
    ]


def written(
    columns: Sequence[TextColumn], *, rule: bool = False, styled: bool = False
) -> list[str]:
    """The lines of a table: heads, then rows.

    Parameters
    ----------
    columns
    rule
        Whether a line of hyphens follows the heads.
    styled
        Whether bold and dim cells have the escape sequences of terminals.
    """
    widths = [column.width for column in columns]
    heads = _row([column.head for column in columns], columns, widths)
    if rule:
        heads.append(GAP.join("-" * width for width in widths))
    rows = len(columns[0].cells)
    lines = [
        line
        for row in range(rows)
        for line in _row(
            [column.cells[row] for column in columns],
            columns,
            widths,
            [_style(column, row) if styled else "" for column in columns],
        )
    ]
    return heads + lines


def dimmed(lines: Iterable[str], styled: bool) -> list[str]:
    """Lines that a terminal shows dim."""
    return [f"{DIM}{line}{PLAIN}" if styled else line for line in lines]


def _style(column: TextColumn, row: int) -> str:
    if row in column.bold:
        return BOLD
    return DIM if row in column.dim else ""


def _row(
    cells: Sequence[str],
    columns: Sequence[TextColumn],
    widths: Sequence[int],
    styles: Sequence[str] | None = None,
) -> list[str]:
    """The lines of a row; cells with fewer lines than others end in blank lines."""
    split = [lines_of(cell) for cell in cells]
    styles = styles or [""] * len(columns)
    height = max(map(len, split))
    return [
        GAP.join(
            _padded(lines[number] if number < len(lines) else "", column.right, width, style)
            for lines, column, width, style in zip(split, columns, widths, styles, strict=True)
        ).rstrip()
        for number in range(height)
    ]


def _padded(text: str, right: bool, width: int, style: str) -> str:
    blank = " " * (width - text_width(text))
    shown = f"{style}{text}{PLAIN}" if style and text else text
    return blank + shown if right else shown + blank
