"""The records of a judging log: states and batches, and how they are read from JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

from ...common.validators import FRACTION, flag, integer, number_from, number_in
from ...common.writing import percent, shown
from ...exceptions import InputError
from ...io.columns import GRADE_LIMIT
from .guarantee import Draws
from .pool import grade_scale

Read = TypeVar("Read")

Pair = tuple[str, str]
"""A query id and a document id."""

COUNT = integer(0).convert
SHARE = number_in(0, 1, closed=True).convert
SUM = number_from(0, closed=True).convert
REAL = number_in(float("-inf"), float("inf"), closed=True).convert
GRADE = integer(1 - GRADE_LIMIT, GRADE_LIMIT - 1).convert


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

    @classmethod
    def of(cls, record: Record) -> Batch:
        """From a record of the log; InputError with the first field that is wrong."""
        documents = record.read("documents", _pairs)
        grades = record.read("grades", grade_scale)
        forecasts = record.read(
            "forecasts", lambda value: _forecasts(value, len(documents), len(grades))
        )
        return cls(
            documents=documents,
            forecasts=forecasts,
            grades=grades,
            systems=tuple(record.read("systems", lambda value: _list(value, _text))),
            measure=record.read("measure", _text),
            state=record.read("state", lambda value: _state(Record(value))),
            draws=record.read("draws", lambda value: _draws(value, len(documents))),
        )

    @property
    def fields(self) -> dict[str, Any]:
        """The batch as JSON holds it."""
        fields = {**self._asdict(), "state": asdict(self.state)}
        if self.draws is not None:
            fields["draws"] = self.draws._asdict()
        return fields


class Judgment(NamedTuple):
    """A grade that a person gave."""

    query_id: str
    doc_id: str
    grade: int

    @classmethod
    def of(cls, value: Any) -> Judgment:
        query_id, doc_id, grade = value
        return cls(_text(query_id), _text(doc_id), GRADE(grade))


def judgments_of(record: Record) -> list[Judgment]:
    """The judgments in a record of the log; InputError if one is wrong."""
    return record.read("judgments", lambda value: _list(value, Judgment.of))


class Record:
    """A JSON object that was read; errors name the place where it stands, and the field."""

    def __init__(self, fields: Any, where: str = "") -> None:
        self._fields = fields
        self._where = where

    def read(self, name: str, convert: Callable[[Any], Read]) -> Read:
        """The value of a field, converted; InputError if it is missing or wrong.

        `convert` raises a TypeError or a ValueError for a wrong value.
        """
        value = self._fields.get(name) if isinstance(self._fields, dict) else None
        try:
            return convert(value)
        except (TypeError, ValueError):
            raise InputError(
                f"{self._where}: the field {name!r} is missing or wrong; got {shown(value)}"
            ) from None


def _state(record: Record) -> JudgingState:
    return JudgingState(
        question=record.read("question", _text),
        claim=record.read("claim", _text),
        answer=record.read("answer", _text),
        probability=record.read("probability", SHARE),
        level=record.read("level", FRACTION.convert),
        judged=record.read("judged", COUNT),
        pool=record.read("pool", COUNT),
        look=record.read("look", COUNT),
        claimed=record.read("claimed", flag().convert),
    )


def _draws(value: Any, documents: int) -> Draws | None:
    """What was bet on so many documents."""
    if value is None:
        return None
    record = Record(value)
    return Draws(
        predicted=record.read("predicted", lambda value: _list(value, SHARE, documents)),
        waiting=record.read("waiting", integer(0, documents).convert),
        estimate=record.read("estimate", REAL),
        rest=record.read("rest", SUM),
        spread=record.read("spread", SUM),
        over=record.read("over", SHARE),
        under=record.read("under", SHARE),
        total=record.read("total", SUM),
    )


def _forecasts(value: Any, documents: int, grades: int) -> list[list[float]]:
    """A probability of each grade of each document; empty in the first round."""
    if value == []:
        return []
    return _list(value, lambda row: _list(row, SHARE, grades), documents)


def _pairs(value: Any) -> list[Pair]:
    return _list(value, _pair)


def _pair(value: Any) -> Pair:
    query_id, doc_id = value
    return _text(query_id), _text(doc_id)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _list(value: Any, convert: Callable[[Any], Read], length: int | None = None) -> list[Read]:
    """A list, of this length if one is given, with its values converted."""
    if not isinstance(value, (list, tuple)):
        raise TypeError
    if length is not None and len(value) != length:
        raise ValueError
    return [convert(each) for each in value]
