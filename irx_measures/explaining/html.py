"""An explanation as an element of a page: sentences, and a table with shares as bars."""

from __future__ import annotations

from typing import Any

from ..common.escapes import html_text
from ..common.markup import Html, html_cell, html_lines, html_row
from ..common.names import first_words
from ..measures.labels import short_labels
from .explanation import Explanation

BAR_WIDTH = 80  # pixels, a choice: longer than the numbers, shorter than the ids

BAR_COLOR = "#3a7ab5"  # readable on a white and on a black ground

LONGEST_TEXT = 120  # characters: the first 120, as in the report

MOST_ROWS = 100  # a choice: a notebook stays small; the table says how many more there are


def explanation_html(explanation: Explanation) -> str:
    """Sentences and a table; every text from the user is escaped."""
    rows = (_row(explanation, place) for place in range(len(explanation.doc_ids))[:MOST_ROWS])
    lines = [
        f"<p>{html_cell('strong', explanation.summary)}<br>",
        f"{html_cell('code', explanation.calculation())}<br>",
        f"{html_text(' '.join(explanation.findings))}</p>",
        *html_lines(Html(html_text(_caption(explanation))), _heads(explanation), rows),
        *_left_out(explanation),
        _legend(explanation),
    ]
    return "\n".join(lines) + "\n"


def _caption(explanation: Explanation) -> str:
    (label,) = short_labels([explanation.measure])
    query = explanation.query_text or explanation.query_id
    return f"{label}, query: {query}"


def _heads(explanation: Explanation) -> list[str]:
    names = ["rank", "document", "grade", *explanation.factors]
    if explanation.contribution is not None:
        names += ["contribution", "share"]
    if explanation.texts:
        names.append("text")
    return names


def _row(explanation: Explanation, place: int) -> Html:
    rank, grade = explanation.rank[place], explanation.grade[place]
    cells: list[Any] = ["–" if rank is None else rank, "unjudged" if grade is None else grade]
    cells += [values[place] for values in explanation.factors.values()]
    if explanation.contribution is not None:
        cells.append(float(explanation.contribution[place]))
    shown = [html_cell("td", _text(cell)) for cell in cells]
    shown.insert(1, html_cell("th", explanation.doc_ids[place], 'scope="row"'))
    if explanation.contribution is not None:
        shown.append(html_cell("td", _bar(float(explanation.share[place]))))
    if explanation.texts:
        shown.append(html_cell("td", first_words(explanation.texts[place], LONGEST_TEXT)))
    return html_row(shown)


def _text(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _bar(share: float) -> Html:
    """A share of the score as a bar, with the percentage as text."""
    width = round(BAR_WIDTH * min(max(share, 0.0), 1.0), 1)
    return Html(
        f'<svg width="{BAR_WIDTH}" height="10" aria-hidden="true">'
        f'<rect width="{width:g}" height="10" fill="{BAR_COLOR}"/></svg> {share:.0%}'
    )


def _left_out(explanation: Explanation) -> list[str]:
    more = len(explanation.doc_ids) - MOST_ROWS
    return [f"<p>{more} more documents are in <code>to_frame()</code>.</p>"] if more > 0 else []


def _legend(explanation: Explanation) -> str:
    rows = [
        html_cell("dt", name) + html_cell("dd", f"{text}{_value(explanation, name)}")
        for name, text in explanation.legend.items()
    ]
    return f"<details><summary>Columns and terms</summary><dl>{''.join(rows)}</dl></details>"


def _value(explanation: Explanation, name: str) -> str:
    return f": {explanation.terms[name]:.6g}" if name in explanation.terms else ""
