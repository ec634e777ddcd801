"""How notebooks show a reproduction: numbers beside the printed ones, texts, and pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from math import isnan
from typing import TYPE_CHECKING

from ..common.markup import Html, html_cell, html_row
from ..common.writing import PLAIN
from ..plots.canvas import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .results import Number, PaperTable

PRINTED, HERE, DIFFERENCE = "paper", "here", "difference"

MOST_BESIDE = 3  # columns of which paper, here and difference stand side by side in a page's width

# Scoped, without colours of its own: it suits every theme.
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
)

FIRST_ROWS, LAST_ROWS = 5, 2  # of a table with more than `MOST_ROWS`: how it begins and ends

MOST_ROWS = 12  # the design's limit for what a notebook shows unasked

# Narrower than the tables of other results: papers' tables have up to ten columns.
PAPER_STYLE = (
    ".irx-paper table{font-size:.85em}"
    ".irx-paper th,.irx-paper td{padding:.1em .35em}"
    ".irx-paper thead th{white-space:normal;vertical-align:bottom}"
    ".irx-paper td.w{white-space:normal;text-align:left;vertical-align:top}"
)

# Inches of a figure, its CSS pixels, and dots for each of them: text of 7 points is 12 pixels high
# beside the text of a page, and 8 pixels high where a phone shrinks the figure to 358 pixels.
INCHES, PICTURE_WIDTH, SHARPNESS = 4.2, 504, 2


def element(*lines: str) -> str:
    """An element of a page, in the style of all results; wide tables scroll in it."""
    start = f'<div class="irx irx-paper"><style>{STYLE}{PAPER_STYLE}</style>'
    return "\n".join([start, *lines, "</div>"])


def texts_html(heads: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> str:
    """A table of texts, which are whole, and a note below it."""
    head = html_row(html_cell("th", name, 'class="t"') for name in heads)
    body = [html_row(html_cell("td", text, 'class="w"') for text in row) for row in rows]
    notes = [html_cell("p", note, 'class="m"')] if note else []
    return element(*_table([head], body), *notes)


def numbers_html(table: PaperTable) -> str:
    """A table of numbers: those of the paper, those from here, and the differences.

    Up to three columns stand side by side; wider tables have a line for each. Without printed
    numbers, long tables are cut as all results are.
    """
    about = html_cell("p", _about(table))
    if table.why_not_shown:
        return element(about, html_cell("p", table.why_not_shown, 'class="m"'))
    if not table.printed:
        parts = _computed(table)
    elif len(table.columns) <= MOST_BESIDE:
        parts = _beside(table)
    else:
        parts = _stacked(table)
    notes = [html_cell("p", note, 'class="m"') for note in (f"Data: {table.data}", table.remark)]
    return element(about, *_table(*parts), *notes[: 1 + bool(table.remark)])


def _about(table: PaperTable) -> Html:
    return Html(f"{html_cell('b', table.label)}. {html_cell('span', table.title)}")


def picture(ax: Axes) -> tuple[bytes, dict[str, int]]:
    """A drawn figure as PNG, and its width in a page."""
    figure, out = figure_of(ax), BytesIO()
    figure.savefig(out, format="png", dpi=PICTURE_WIDTH * SHARPNESS / figure.get_figwidth())
    return out.getvalue(), {"width": PICTURE_WIDTH}


def _table(heads: Iterable[str], rows: Iterable[str]) -> list[str]:
    return ["<table><thead>", *heads, "</thead><tbody>", *rows, "</tbody></table>"]


def _computed(table: PaperTable) -> tuple[list[Html], list[Html]]:
    cells, rows = _cells(table), table.rows
    shown = list(range(len(rows)))
    if len(rows) > MOST_ROWS:
        shown = [*shown[:FIRST_ROWS], *shown[-LAST_ROWS:]]
    body = [
        html_row([_name(rows[place]), *(cells(rows[place], of, HERE) for of in table.columns)])
        for place in shown
    ]
    if len(shown) < len(rows):
        text = f"{len(rows) - len(shown)} more rows: .in_shape()"
        more = html_cell("td", text, f'class="t m" colspan="{len(table.columns) + 1}"')
        body.insert(FIRST_ROWS, html_row([more]))
    return [html_row([_name(""), *(html_cell("th", name) for name in table.columns)])], body


def _beside(table: PaperTable) -> tuple[list[Html], list[Html]]:
    cells, width = _cells(table), len(table.columns)
    parts = (PRINTED, HERE, DIFFERENCE)
    over = [html_cell("th", part, f'colspan="{width}" class="t"') for part in parts]
    under = [html_cell("th", name) for _ in parts for name in table.columns]
    body = [
        html_row(
            [_name(row), *(cells(row, name, part) for part in parts for name in table.columns)]
        )
        for row in table.rows
    ]
    return [html_row([_name(""), *over]), html_row([_name(""), *under])], body


def _stacked(table: PaperTable) -> tuple[list[Html], list[Html]]:
    cells = _cells(table)
    printed = {number.row for number in table.numbers if not isnan(number.printed)}
    body = [
        html_row(
            [
                _name("" if part == DIFFERENCE or (part == HERE and row in printed) else row),
                html_cell("th", part, 'class="t"'),
                *(cells(row, name, part) for name in table.columns),
            ]
        )
        for row in table.rows
        for part in ((PRINTED, HERE, DIFFERENCE) if row in printed else (HERE,))
    ]
    heads = [_name(""), _name(""), *(html_cell("th", name) for name in table.columns)]
    return [html_row(heads)], body


def _name(text: str) -> Html:
    return html_cell("th", text, 'class="t"')


def _cells(table: PaperTable) -> Callable[[str, str, str], Html]:
    """The cells of a table by row, column and part."""
    numbers = {(number.row, number.column): number for number in table.numbers}
    places = {column: _places(table, column) for column in table.columns}

    def cell(row: str, column: str, part: str) -> Html:
        number = numbers.get((row, column))
        text = "-" if number is None else _text(number, part, places[column])
        return html_cell("td", number_in_page(text))

    return cell


def _places(table: PaperTable, column: str) -> int:
    """Decimal places of a column: none if it has counts, whole numbers beyond 1."""
    found = [
        value
        for number in table.numbers
        if number.column == column
        for value in (number.here, number.printed)
        if not isnan(value)
    ]
    counts = all(value == round(value) for value in found) and max(found, default=0) > 1
    return 0 if counts else table.places


def _text(number: Number, part: str, places: int) -> str:
    """A number; the difference is that of the numbers as printed."""
    if part == DIFFERENCE:
        if isnan(number.difference):
            return "-"
        value = round(round(number.here, places) - number.printed, places)
        return f"{value:+.{places}f}" if value else f"{0:.{places}f}"
    value = number.printed if part == PRINTED else number.here
    return PLAIN.number(value, places)


def number_in_page(number: str) -> str:
    """A number as pages show it: ``.764``, a true minus, and a dash for ranges and no value."""
    if number == "-" or re.fullmatch(r"\d+-\d+", number):
        return number.replace("-", "\N{EN DASH}")
    short = re.sub(r"(?<!\d)0(?=\.\d)", "", number)
    return short.replace("-", "\N{MINUS SIGN}").replace("<", "< ")
