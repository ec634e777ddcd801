"""A table of scores in HTML and in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from .caption import table_caption
from .hypotheses import Tested
from .score_table import Markup, ScoreTable


def _raised(letters: str) -> str:
    return f"<sup>{letters}</sup>" if letters else ""


HTML = Markup(
    text=escape,
    raised=_raised,
    bold="<strong>{}</strong>".format,
    best="<strong>Bold</strong>: best",
    undefined="&ndash;",
)


def markdown_text(text: str) -> str:
    """A text in which Markdown finds no markup."""
    return re.sub(r"([\\`*_\[\]<>|~$&])", r"\\\1", " ".join(text.split()))


# GitHub shows the HTML tag `sup`; Markdown itself has no superscripts.
MARKDOWN = HTML._replace(
    text=markdown_text, bold="**{}**".format, best="**Bold**: best", undefined="-"
)


def html_table(table: ScoreTable, tested: Sequence[Tested], places: int) -> str:
    """The table as an element of a page."""
    heads = "".join(f'<th scope="col">{escape(head)}</th>' for head in ["System", *table.measures])
    rows = [
        f'<tr><th scope="row">{escape(system)}</th>'
        + "".join(f"<td>{cell}</td>" for cell in table.cells(row, places, HTML))
        + "</tr>"
        for row, system in enumerate(table.systems)
    ]
    lines = [
        "<table>",
        f"<caption>{table_caption(table, tested, HTML)}</caption>",
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
        *rows,
        "</tbody>",
        "</table>",
    ]
    return "\n".join(lines) + "\n"


def markdown_table(table: ScoreTable, tested: Sequence[Tested], places: int) -> str:
    """The table as GitHub shows it, and its caption under it."""
    lines = [
        _row(["System", *map(markdown_text, table.measures)]),
        _row(["---", *["---:"] * len(table.measures)]),
        *(
            _row([markdown_text(system), *table.cells(row, places, MARKDOWN)])
            for row, system in enumerate(table.systems)
        ),
        "",
        table_caption(table, tested, MARKDOWN),
    ]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
