"""An explanation of a score as text: sentences, a table of documents, and a legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
        columns = _columns(explanation, range(len(explanation.doc_ids)))
        return Output(form, [TextTable([*columns], places)])
    every, shown = len(explanation.doc_ids), _shown(explanation)
    said, notes = [f"{explanation.summary}."], []
    if explanation.query_text:
        said.append(f"query: {_beginning(explanation.query_text)}")
    hint = ""
    if listing and explanation.lacking and every <= explanation.top:
        hint = f" {listing} lists them."
    said.append(f"{explanation.counts}.{hint}")
    if every > len(shown):
        notes.append(f"And {every - len(shown)} more documents (csv and json have all).")
    notes.append("-: not returned. ?: not judged.")
    for name, text in explanation.legend.items():
        term = [explanation.terms[name]] if name in explanation.terms else []
        notes.append(" = ".join([f"{name}: {text}", *_numbers(term, places)]) + ".")
    if not shown:
        return Output(form, [], [*said, "", *notes])
    table = TextTable([*_columns(explanation, shown)], places, notes=notes)
    return Output(form, [table], said)


def _shown(explanation: Explanation) -> list[int]:
    """The documents in the table: the highest ranks, and the best of the missing ones."""
    top, every = explanation.top, len(explanation.doc_ids)
    missing = list(range(top, every))[: MOST_ROWS // 3 if top > MOST_ROWS else MOST_ROWS]
    return [*range(min(top, MOST_ROWS)), *missing]


def _columns(explanation: Explanation, rows: Sequence[int]) -> Iterator[Column]:
    """The columns of these documents."""

    def of(values: Sequence[Any]) -> list[Any]:
        return [values[row] for row in rows]

    rank, doc_ids, grade = map(of, (explanation.rank, explanation.doc_ids, explanation.grade))
    queries = [explanation.query_id] * len(rows)
    texts = ["-" if each is None else str(each) for each in rank]
    yield Column("query_id", queries, meaning="the query", shown=False)
    ranked = "the rank at which the run returns the document; missing if it does not"
    yield Column("rank", rank, texts, ranked, key=True, left=False)
    yield Column("doc_id", doc_ids, meaning="the document", head="document", key=True, left=True)
    texts = ["?" if each is None else str(each) for each in grade]
    yield Column("grade", grade, texts, "the grade; missing if nobody judged", left=False)
    for name, values in explanation.factors.items():
        found = of(values)
        if all(isinstance(value, str) for value in values):
            yield Column(name, found, [first_words(value, LONGEST_LIST) for value in found])
        else:
            yield Column(name, found, partial(_numbers, found), left=False)
    if explanation.contribution is not None:
        added = of(explanation.contribution.tolist())
        cells = partial(_decimals, added)
        adds = "what the document adds to the score"
        yield Column("contribution", added, cells, adds, head="adds", left=False)
        highest = max(float(explanation.share.max(initial=0.0)), 1e-300)
        shares = [round(BAR_WIDTH * share / highest) for share in of(explanation.share.tolist())]
        yield Column("", None, [BAR * share for share in shares], left=True)
    if explanation.texts:
        found = of(explanation.texts)
        yield Column("text", found, list(map(_beginning, found)))


def _decimals(values: Sequence[float], places: int) -> list[str]:
    return [cell_text(value, places) for value in values]


def _numbers(values: list[Any], places: int) -> list[str]:
    """The cells of a column: whole numbers if all are whole."""
    if all(float(value).is_integer() for value in values):
        return [str(int(value)) for value in values]
    return _decimals(list(map(float, values)), places)


def _beginning(text: str) -> str:
    return first_words(text, LONGEST_TEXT)
