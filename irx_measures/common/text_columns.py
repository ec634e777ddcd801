"""Columns of text: padded, wrapped at words, long names cut in the middle, with a legend."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

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


def text_width(text: str) -> int:
    """Number of columns of characters; Chinese, Japanese and Korean characters take two."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def total_width(columns: Sequence[TextColumn]) -> int:
    """The width of a table."""
    return sum(column.width for column in columns) + len(GAP) * (len(columns) - 1)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text; names are not broken at hyphens."""
    return textwrap.wrap(text, width, break_on_hyphens=False)


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


def printable(text: str) -> str:
    """A text in one line; characters that do not print, such as escapes, are spelled out."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape", "replace").decode()
        for sign in text
    )


def cut_names(names: Iterable[str], width: int, sign: str) -> dict[str, str]:
    """Names, cut in the middle if they are longer than the width; the results stay distinct."""
    shortened: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        short, number = _cut(name, width, sign), 1
        while short in taken:
            number += 1
            end = f"~{number}"
            short = _cut(name, max(width - len(end), len(sign) + 1), sign) + end
        taken.add(short)
        shortened[name] = short
    return shortened


def _cut(name: str, width: int, sign: str) -> str:
    if text_width(name) <= width:
        return name
    # Longer than the width in characters: what lies beyond it on both sides is not looked at.
    front, back = name[:width], name[max(len(name) - width, 1) :]
    while text_width(front + sign + back) > width and len(front) > 1:
        longer_front = len(front) > len(back)
        front, back = (front[:-1], back) if longer_front else (front, back[1:])
    return front + sign + back


def legend(short: dict[str, str], width: int) -> list[str]:
    """Lines that say what was cut or renamed."""
    return [line for name, text in short.items() for line in wrapped(f"{text} = {name}", width)]


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
