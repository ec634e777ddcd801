"""An explanation of a score as text: sentences, a table of documents, the meaning of its columns."""

from __future__ import annotations

from typing import Any

from ..explaining.explanation import Explanation
from ..explaining.html import explanation_html, meanings, shortened
from .layout import GAP, TextColumn, fitted, legend, wrapped, written
from .screen import UNICODE, Screen
from .text_formats import Value, format_records

BAR_WIDTH = 10

MOST_ROWS = 30

NAMED = 2  # priors of a document that are named


def explanation_text(explanation: Explanation, screen: Screen, places: int) -> str:
    """Sentences and a table that fits the screen."""
    sentences = [
        f"{explanation.summary}.",
        *([f"query: {shortened(explanation.query_text)}"] if explanation.query_text else []),
        f"score = {explanation.calculation(places)}",
        " ".join(explanation.findings),
    ]
    used = meanings(explanation.legend, explanation.factors, explanation.terms)
    notes = [f"{name}: {text}{_value(explanation, name, places)}" for name, text in used]
    return "\n".join(
        [
            *(line for sentence in sentences for line in wrapped(sentence, screen.width)),
            "",
            *_table(explanation, screen, places),
            "",
            *(line for note in notes for line in wrapped(note, screen.width)),
            "",
        ]
    )


def explanation_records(explanation: Explanation, form: str, places: int) -> str:
    """All documents, in a format of the command line; ``html`` also has sentences and bars."""
    if form == "html":
        return explanation_html(explanation)
    columns = explanation.to_columns() | {"rank": explanation.rank, "grade": explanation.grade}
    records: list[dict[str, Value]] = [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ]
    if not records:
        return ""
    return format_records([_plain(record) for record in records], form, places)


def _plain(record: dict[str, Any]) -> dict[str, Value]:
    """A record without numpy's scalars."""
    return {name: getattr(value, "item", lambda v=value: v)() for name, value in record.items()}


def _value(explanation: Explanation, name: str, places: int) -> str:
    return f" = {_number(explanation.terms[name], places)}" if name in explanation.terms else ""


def _table(explanation: Explanation, screen: Screen, places: int) -> list[str]:
    shown = _shown(explanation)
    if not shown:
        return []
    columns = [
        TextColumn("rank", [_rank(explanation, place) for place in shown]),
        TextColumn("document", [explanation.doc_ids[p] for p in shown], right=False, names=True),
        TextColumn("grade", [_grade(explanation, place) for place in shown]),
        *_factor_columns(explanation, shown, places),
        *_contribution_columns(explanation, shown, screen, places),
    ]
    kept, short = fitted(columns, screen.width, screen.signs.cut)
    lines = [line.rstrip() for line in written(kept)]
    hidden = [column.head for column in columns if column.head not in {k.head for k in kept}]
    if hidden:
        lines += wrapped(f"Not shown, for lack of space: {', '.join(hidden)}.", screen.width)
    lines += _with_texts(explanation, shown, screen)
    more = len(explanation.doc_ids) - len(shown)
    if more:
        lines.append(f"and {more} more documents (csv and jsonl have all)")
    return [*lines, *legend(short, screen.width)]


def _shown(explanation: Explanation) -> list[int]:
    """The documents in the table: the highest ranks, and the best of the missing ones."""
    top, every = explanation.top, len(explanation.doc_ids)
    missing = list(range(top, every))[: MOST_ROWS // 3 if top > MOST_ROWS else MOST_ROWS]
    return [*range(min(top, MOST_ROWS)), *missing]


def _rank(explanation: Explanation, place: int) -> str:
    rank = explanation.rank[place]
    return "-" if rank is None else str(rank)


def _grade(explanation: Explanation, place: int) -> str:
    grade = explanation.grade[place]
    return "?" if grade is None else str(grade)


def _factor_columns(explanation: Explanation, shown: list[int], places: int) -> list[TextColumn]:
    columns = []
    for number, (name, values) in enumerate(explanation.factors.items(), start=1):
        if all(isinstance(value, str) for value in values):
            cells = [_first_named(values[place]) for place in shown]
            columns.append(TextColumn(name, cells, right=False, names=True, optional=number))
        else:
            cells = [_number(values[place], places) for place in shown]
            columns.append(TextColumn(name, cells, optional=number))
    return columns


def _first_named(listed: str) -> str:
    """The first names of a list, and the number of the others."""
    parts = listed.split(", ")
    more = len(parts) - NAMED
    return listed if more <= 0 else f"{', '.join(parts[:NAMED])}, +{more}"


def _number(value: Any, places: int) -> str:
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.{places}f}" if places >= 0 else repr(value)
    return str(int(value))


def _contribution_columns(
    explanation: Explanation, shown: list[int], screen: Screen, places: int
) -> list[TextColumn]:
    if explanation.contribution is None:
        return []
    mark = "█" if screen.signs is UNICODE else "#"
    highest = max(float(explanation.share.max(initial=0.0)), 1e-300)
    bars = [mark * round(BAR_WIDTH * float(explanation.share[p]) / highest) for p in shown]
    added = [f"{float(explanation.contribution[place]):.{max(places, 0)}f}" for place in shown]
    return [TextColumn("adds", added), TextColumn("", bars, right=False)]


def _with_texts(explanation: Explanation, shown: list[int], screen: Screen) -> list[str]:
    """A line of text per document."""
    if not explanation.texts:
        return []
    lines = [
        f"{_rank(explanation, place)}{GAP}{shortened(explanation.texts[place])}" for place in shown
    ]
    return ["", "rank  text", *(line for text in lines for line in wrapped(text, screen.width))]
