"""Judgments that people filled in, merged into the log and the qrels of a campaign."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ...common.writing import PLAIN, counted, shown
from ...exceptions import InputError, MistakesError
from ...io.columns import GRADE_LIMIT
from ...io.judged_files import FilledRow
from ...io.numbers import read_float
from ...stats.agreement import confusion
from ..agreement import Agreement
from .log import Judged, JudgingLog

Pair = tuple[str, str]

Grades = Mapping[Pair, int]


@dataclass
class Merged:
    """What files of judgments add to a campaign.

    Attributes
    ----------
    opinions
        By judge, the judgments that the log does not have yet.
    new
        The judgments of documents that the qrels do not judge; of several judges, the first one's.
    waiting : int
        Number of documents without a grade.
    """

    opinions: dict[str | None, list[tuple[str, str, int]]] = field(default_factory=dict)
    new: dict[Pair, int] = field(default_factory=dict)
    waiting: int = 0


def merge(
    rows: Iterable[FilledRow],
    log: JudgingLog,
    qrels: Grades,
    judge: str | None = None,
    unasked: bool = False,
) -> Merged:
    """Check filled rows, and find what they add.

    A judge who is named may differ from other judges: the first judgment counts, and the log has
    all of them. Without a name, a judgment may differ from no other.

    Parameters
    ----------
    rows
    log
        It says which documents were asked for, and which grades they may have.
    qrels
        The judgments so far.
    judge
        Who judged; a row that names somebody else was judged by that person.
    unasked
        Whether to take judgments of documents that were not asked for.

    Raises
    ------
    MistakesError
        When a grade is not one of the log's, a document was not asked for, or judgments contradict
        each other; a message for each row.
    """
    batches, merged = log.batches(), Merged()
    asked = {pair for batch in batches for pair in batch.documents}
    grades = batches[-1].grades if batches else None
    known = _Known(qrels, log.opinions())
    mistakes = []
    for row in rows:
        if not row.grade:
            merged.waiting += 1
            continue
        try:
            grade = _grade(row, grades)
            pair = row.query_id, row.doc_id
            if not (unasked or pair in asked or pair in qrels):
                raise InputError(
                    f"{row.where}: `irx judge next` did not ask for document {shown(pair[1])} of "
                    f"query {shown(pair[0])} (--unasked takes it nevertheless)"
                )
            by = row.judge or judge
            if known.add(row.where, pair, grade, by):
                merged.opinions.setdefault(by, []).append((*pair, grade))
            if pair not in qrels:
                merged.new.setdefault(pair, grade)
        except InputError as mistake:
            mistakes.append(str(mistake))
    if mistakes:
        raise MistakesError(mistakes)
    return merged


class _Known:
    """The judgments so far: who judged what, and where this is written."""

    def __init__(self, qrels: Grades, opinions: Iterable[Judged]) -> None:
        self._qrels = qrels
        self._by: dict[Pair, dict[str | None, tuple[int, str]]] = {}
        for query_id, doc_id, grade, judge in opinions:
            self._by.setdefault((query_id, doc_id), {}).setdefault(judge, (grade, "in the log"))

    def add(self, where: str, pair: Pair, grade: int, judge: str | None) -> bool:
        """Add a judgment; False if it is known, for one without a name: from anybody."""
        by = self._by.setdefault(pair, {})
        others = [by[judge]] if judge in by else []
        if judge is None:
            others += by.values()
            others += [(self._qrels[pair], "in the qrels")] if pair in self._qrels else []
        for other, place in others:
            if other != grade:
                raise InputError(
                    f"{where}: document {shown(pair[1])} of query {shown(pair[0])} has grade "
                    f"{grade}, but {other} {place}"
                    f"{'' if judge else ' (if somebody else judged it, name both with --judge)'}"
                )
        is_new = judge not in by if judge else not by
        by.setdefault(judge, (grade, f"at {where}"))
        return is_new


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


def agreements(opinions: Iterable[Judged]) -> Iterator[tuple[str, Agreement]]:
    """Each two judges who judged documents in common: the name of one, and how the other agrees."""
    by: dict[str | None, dict[Pair, int]] = {}
    for query_id, doc_id, grade, judge in opinions:
        by.setdefault(judge, {}).setdefault((query_id, doc_id), grade)
    for first, second in combinations(by, 2):
        common = [pair for pair in by[first] if pair in by[second]]
        if common:
            grades = (np.array([by[judge][pair] for pair in common]) for judge in (first, second))
            yield _name(first), Agreement(_name(second), *confusion(*grades), 1, 1)


def agreement_lines(opinions: Iterable[Judged]) -> Iterator[str]:
    """A sentence for each two judges who judged documents in common."""
    for first, agreement in agreements(opinions):
        yield (
            f"{first} and {agreement.judge} judged {counted(agreement.pair_count, 'document')} in "
            f"common: {agreement.equal:.0%} with the same grade, quadratic kappa "
            f"{PLAIN.number(agreement.kappa_quadratic)}"
        )


def _name(judge: str | None) -> str:
    return "unnamed" if judge is None else judge


def edits(judgments: Grades, qrels: Grades) -> list[str]:
    """How qrels differ from the judgments in the log: a sentence for each kind of difference."""
    only_qrels = len(qrels.keys() - judgments.keys())
    only_log = len(judgments.keys() - qrels.keys())
    changed = sum(qrels.get(pair, grade) != grade for pair, grade in judgments.items())
    sentences = []
    if only_qrels:
        sentences.append(
            f"in the qrels only: {counted(only_qrels, 'judgment')} (from before the log, or by "
            "hand); they count"
        )
    if only_log:
        sentences.append(
            f"in the log only: {counted(only_log, 'judgment')} (removed from the qrels by hand); "
            "they count"
        )
    if changed:
        sentences.append(
            f"with another grade in the qrels than in the log: {counted(changed, 'judgment')}; the "
            "qrels count"
        )
    return sentences
