"""The log of a judging campaign: its states, what was asked with forecasts, what was judged.

Judgments that people filled in are checked against it before they are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from ...common.escapes import spreadsheet_text
from ...common.validators import FRACTION, flag, integer, number_from, number_in
from ...common.writing import percent, shown
from ...exceptions import InputError, MistakesError
from ...io.columns import GRADE_LIMIT
from ...io.lines import read_number
from ...io.qrels_files import BATCH, JUDGMENTS, FilledRow
from .append_only import AppendOnlyFile
from .guarantee import Draws
from .pool import grade_scale

MOST_MISTAKES = 5  # rows that an error names, a choice

Convert = Callable[[Any], Any]
"""Returns a value as it is kept, or raises ValueError or TypeError."""


@dataclass(frozen=True)
class JudgingState:
    """The answer to the campaign's question, and how probable it is.

    Attributes
    ----------
    question : str
        'ranking', 'best', or the names of two systems, joined by a comma.
    claim : str
        What is probable: "ranking settled", "it is better".
    answer : str
        The best system, the better of two, or the ranking.
    probability : float
        The share of worlds in which the claim holds.
    level : float
        The claim is made where its probability is at least this.
    judged, pool : int
        Number of judged documents, and of all documents that the campaign may ask for.
    look : int
        Number of batches whose forecasts were compared with judgments.
    claimed : bool
        Whether the claim is made: it is probable enough, and it was seen how good forecasts are.

    See Also
    --------
    irx_measures.JudgingPlan : Its `state` is the campaign's.
    """

    question: str
    claim: str
    answer: str
    probability: float
    level: float
    judged: int
    pool: int
    look: int
    claimed: bool

    @property
    def settled(self) -> bool:
        """Whether judging can stop: the claim is made, or the pool is judged."""
        return self.claimed or self.judged == self.pool

    @property
    def summary(self) -> str:
        """The progress in one line."""
        judged = f"{self.judged} of {self.pool} judged ({percent(self.judged, self.pool)})"
        parts = [judged, f"P({self.claim}) {self.probability:.2f}"]
        if self.settled:
            parts.append("enough")
        elif self.probability >= self.level:
            parts.append("too early to stop")
        return "; ".join(parts)

    def __str__(self) -> str:
        return f"{self.answer}\n{self.summary}"


class Batch(NamedTuple):
    """Documents that are asked for together, the most useful first."""

    documents: list[tuple[str, str]]  # query id and document id of each
    forecasts: list[list[float]]  # (documents, grades), probabilities; empty in the first round
    grades: tuple[int, ...]
    systems: tuple[str, ...]
    measure: str
    state: JudgingState  # of the campaign when the batch was asked for
    draws: Draws | None = None  # what the guaranteed stop bets on the batch


class JudgingLog:
    """Batches and judgments in the order in which they came, in a file or in memory.

    The stopping rule compares forecasts that were made before the grades were known with the
    grades. So the log only grows, and survives what becomes of its writers. The file has JSON
    lines, and need not exist; without a path the log is in memory.
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self._file = AppendOnlyFile(None if path is None else Path(path))

    def add_batch(self, batch: Batch) -> None:
        """Append a batch before its documents are judged, if it is not the last one once more."""
        if self.batches()[-1:] != [batch]:
            draws = None if batch.draws is None else batch.draws._asdict()
            fields = {**batch._asdict(), "state": asdict(batch.state), "draws": draws}
            self._file.append(BATCH, {"time": _now(), **fields})

    def add_judgments(self, judgments: Iterable[tuple[str, str, int]]) -> None:
        """Append judgments: query id, document id and grade."""
        self._file.append(JUDGMENTS, {"time": _now(), "judgments": list(map(list, judgments))})

    def batches(self) -> list[Batch]:
        """The batches, the first one first; InputError with the line of a field that is wrong."""
        return [
            Batch(**_read(fields, batch_fields(fields), where))
            for where, fields in self._file.events(BATCH)
        ]

    def judgments(self) -> dict[tuple[str, str], int]:
        """The first grade of each document, by query id and document id; errors as of `batches`."""
        grades: dict[tuple[str, str], int] = {}
        for where, fields in self._file.events(JUDGMENTS):
            for query_id, doc_id, grade in _read(fields, GRADED, where)["judgments"]:
                grades.setdefault((query_id, doc_id), grade)
        return grades

    def locked(self) -> AbstractContextManager[object]:
        """A context in which no other process appends."""
        return self._file.locked()


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _list_of(kind: Convert, length: int | None = None) -> Convert:
    def convert(value: Any) -> list[Any]:
        if not isinstance(value, (list, tuple)) or length not in (None, len(value)):
            raise TypeError
        return [kind(each) for each in value]

    return convert


def _row_of(*kinds: Convert) -> Convert:
    return lambda value: tuple(kind(each) for kind, each in zip(kinds, value, strict=True))


COUNT, SHARE = integer(0).convert, number_in(0, 1, closed=True).convert
SUM, GRADE = number_from(0, closed=True).convert, integer(1 - GRADE_LIMIT, GRADE_LIMIT - 1).convert

DOCUMENTS = _list_of(_row_of(_text, _text))
GRADED = {"judgments": _list_of(_row_of(_text, _text, GRADE))}

STATE: dict[str, Convert] = {
    "question": _text, "claim": _text, "answer": _text, "probability": SHARE,
    "level": FRACTION.convert, "judged": COUNT, "pool": COUNT, "look": COUNT,
    "claimed": flag().convert,
}  # fmt: skip


def batch_fields(fields: Mapping[str, Any]) -> dict[str, Convert]:
    """What the fields of a batch must be; forecasts and draws are as many as its documents."""
    documents, grades = fields.get("documents"), fields.get("grades")
    asked = len(documents) if isinstance(documents, list) else None
    row = _list_of(SHARE, len(grades) if isinstance(grades, list) else None)
    draws: dict[str, Convert] = {
        "predicted": _list_of(SHARE, asked), "waiting": integer(0, asked).convert,
        "estimate": number_in(float("-inf"), float("inf"), closed=True).convert, "rest": SUM,
        "spread": SUM, "over": SHARE, "under": SHARE, "total": SUM,
    }  # fmt: skip
    return {
        "documents": DOCUMENTS,
        "grades": grade_scale,
        "forecasts": lambda value: [] if value == [] else _list_of(row, asked)(value),
        "systems": lambda value: tuple(_list_of(_text)(value)),
        "measure": _text,
        "state": lambda value: JudgingState(**_read(value, STATE)),
        "draws": lambda value: None if value is None else Draws(**_read(value, draws)),
    }


def _read(fields: Any, rules: Mapping[str, Convert], where: str = "") -> dict[str, Any]:
    """The fields that the rules name; InputError with the first one that is missing or wrong."""
    read = {}
    for name, convert in rules.items():
        value = fields.get(name) if isinstance(fields, dict) else None
        try:
            read[name] = convert(value)
        except (TypeError, ValueError):
            raise InputError(
                f"{where}: the field {name!r} is missing or wrong; got {shown(value)}"
            ) from None
    return read


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


Grades = Mapping[tuple[str, str], int]
"""Grades by query id and document id."""


class Added(NamedTuple):
    """The judgments that the qrels and that the log do not have yet.

    `waiting` is the number of documents without a grade, `rows` are the rows that have one.
    """

    to_qrels: Grades
    to_log: Grades
    waiting: int
    rows: list[FilledRow]


def added(rows: Iterable[FilledRow], log: JudgingLog, qrels: Grades) -> Added:
    """Check filled rows, and find what they add.

    MistakesError has a message for each of the first rows whose grade is not one of the log's,
    whose document the log did not ask for, or that contradicts another judgment. Where the qrels
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
    given: dict[tuple[str, str], int] = {}
    right: dict[tuple[str, str], FilledRow] = {}
    mistakes: list[str] = []
    waiting = wrong_rows = 0
    for row in rows:
        if not row.grade:
            waiting += 1
            continue
        pair = asked.get((row.query_id, row.doc_id), (row.query_id, row.doc_id))
        grade = _grade(row.grade, grades)
        other, _ = known.get(pair, (grade, ""))
        is_asked = pair in asked or pair in qrels
        if is_asked and grade is not None and grade == other:
            given[pair] = grade
            right[pair] = row
            known.setdefault(pair, (grade, f"at {row.where}"))
            continue
        wrong_rows += 1
        if len(mistakes) < MOST_MISTAKES:
            wrong = _mistake(pair, row.grade, grade, known.get(pair), grades)
            mistakes.append(f"{row.where}: {wrong}")
    if mistakes:
        raise MistakesError(mistakes, wrong_rows - len(mistakes))
    return Added(_new(given, qrels), _new(given, logged), waiting, list(right.values()))


def _new(given: Grades, known: Grades) -> Grades:
    """The given judgments of pairs that are not known."""
    return {pair: grade for pair, grade in given.items() if pair not in known}


def _mistake(
    pair: tuple[str, str],
    text: str,
    grade: int | None,
    other: tuple[int, str] | None,
    grades: tuple[int, ...],
) -> str:
    """What is wrong with a row: its grade, the judgment that it contradicts, or its document.

    `other` is that judgment with its place; None if the document was not asked for.
    """
    about = f"document {shown(pair[1])} of query {shown(pair[0])}"
    if grade is None:
        allowed = ", ".join(map(str, grades))
        return f"the grade of {about} must be one of {allowed}; got {shown(text)}"
    if other is None:
        return f"`irx judge next` did not ask for {about}"
    return (
        f"{about} has grade {grade}, but {other[0]} {other[1]} (judgments of two people go into "
        "two files of qrels, for `irx judge audit`)"
    )


def _grade(text: str, grades: tuple[int, ...]) -> int | None:
    """A grade of these; None for others. Spreadsheets may write 1.0 for 1."""
    try:
        value = read_number(text.encode(), float)
    except ValueError:
        return None
    return int(value) if value in grades else None
