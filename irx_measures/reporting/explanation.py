"""An explanation of a score as text: sentences, a table of documents, and a legend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..common.names import first_words
from ..common.screen import on_screen, sentence
from ..common.tables import Column, TextTable, cell_text, write
from ..explaining.explanation import Explanation

BAR, BAR_WIDTH = "#", 8  # characters, a choice: the numbers beside the bars say the rest

MOST_ROWS = 30  # a choice: they fit a terminal of 40 lines with head and formula

LONGEST_TEXT = 120  # characters: the first 120, as in the report

LONGEST_LIST = 24  # characters, a choice: of many priors, the table has the first ones


def explanation_text(explanation: Explanation, places: int) -> str:
    """Sentences and a table of the documents."""
    said = [
        f"{explanation.summary}.",
        *([f"query: {_beginning(explanation.query_text)}"] if explanation.query_text else []),
        " ".join([f"{explanation.counts}.", *_hint(explanation)]),
    ]
    shown = _shown(explanation)
    notes = [
        *_left_out(explanation, len(shown)),
        "-: not returned. ?: not judged.",
        *(
            f"{name}: {text}{_value(explanation, name, places)}."
            for name, text in explanation.legend.items()
        ),
    ]
    if not shown:
        return "\n".join([*map(sentence, said), "", *map(sentence, notes), ""])
    table = TextTable([*_columns(explanation, shown, places)], places, notes=notes)
    return "\n".join([*map(sentence, said), "", on_screen(table)])


def explanation_records(explanation: Explanation, form: str, places: int) -> str:
    """All documents, in a format of the command line."""
    columns = explanation.to_columns() | {"rank": explanation.rank, "grade": explanation.grade}
    return write(TextTable.of(columns, places), form)


def _value(explanation: Explanation, name: str, places: int) -> str:
    return f" = {_number(explanation.terms[name], places)}" if name in explanation.terms else ""


def _hint(explanation: Explanation) -> list[str]:
    listed = len(explanation.doc_ids) > explanation.top
    return ["--missing lists them."] if explanation.lacking and not listed else []


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


def _columns(explanation: Explanation, shown: list[int], places: int) -> Iterator[Column]:
    yield Column("rank", None, [_rank(explanation, place) for place in shown], key=True, left=False)
    yield Column("document", [explanation.doc_ids[place] for place in shown], key=True)
    yield _numbers_column("grade", [_grade(explanation, place) for place in shown])
    for name, values in explanation.factors.items():
        found = [values[place] for place in shown]
        if all(isinstance(value, str) for value in values):
            yield Column(name, [first_words(value, LONGEST_LIST) for value in found])
        else:
            yield _numbers_column(name, _numbers(found, places))
    if explanation.contribution is not None:
        added = [cell_text(float(explanation.contribution[place]), places) for place in shown]
        yield _numbers_column("adds", added)
        highest = max(float(explanation.share.max(initial=0.0)), 1e-300)
        shares = [round(BAR_WIDTH * float(explanation.share[place]) / highest) for place in shown]
        yield Column("", None, [BAR * share for share in shares], left=True)
    if explanation.texts:
        yield Column("text", [_beginning(explanation.texts[place]) for place in shown])


def _numbers_column(name: str, cells: list[str]) -> Column:
    return Column(name, None, cells, left=False)


def _numbers(values: list[Any], places: int) -> list[str]:
    """The cells of a column: whole numbers if all are whole."""
    if all(float(value).is_integer() for value in values):
        return [str(int(value)) for value in values]
    return [cell_text(float(value), places) for value in values]


def _number(value: float, places: int) -> str:
    return _numbers([value], places)[0]


def _left_out(explanation: Explanation, shown: int) -> list[str]:
    more = len(explanation.doc_ids) - shown
    return [f"And {more} more documents (csv and json have all)."] if more else []


def _beginning(text: str) -> str:
    return first_words(text, LONGEST_TEXT)
