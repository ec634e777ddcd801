"""A short table of a result, as text and in HTML: what Python and notebooks show of an object."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from .escapes import html_text, printable
from .markup import Html, html_cell, html_row
from .names import cut_names
from .text_columns import TextColumn, broken_head, broken_text, total_width, written

MOST_ROWS = 12  # the design's limit for what a terminal or notebook shows unasked

FIRST_ROWS, LAST_ROWS = 5, 2  # of more rows: the best ones, and how it ends (the design's 5 + 2)

WIDTH = 80  # characters: the usual terminal; a repr does not know where it is shown

# Characters, a choice: names of up to 40 leave half of 80 for numbers. Several texts share the 40,
# with 18 for each at least.
LONGEST_TEXT, SHORTEST_TEXT, LONGEST_HEAD = 40, 18, 16

# Scoped, without colours of its own except for the strips: it suits every theme.
STYLE = (
    ".irx{overflow-x:auto}"
    ".irx p{margin:.4em 0;max-width:60em}"
    ".irx table{font:inherit;font-variant-numeric:tabular-nums;border-collapse:collapse;border:0;"
    "margin:0}"
    ".irx th,.irx td{padding:.1em .8em;border:0;border-bottom:1px solid rgba(128,128,128,.3);"
    "background:none;text-align:right;white-space:nowrap}"
    ".irx th{font-weight:normal;opacity:.75}"
    ".irx .t{text-align:left}"
    ".irx .m{opacity:.75}"
    ".irx svg{display:block}"
    ".irx line{stroke:#3f87c6}"
    ".irx circle{fill:#3f87c6}"
)


def shown_rows(count: int, also: Iterable[int] = ()) -> list[int]:
    """The positions of the rows to show: all, or the first and last ones and some others."""
    if count <= MOST_ROWS:
        return list(range(count))
    ends = {*range(FIRST_ROWS), *range(count - LAST_ROWS, count)}
    more = [place for place in also if place not in ends]
    return sorted({*ends, *more[: MOST_ROWS - len(ends)]})


def warning_notes(warnings: Iterable[str]) -> list[str]:
    """The notes below a table for the warnings about its scores."""
    return [f"warning: {text}" for text in warnings]


@dataclass(frozen=True)
class ShortTable:
    """What Python and notebooks show of an object.

    Attributes
    ----------
    name, about
        The class of the object, and what it is.
    heads, rows
        The cells as text.
    texts
        The columns of text; the others are aligned to the right, as numbers.
    bold
        Row and column of cells that notebooks show bold.
    more
        A line for the rows that are left out, with the methods that return them; it stands after
        the first rows. Empty if all rows are shown.
    notes
        Lines below the table.
    strips
        An SVG picture per row, for notebooks, after the columns of text.
    strip_head
    """

    name: str
    about: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: Collection[int] = (0,)
    bold: Collection[tuple[int, int]] = ()
    more: str = ""
    notes: Sequence[str] = ()
    strips: Sequence[str] = ()
    strip_head: str = ""

    def text(self) -> str:
        """The table in 80 columns; columns that do not fit are named below."""
        columns = [
            TextColumn(
                broken_head(head, LONGEST_HEAD, in_names=True), cells, place not in self.texts
            )
            for place, (head, cells) in enumerate(zip(self._heads, self._columns, strict=True))
        ]
        kept = columns
        while len(kept) > 1 and total_width(kept) > WIDTH:
            kept = kept[:-1]
        lines = written(kept)
        if self.more:
            rest = lines[len(lines) - len(self.rows) + FIRST_ROWS :]
            more = broken_text(printable(self.more), WIDTH).split("\n")
            lines = [*lines[: len(lines) - len(rest)], *more, *rest]
        left_out = ", ".join(self._heads[len(kept) :])
        notes = [f"Columns left out: {left_out}"] if left_out else []
        about = broken_text(printable(f"{self.name}: {self.about}"), WIDTH).split("\n")
        below = [
            line
            for note in [*notes, *self.notes]
            for line in broken_text(printable(note), WIDTH).split("\n")
        ]
        return "\n".join([*about, *lines, *below])

    def html(self) -> str:
        """The table as an element of a page, with its own style."""
        rows: list[str] = [self._html_row(number) for number in range(len(self.rows))]
        if self.more:
            width = len(self.heads) + bool(self.strips)
            more = html_cell("td", self.more, f'class="t" colspan="{width}"')
            rows.insert(FIRST_ROWS, html_cell("tr", more, 'class="m"'))
        heads = [
            self._html_cell("th", re.sub("^- ", "\N{MINUS SIGN} ", head), place)
            for place, head in enumerate(self._heads)
        ]
        if self.strips:
            heads.insert(self._strip_place, html_cell("th", self.strip_head, 'class="t"'))
        lines = [
            f'<div class="irx"><style>{STYLE}</style>',
            f"<p><b>{self.name}</b>: {html_text(self.about)}</p>",
            f"<table><thead>{html_row(heads)}</thead><tbody>",
            *rows,
            "</tbody></table>",
            *(html_cell("p", note, 'class="m"') for note in self.notes),
            "</div>",
        ]
        return "\n".join(lines)

    @property
    def _heads(self) -> list[str]:
        short = cut_names(self.heads, LONGEST_TEXT, "..")
        return [short[head] for head in self.heads]

    @cached_property
    def _columns(self) -> list[list[str]]:
        """The cells by column, printable; long ones are cut."""
        limit = max(LONGEST_TEXT // max(len(self.texts), 1), SHORTEST_TEXT)
        columns = [[row[place] for row in self.rows] for place in range(len(self.heads))]
        cut = [cut_names(cells, limit, "..") for cells in columns]
        return [[short[cell] for cell in cells] for cells, short in zip(columns, cut, strict=True)]

    @property
    def _strip_place(self) -> int:
        return max(self.texts) + 1

    def _html_row(self, number: int) -> Html:
        cells = [
            self._html_cell("td", cells[number], place, (number, place) in self.bold)
            for place, cells in enumerate(self._columns)
        ]
        if self.strips:
            cells.insert(self._strip_place, html_cell("td", Html(self.strips[number])))
        return html_row(cells)

    def _html_cell(self, tag: str, text: str, place: int, bold: bool = False) -> Html:
        is_text = place in self.texts
        shown = text if is_text or tag == "th" else number_in_page(text)
        return html_cell(
            tag, html_cell("b", shown) if bold else shown, 'class="t"' if is_text else ""
        )


def number_in_page(number: str) -> str:
    """A number as pages show it: ``.764``, a true minus, and a dash for ranges and no value."""
    if number == "-" or re.fullmatch(r"\d+-\d+", number):
        return number.replace("-", "\N{EN DASH}")
    short = re.sub(r"(?<!\d)0(?=\.\d)", "", number)
    return short.replace("-", "\N{MINUS SIGN}").replace("<", "< ")
