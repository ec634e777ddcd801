"""What commands show: on a terminal tables that fit it, laid out by rich; elsewhere plain lines."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..common.escapes import printable
from ..common.names import text_width
from .column import Column
from .tables import TextTable, padded

if TYPE_CHECKING:
    from rich.text import Text

GAP = 2  # blanks between columns

LEAST_TEXT = 4  # characters: below, little is left of a word

SHORT = 12  # characters, a choice: words up to this length are not folded where they fit

UNLIMITED = 100_000  # characters: rich cuts what is wider, but blocks are made to fit

# Rich folds at white space only, of which this sign is one: it has no width, and `printable` texts
# do not have it.
BREAK = "\x1f"

# After these, a name may be folded: not at its beginning or its end, and not inside a number such
# as 0.8, 1,000, -1 or 1e-05.
SEPARATOR = re.compile(r"(?<=\S)(?:(?<!\d)[.,]|[.,](?!\d)|(?<![=(,])(?<!\de)-|[(/_:])(?=\S)")

MEASURE = re.compile(r"\w+(\(.*\)|(?=@))(@\d+)?[.,:;]?")


def sentence(text: str) -> str:
    """A text in lines of the terminal's width, or of 80 characters; names are not broken."""
    width = terminal_width()
    if width is None:
        return "\n".join(textwrap.wrap(printable(text), line_width(), break_on_hyphens=False))
    from rich.console import Console
    from rich.text import Text

    words = [_fitting(word, width) for word in printable(text).split()]
    lines = Text(" ".join(words)).wrap(Console(width=width), width)
    return "\n".join(line.plain.rstrip().replace(BREAK, "") for line in lines)


def terminal_width() -> int | None:
    """The width of the standard output; None if it is no terminal."""
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None


def line_width() -> int:
    """The width of lines of prose: that of the terminal, or else 80 characters."""
    return terminal_width() or 80


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
    """A column as it is shown."""

    column: Column
    head: str
    cells: list[str]

    @property
    def width(self) -> int:
        return max(text_width(text) for text in (self.head, *self.cells))

    def least_width(self, width: int, short: int = SHORT) -> int:
        """What the column needs if its head, and of names also the cells, are folded.

        `width` is that of the terminal; words of up to `short` characters are not folded.
        """
        folded, whole = [self.head], self.cells
        if self.column.on_the_left:
            folded, whole = [self.head, *self.cells], []
        parts = [part for text in folded for part in _breakable(text, width, short).split()]
        return max(text_width(text) for text in ("", *parts, *whole))


def _with_title(table: TextTable) -> str:
    shown = [
        _Shown(
            column,
            printable(column.head or column.name),
            [*map(printable, column.cells(table.places))],
        )
        for column in table.shown
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

    console = Console(width=UNLIMITED, highlight=False)
    widths = _widths(shown, width)
    blocks = []
    for block in _blocks(shown, widths, width):
        laid_out = RichTable(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
        for place in block:
            justify: Literal["left", "right"]
            justify = "left" if shown[place].column.on_the_left else "right"
            head = _text(shown[place].head, widths[place])
            laid_out.add_column(head, justify=justify, width=widths[place], overflow="fold")
        for row in range(len(shown[0].cells)):
            laid_out.add_row(*(_cell(shown[place], row, widths[place]) for place in block))
        with console.capture() as captured:
            console.print(laid_out)
        lines = captured.get().replace(BREAK, "").splitlines()
        blocks.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(blocks)


def _cell(shown: _Shown, row: int, width: int) -> Text:
    style = "dim" if row in shown.column.dim else ""
    if row in shown.column.bold:
        style = "bold"
    return _text(shown.cells[row], width, style)


def _text(text: str, width: int, style: str = "") -> Text:
    """A text that rich folds in lines of this width; it is no markup."""
    from rich.text import Text

    return Text(_fitting(text, width), style)


def _fitting(text: str, width: int) -> str:
    """A text that may be folded if it is wider than this."""
    return text if text_width(text) <= width else _breakable(text, width)


def _breakable(text: str, width: int, short: int = SHORT) -> str:
    """A text with a `BREAK` wherever it may be folded.

    Words of up to `short` characters, and measures, stay whole if they fit the width.
    """
    words = []
    for word in text.split(" "):
        is_whole = len(word) <= short or MEASURE.fullmatch(word)
        if not is_whole or text_width(word) > width:
            word = SEPARATOR.sub(rf"\g<0>{BREAK}", word)
        words.append(word)
    return " ".join(words)


def _widths(shown: Sequence[_Shown], width: int) -> list[int]:
    """The width of each column: if not all fit the terminal, names and heads are folded."""
    own = [each.width for each in shown]
    least = [each.least_width(width) for each in shown]
    if _together(own) <= width:
        return own
    if _together(least) <= width:
        is_text = [each.column.on_the_left for each in shown]
        return _widened(least, own, is_text, width)
    return _widths_in_blocks(shown, own, least, width)


def _widths_in_blocks(
    shown: Sequence[_Shown], own: Sequence[int], least: Sequence[int], width: int
) -> list[int]:
    """The widths of columns that do not all fit.

    The columns that name the rows take half of the width, or what they need beside each other one.
    Words are broken where there is no other way.
    """
    keys = _keys(shown)
    others = [place for place in range(len(shown)) if place not in keys]
    beside = width - GAP - max((least[place] for place in others), default=0)
    for short in (SHORT, 0):
        narrow = [shown[place].least_width(width, short) for place in keys]
        if _together(narrow) <= beside:
            break
    else:
        narrow = [min(LEAST_TEXT, own[place]) for place in keys]
        beside = max(beside, width // 2)
    space = min(beside, max(width // 2, _together(narrow)))
    whole = [own[place] for place in keys]
    of_keys = _widened(narrow, whole, [True] * len(keys), space)
    left = max(width - GAP - _together(of_keys), 1)
    widths = [*own]
    for place, taken in zip(keys, of_keys, strict=True):
        widths[place] = taken
    for place in others:
        wanted = own[place] if shown[place].column.on_the_left else least[place]
        widths[place] = min(wanted, left)
    return widths


def _widened(
    least: Sequence[int], own: Sequence[int], is_text: Sequence[bool], width: int
) -> list[int]:
    """The least widths, but those of texts up to one limit with which all fit the width."""
    widths = [*least]
    for limit in range(width, LEAST_TEXT, -1):
        for place, low in enumerate(least):
            if is_text[place]:
                widths[place] = max(low, min(limit, own[place]))
        if _together(widths) <= width:
            return widths
    return [*least]


def _together(widths: Sequence[int]) -> int:
    """The width of columns with the blanks between them."""
    return sum(widths) + GAP * (len(widths) - 1)


def _keys(shown: Sequence[_Shown]) -> list[int]:
    """The columns that name the rows."""
    return [place for place, each in enumerate(shown) if each.column.key] or [0]


def _blocks(shown: Sequence[_Shown], widths: Sequence[int], width: int) -> list[list[int]]:
    """The columns of each block: those that name the rows, and as many others as fit."""
    keys = _keys(shown)
    blocks = [[*keys]]
    for place in range(len(shown)):
        if place in keys:
            continue
        wider = _together([widths[other] for other in (*blocks[-1], place)])
        if wider > width and len(blocks[-1]) > len(keys):
            blocks.append([*keys])
        blocks[-1].append(place)
    return blocks
