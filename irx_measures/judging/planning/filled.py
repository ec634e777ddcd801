"""Judgments that people filled in, for the log and the qrels of a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...common.escapes import spreadsheet_text
from ...common.writing import shown
from ...exceptions import InputError, MistakesError
from ...io.lines import read_number
from ...io.qrels_files import FilledRow
from .log import JudgingLog

Grades = Mapping[tuple[str, str], int]
"""Grades by query id and document id."""


class Added(NamedTuple):
    """The judgments that the qrels and that the log do not have yet.

    `waiting` is the number of documents without a grade.
    """

    to_qrels: Grades
    to_log: Grades
    waiting: int


def added(rows: Iterable[FilledRow], log: JudgingLog, qrels: Grades) -> Added:
    """Check filled rows, and find what they add.

    MistakesError has a message for each row whose grade is not one of the log's, whose document the
    log did not ask for, or that contradicts another judgment. Where the qrels
    differ from the log, they count.
    """
    batches, logged = log.batches(), log.judgments()
    if not batches:
        raise InputError("`irx judge next` has not asked for a document yet")
    asked = {pair: pair for batch in batches for pair in batch.documents}
    # Ids as csv-safe spells them; ids themselves come first.
    asked = {(spreadsheet_text(q), spreadsheet_text(d)): (q, d) for q, d in asked} | asked
    grades = batches[-1].grades
    known = {pair: (grade, "in the log") for pair, grade in logged.items()}
    known |= {pair: (grade, "in the qrels") for pair, grade in qrels.items()}
    given, waiting, mistakes = {}, 0, []
    for row in rows:
        if not row.grade:
            waiting += 1
            continue
        pair = asked.get((row.query_id, row.doc_id), (row.query_id, row.doc_id))
        about = f"document {shown(pair[1])} of query {shown(pair[0])}"
        grade = _grade(row.grade, grades)
        other, place = known.get(pair, (grade, ""))
        if grade is None:
            allowed = ", ".join(map(str, grades))
            wrong = f"the grade of {about} must be one of {allowed}; got {shown(row.grade)}"
        elif not (pair in asked or pair in qrels):
            wrong = f"`irx judge next` did not ask for {about}"
        elif grade != other:
            wrong = (
                f"{about} has grade {grade}, but {other} {place} (judgments of two people go into "
                "two files of qrels, for `irx judge audit`)"
            )
        else:
            given[pair] = grade
            known.setdefault(pair, (grade, f"at {row.where}"))
            continue
        mistakes.append(f"{row.where}: {wrong}")
    if mistakes:
        raise MistakesError(mistakes)
    to_qrels, to_log = (
        {pair: grade for pair, grade in given.items() if pair not in of} for of in (qrels, logged)
    )
    return Added(to_qrels, to_log, waiting)


def _grade(text: str, grades: tuple[int, ...]) -> int | None:
    """A grade of these; None for others. Spreadsheets may write 1.0 for 1."""
    try:
        value = read_number(text.encode(), float)
    except ValueError:
        return None
    return int(value) if value in grades else None
