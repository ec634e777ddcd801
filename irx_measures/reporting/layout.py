"""Columns of text that fit a width: long names are cut in the middle, and a legend has them."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

GAP = "  "

SHORTEST_NAME = 10

LONGEST_HEAD = 18


@dataclass(frozen=True)
class TextColumn:
    """A column of text.

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
    """

    head: str
    cells: Sequence[str]
    right: bool = True
    names: bool = False
    optional: int = 0

    @property
    def width(self) -> int:
        return max(map(text_width, [self.head, *self.cells]))


def text_width(text: str) -> int:
    """Number of columns of characters; Chinese, Japanese and Korean characters take two."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a text; names are not broken at hyphens."""
    return textwrap.wrap(text, width, break_on_hyphens=False)


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
    front = back = name
    while text_width(front + sign + back) > width and len(front) > 1:
        longer_front = len(front) > len(back)
        front, back = (front[:-1], back) if longer_front else (front, back[1:])
    return front + sign + back


def fitted(
    columns: Sequence[TextColumn], width: int, sign: str
) -> tuple[list[TextColumn], dict[str, str]]:
    """The columns that fit the width, and the names that were cut, with what they became."""
    kept = list(columns)
    least = min([SHORTEST_NAME, *(column.width for column in columns if column.names)])
    while (limit := _name_limit(kept, width)) < least:
        dispensable = max(kept, key=lambda column: column.optional)
        if not dispensable.optional:
            break
        kept.remove(dispensable)
    names = [name for column in kept if column.names for name in column.cells]
    limit = max(limit, len(sign) + 2)
    short = cut_names(names, limit, sign)
    kept = [
        replace(column, cells=[short[name] for name in column.cells]) if column.names else column
        for column in kept
    ]
    return kept, {name: text for name, text in short.items() if name != text}


def total_width(columns: Sequence[TextColumn]) -> int:
    """The width of a table."""
    return sum(column.width for column in columns) + len(GAP) * (len(columns) - 1)


def _name_limit(columns: Sequence[TextColumn], width: int) -> int:
    """The longest name that fits, or the longest name that there is."""
    named = [column.width for column in columns if column.names]
    space = width - total_width(columns) + sum(named)
    longest = max(named, default=SHORTEST_NAME)
    while longest > 0 and sum(min(longest, natural) for natural in named) > space:
        longest -= 1
    return longest


def written(columns: Sequence[TextColumn]) -> list[str]:
    """The lines of a table: heads, then rows."""
    lines = zip(*(_padded(column) for column in columns), strict=True)
    return [GAP.join(line).rstrip() for line in lines]


def _padded(column: TextColumn) -> list[str]:
    width = column.width
    blanks = [(text, " " * (width - text_width(text))) for text in [column.head, *column.cells]]
    return [blank + text if column.right else text + blank for text, blank in blanks]


def panels(first: TextColumn, columns: Sequence[TextColumn], width: int) -> list[list[TextColumn]]:
    """Tables that fit the width: each has the first column and some of the others."""
    tables: list[list[TextColumn]] = [[first]]
    used = first.width
    for column in columns:
        needed = len(GAP) + column.width
        if used + needed > width and len(tables[-1]) > 1:
            tables.append([first])
            used = first.width
        tables[-1].append(column)
        used += needed
    return tables


def legend(short: dict[str, str], width: int) -> list[str]:
    """Lines that say what was cut or renamed."""
    return [line for name, text in short.items() for line in wrapped(f"{text} = {name}", width)]
