"""How each format of markup writes the parts of a table; every text from outside is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .escapes import html_text, latex_text, markdown_text, printable


class Markup(NamedTuple):
    """How a format writes the parts of a table.

    Attributes
    ----------
    text
        Escapes a text from outside, such as the name of a system.
    raised
        Writes the letters of a cell, of which there may be none, as a superscript.
    bold
        Writes the best number of a column.
    best
        What `bold` means, for the caption.
    undefined
        The cell of a score that is undefined.
    """

    text: Callable[[str], str]
    raised: Callable[[str], str]
    bold: Callable[[str], str]
    best: str
    undefined: str


def _superscript(letters: str) -> str:
    return f"<sup>{letters}</sup>" if letters else ""


def _latex_raised(marks: str) -> str:
    """A superscript of LaTeX."""
    return f"$^{{{marks}}}$" if marks else ""


PLAIN = Markup(text=printable, raised=str, bold=str, best="Bold: best", undefined="-")

HTML = Markup(
    text=html_text,
    raised=_superscript,
    bold="<strong>{}</strong>".format,
    best="<strong>Bold</strong>: best",
    undefined="&ndash;",
)

# GitHub shows the HTML tag `sup`; Markdown itself has no superscripts.
MARKDOWN = HTML._replace(
    text=markdown_text, bold="**{}**".format, best="**Bold**: best", undefined="-"
)

LATEX = Markup(
    text=latex_text,
    raised=_latex_raised,
    bold=r"\textbf{{{}}}".format,
    best=r"\textbf{Bold}: best",
    undefined="--",
)


class Html(str):
    """A piece of HTML: what it holds from outside has been escaped."""


def html_cell(tag: str, content: str, attributes: str = "") -> Html:
    """An element of HTML; its content is escaped if it is not `Html`."""
    shown = content if isinstance(content, Html) else html_text(content)
    return Html(f"<{tag} {attributes}>{shown}</{tag}>" if attributes else f"<{tag}>{shown}</{tag}>")


def html_row(cells: Iterable[Html]) -> Html:
    """A row of `html_cell`."""
    return Html(f"<tr>{''.join(cells)}</tr>")


def html_lines(caption: Html, heads: Iterable[str], rows: Iterable[Html]) -> list[str]:
    """The lines of a table; the caption may be empty."""
    head = html_row(html_cell("th", head, 'scope="col"') for head in heads)
    above = [f"<caption>{caption}</caption>"] if caption else []
    return ["<table>", *above, f"<thead>{head}</thead>", "<tbody>", *rows, "</tbody>", "</table>"]


def markdown_row(cells: Sequence[str]) -> str:
    """A row of cells that have been escaped."""
    return f"| {' | '.join(cells)} |"


def latex_lines(columns: str, rows: Sequence[str]) -> list[str]:
    """A tabular of booktabs; the first row has the heads."""
    head, *others = rows
    start = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
    return [*start, *others, r"\bottomrule", r"\end{tabular}"]
