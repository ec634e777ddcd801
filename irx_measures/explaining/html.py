"""An explanation as an element of a page: sentences, and a table with shares as bars."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from ..measures.labels import short_labels

if TYPE_CHECKING:
    from .explanation import Explanation

BAR_WIDTH = 80

BAR_COLOR = "#3a7ab5"  # readable on a white and on a black ground

LONGEST_TEXT = 120

MOST_ROWS = 100


def explanation_html(explanation: Explanation) -> str:
    """Sentences and a table; every text from the user is escaped."""
    lines = [
        f"<p><strong>{escape(explanation.summary)}</strong><br>",
        f"<code>{escape(explanation.calculation())}</code><br>",
        f"{escape(' '.join(explanation.findings))}</p>",
        "<table>",
        f"<caption>{escape(_caption(explanation))}</caption>",
        f"<thead><tr>{_heads(explanation)}</tr></thead>",
        "<tbody>",
        *(_row(explanation, place) for place in range(len(explanation.doc_ids))[:MOST_ROWS]),
        "</tbody>",
        "</table>",
        *_left_out(explanation),
        _legend(explanation),
    ]
    return "\n".join(lines) + "\n"


def _caption(explanation: Explanation) -> str:
    (label,) = short_labels([explanation.measure])
    query = explanation.query_text or explanation.query_id
    return f"{label}, query: {query}"


def _heads(explanation: Explanation) -> str:
    names = ["rank", "document", "grade", *explanation.factors]
    if explanation.contribution is not None:
        names += ["contribution", "share"]
    if explanation.texts:
        names.append("text")
    return "".join(f'<th scope="col">{escape(name)}</th>' for name in names)


def _row(explanation: Explanation, place: int) -> str:
    rank, grade = explanation.rank[place], explanation.grade[place]
    cells: list[Any] = ["–" if rank is None else rank, "unjudged" if grade is None else grade]
    cells += [values[place] for values in explanation.factors.values()]
    if explanation.contribution is not None:
        cells.append(float(explanation.contribution[place]))
    shown = [f"<td>{escape(_text(cell))}</td>" for cell in cells]
    shown.insert(1, f'<th scope="row">{escape(explanation.doc_ids[place])}</th>')
    if explanation.contribution is not None:
        shown.append(f"<td>{_bar(float(explanation.share[place]))}</td>")
    if explanation.texts:
        shown.append(f"<td>{escape(shortened(explanation.texts[place]))}</td>")
    return f"<tr>{''.join(shown)}</tr>"


def _text(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _bar(share: float) -> str:
    """A share of the score as a bar, with the percentage as text."""
    width = round(BAR_WIDTH * min(max(share, 0.0), 1.0), 1)
    return (
        f'<svg width="{BAR_WIDTH}" height="10" aria-hidden="true">'
        f'<rect width="{width:g}" height="10" fill="{BAR_COLOR}"/></svg> {share:.0%}'
    )


def shortened(text: str) -> str:
    """The first characters of a text, in one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TEXT else f"{line[: LONGEST_TEXT - 1]}…"


def _left_out(explanation: Explanation) -> list[str]:
    more = len(explanation.doc_ids) - MOST_ROWS
    return [f"<p>{more} more documents are in <code>to_frame()</code>.</p>"] if more > 0 else []


def _legend(explanation: Explanation) -> str:
    rows = [
        f"<dt>{escape(name)}</dt><dd>{escape(text)}{_value(explanation, name)}</dd>"
        for name, text in meanings(explanation.legend, explanation.factors, explanation.terms)
    ]
    return f"<details><summary>Columns and terms</summary><dl>{''.join(rows)}</dl></details>"


def _value(explanation: Explanation, name: str) -> str:
    return f": {explanation.terms[name]:.6g}" if name in explanation.terms else ""


def meanings(legend: dict[str, str], *used: dict[str, Any]) -> list[tuple[str, str]]:
    """The names that are used, with their meanings, in the order of use."""
    names = dict.fromkeys(name for group in used for name in group)
    return [(name, legend[name]) for name in names if name in legend]
