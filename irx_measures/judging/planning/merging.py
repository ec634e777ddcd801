"""Judgments that people filled in, merged into the log and the qrels of a campaign."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...common.escapes import spreadsheet_text
from ...common.writing import shown
from ...exceptions import InputError, MistakesError
from ...io.columns import GRADE_LIMIT
from ...io.numbers import read_float
from ...io.qrels_files import FilledRow
from .log import JudgingLog

Pair = tuple[str, str]

Grades = Mapping[Pair, int]


@dataclass
class Merged:
    """What files of judgments add to a campaign.

    Attributes
    ----------
    to_qrels, to_log
        The judgments that the qrels and that the log do not have yet, by query id and document id.
    waiting : int
        Number of documents without a grade.
    """

    to_qrels: dict[Pair, int] = field(default_factory=dict)
    to_log: dict[Pair, int] = field(default_factory=dict)
    waiting: int = 0


def merge(
    rows: Iterable[FilledRow], log: JudgingLog, qrels: Grades, unasked: bool = False
) -> Merged:
    """Check filled rows, and find what they add.

    Parameters
    ----------
    rows
    log
        It says which documents were asked for, and which grades they may have.
    qrels
        The judgments so far; where they differ from those of the log, they count.
    unasked
        Whether to take judgments of documents that were not asked for.

    Raises
    ------
    MistakesError
        When a grade is not one of the log's, a document was not asked for, or judgments contradict
        each other; a message for each row.
    """
    batches, logged, merged = log.batches(), log.judgments(), Merged()
    asked = {pair: pair for batch in batches for pair in batch.documents}
    # Ids as csv-safe spells them; ids themselves come first.
    asked = {(spreadsheet_text(q), spreadsheet_text(d)): (q, d) for q, d in asked} | asked
    grades = batches[-1].grades if batches else None
    known = {pair: (grade, "in the log") for pair, grade in logged.items()}
    known |= {pair: (grade, "in the qrels") for pair, grade in qrels.items()}
    mistakes = []
    for row in rows:
        if not row.grade:
            merged.waiting += 1
            continue
        pair = asked.get((row.query_id, row.doc_id), (row.query_id, row.doc_id))
        try:
            grade = _grade(row, grades)
            if not (unasked or pair in asked or pair in qrels):
                raise InputError(
                    f"{row.where}: `irx judge next` did not ask for document {shown(pair[1])} of "
                    f"query {shown(pair[0])} (--unasked takes it nevertheless)"
                )
            other, place = known.setdefault(pair, (grade, f"at {row.where}"))
            if grade != other:
                raise InputError(
                    f"{row.where}: document {shown(pair[1])} of query {shown(pair[0])} has grade "
                    f"{grade}, but {other} {place} (judgments of two people go into two files of "
                    "qrels, for `irx judge audit`)"
                )
        except InputError as mistake:
            mistakes.append(str(mistake))
            continue
        if pair not in qrels:
            merged.to_qrels[pair] = grade
        if pair not in logged:
            merged.to_log[pair] = grade
    if mistakes:
        raise MistakesError(mistakes)
    return merged


def _grade(row: FilledRow, grades: tuple[int, ...] | None) -> int:
    """The grade of a row; spreadsheets may write 1.0 for 1."""
    try:
        value = read_float(row.grade.encode())
    except ValueError:
        value = math.nan
    is_grade = value.is_integer() if grades is None else value in grades
    if not is_grade or abs(value) >= GRADE_LIMIT:
        allowed = "a whole number" if grades is None else f"one of {', '.join(map(str, grades))}"
        raise InputError(
            f"{row.where}: the grade of document {shown(row.doc_id)} of query "
            f"{shown(row.query_id)} must be {allowed}; got {shown(row.grade)}"
        )
    return int(value)
