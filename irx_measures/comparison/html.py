"""A table of scores in HTML and in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from ..common.markup import HTML, MARKDOWN, Html, html_cell, html_lines, html_row, markdown_row
from .caption import table_caption
from .hypotheses import Tested
from .score_table import ScoreTable


def html_table(table: ScoreTable, tested: Sequence[Tested], places: int) -> str:
    """The table as an element of a page."""
    caption = Html(table_caption(table, tested, HTML))
    rows = [
        html_row(
            [
                html_cell("th", system, 'scope="row"'),
                *(html_cell("td", Html(cell)) for cell in table.cells(row, places, HTML)),
            ]
        )
        for row, system in enumerate(table.systems)
    ]
    return "\n".join(html_lines(caption, ["System", *table.measures], rows)) + "\n"


def markdown_table(table: ScoreTable, tested: Sequence[Tested], places: int) -> str:
    """The table as GitHub shows it, and its caption under it."""
    lines = [
        markdown_row(["System", *map(MARKDOWN.text, table.measures)]),
        markdown_row(["---", *["---:"] * len(table.measures)]),
        *(
            markdown_row([MARKDOWN.text(system), *table.cells(row, places, MARKDOWN)])
            for row, system in enumerate(table.systems)
        ),
        "",
        table_caption(table, tested, MARKDOWN),
    ]
    return "\n".join(lines) + "\n"
