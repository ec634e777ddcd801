"""Explanations as text: which documents the table for people has."""

import pytest

from irx_measures import explain
from irx_measures.reporting.explanation import explanation_output
from irx_measures.results.tables import FORMATS
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

RUN = {"q": {f"run{number:02}": 100.0 - number for number in range(60)}}
LACKED = {"q": {f"lacked{number:02}": 1 for number in range(50)}}


@pytest.mark.parametrize(
    ("cutoff", "lacked", "in_top", "missing"),
    [
        (5, 0, 5, 0),
        (5, 30, 5, 30),
        (5, 31, 5, 30),
        (30, 31, 30, 30),
        (31, 9, 30, 9),
        (31, 11, 30, 10),
        (50, 50, 30, 10),
    ],
)
def test_the_table_has_the_highest_ranks_and_the_best_of_the_missing(
    cutoff, lacked, in_top, missing
):
    qrels = {"q": dict(list(LACKED["q"].items())[:lacked]) | {"run00": 0}}
    why = explain(qrels, RUN, f"P@{cutoff}", None, "q", missing=True)
    assert len(why.doc_ids) == cutoff + lacked
    _, rows, notes = explanation_output(why, "table", 3).text.split("\n\n")
    shown = [row.split()[1] for row in rows.splitlines()[2:]]
    assert shown == [*why.doc_ids[:in_top], *why.doc_ids[cutoff : cutoff + missing]]
    left = cutoff + lacked - in_top - missing
    assert notes.startswith(f"And {left} more documents (csv and json have all)." if left else "-:")


def test_programs_get_every_document():
    why = explain(LACKED | {"x": {"d": 0}}, RUN, "P@50", None, "q", missing=True)
    for form in FORMATS.keys() - {"table"}:
        text = explanation_output(why, form, 3).text
        assert all(name.replace("_", r"\_") in text or name in text for name in why.doc_ids)
