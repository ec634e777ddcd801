"""An explanation of a score as text: sentences, a table of documents, and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ..common.names import first_words
from ..explaining.explanation import Explanation
from ..results.column import Column, cell_text
from ..results.output import Output
from ..results.tables import TextTable

BAR, BAR_WIDTH = "#", 8  # characters, a choice: the numbers beside the bars say the rest

MOST_ROWS = 30  # a choice: they fit a terminal of 40 lines with head and formula

LONGEST_TEXT = 120  # characters: the first 120, as in the report

LONGEST_LIST = 24  # characters, a choice: of many priors, the table has the first ones


def explanation_output(
    explanation: Explanation, form: str, places: int, listing: str = ""
) -> Output:
    """As ``table``, sentences and a table of some documents; else all documents.

    `listing` is what lists the missing documents, for a table without them.
    """
    if form != "table":
        return Output(form, [TextTable(explanation.columns(), places)])
    shown = _shown(explanation)
    said = _head(explanation, listing)
    notes = _notes(explanation, places, len(shown))
    if not shown:
        return Output(form, [], [*said, "", *notes])
    table = TextTable(_columns(explanation, shown), places, notes=notes)
    return Output(form, [table], said)


def _head(explanation: Explanation, listing: str) -> list[str]:
    """The sentences above the table."""
    said = [f"{explanation.summary}."]
    if explanation.query_text:
        said.append(f"query: {_beginning(explanation.query_text)}")
    hint = ""
    if listing and explanation.lacking and len(explanation.doc_ids) <= explanation.top:
        hint = f" {listing} lists them."
    said.append(f"{explanation.counts}.{hint}")
    return said


def _notes(explanation: Explanation, places: int, shown: int) -> list[str]:
    """The sentences below a table of so many documents."""
    notes = []
    more = len(explanation.doc_ids) - shown
    if more:
        notes.append(f"And {more} more documents (csv and json have all).")
    notes.append("-: not returned. ?: not judged.")
    for name, text in explanation.legend.items():
        note = f"{name}: {text}"
        if name in explanation.terms:
            note += f" = {_number(explanation.terms[name], places)}"
        notes.append(f"{note}.")
    return notes


def _shown(explanation: Explanation) -> list[int]:
    """The documents in the table: the highest ranks, and the best of the missing ones."""
    top, every = explanation.top, len(explanation.doc_ids)
    most_missing = MOST_ROWS // 3 if top > MOST_ROWS else MOST_ROWS
    missing = range(top, min(every, top + most_missing))
    return [*range(min(top, MOST_ROWS)), *missing]


def _columns(explanation: Explanation, rows: Sequence[int]) -> list[Column]:
    """The columns of these documents, as a table for people shows them.

    Their meanings stand in the notes, with those of the terms.
    """
    columns = []
    for column in explanation.columns():
        if column.name == "query_id":  # the sentence above names it
            continue
        values = [column.listed[row] for row in rows]
        columns.append(replace(_for_people(column, values), values=values))
        if column.name == "contribution":
            columns.append(Column("", None, _bars(explanation, rows), left=True))
    return columns


def _for_people(column: Column, values: Sequence[Any]) -> Column:
    """A column of an explanation, named and written for people; `values` are those shown."""
    if column.name == "rank":
        return replace(column, text=["-" if rank is None else str(rank) for rank in values])
    if column.name == "grade":
        return replace(column, text=["?" if grade is None else str(grade) for grade in values])
    if column.name == "doc_id":
        return replace(column, head="document", text=values, left=True)
    if column.name == "contribution":
        return replace(column, head="adds", text=partial(_decimals, values))
    if column.name == "text":
        return replace(column, text=[_beginning(text) for text in values])
    if all(isinstance(value, str) for value in column.listed):
        return replace(column, text=[first_words(value, LONGEST_LIST) for value in values])
    return replace(column, text=partial(_numbers, values), left=False)


def _bars(explanation: Explanation, rows: Sequence[int]) -> list[str]:
    """A bar for each document, as long as its share of the largest contribution."""
    shares = explanation.share
    highest = max(float(shares.max(initial=0.0)), 1e-300)
    return [BAR * round(BAR_WIDTH * share / highest) for share in shares[list(rows)].tolist()]


def _decimals(values: Sequence[float], places: int) -> list[str]:
    return [cell_text(value, places) for value in values]


def _numbers(values: Sequence[float], places: int) -> list[str]:
    """The cells of a column: whole numbers if all are whole."""
    if all(float(value).is_integer() for value in values):
        return [str(int(value)) for value in values]
    return _decimals([float(value) for value in values], places)


def _number(value: float, places: int) -> str:
    (text,) = _numbers([value], places)
    return text


def _beginning(text: str) -> str:
    return first_words(text, LONGEST_TEXT)
