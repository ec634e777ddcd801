"""The log of a judging campaign: its states, what was asked with forecasts, what was judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...common.validators import FRACTION, flag, integer, number_from, number_in, optional
from ...common.writing import percent, shown
from ...exceptions import InputError
from ...io.append_only import AppendOnlyFile
from ...io.columns import GRADE_LIMIT
from .guarantee import Draws
from .pool import grade_scale

BATCH, JUDGMENTS = "batch", "judgments"

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
    remaining : int, optional
        About how many more judgments settle the claim, by extrapolation; None if it is not known.
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
    remaining: int | None = None

    @property
    def settled(self) -> bool:
        """Whether judging can stop: the claim is made, or the pool is judged."""
        return self.claimed or self.judged == self.pool

    @property
    def summary(self) -> str:
        """The progress in one line."""
        if self.settled:
            to_go = "enough"
        elif self.probability >= self.level:
            to_go = "too early to stop"
        else:
            to_go = "" if self.remaining is None else f"about {self.remaining} to go"
        parts = [
            f"{self.judged} of {self.pool} judged ({percent(self.judged, self.pool)})",
            f"P({self.claim}) {self.probability:.2f}",
            to_go,
        ]
        return "; ".join(part for part in parts if part)

    def __str__(self) -> str:
        return f"{self.answer}\n{self.summary}"


SMALLEST = 1e-3  # probabilities of 0 and 1 in a few hundred worlds have no finite logit
LOOKS = 4  # the last looks show the trend: a choice


def remaining(looks: Sequence[JudgingState]) -> int | None:
    """About how many more judgments raise the probability to the level.

    The logit of the probability grows about linearly with the number of judgments; the slope of the
    last looks, the latest last, is extrapolated. None with fewer than 3 looks, without a trend
    upwards, where the level is reached, or if the pool has fewer documents.
    """
    now = looks[-1]
    chance = np.clip([look.probability for look in looks[-LOOKS:]], SMALLEST, 1 - SMALLEST)
    judged = np.array([look.judged for look in looks[-LOOKS:]], np.float64)
    if len(judged) < 3 or np.ptp(judged) == 0:
        return None
    logit = np.log(chance / (1 - chance))
    slope = float(np.polyfit(judged, logit, 1)[0])
    missing = np.log(now.level / (1 - now.level)) - logit[-1]
    if slope <= 0 or missing <= 0 or missing / slope > now.pool - now.judged:
        return None
    return int(np.ceil(missing / slope))


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
            judged = _read(fields, {"judgments": _list_of(_judgment)}, where)["judgments"]
            for query_id, doc_id, grade in judged:
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


def _pair(value: Any) -> tuple[str, str]:
    query_id, doc_id = value
    return _text(query_id), _text(doc_id)


def _judgment(value: Any) -> tuple[str, str, int]:
    query_id, doc_id, grade = value
    return _text(query_id), _text(doc_id), integer(1 - GRADE_LIMIT, GRADE_LIMIT - 1).convert(grade)


COUNT, SHARE = integer(0).convert, number_in(0, 1, closed=True).convert
SUM = number_from(0, closed=True).convert

STATE: dict[str, Convert] = {
    "question": _text, "claim": _text, "answer": _text, "probability": SHARE,
    "level": FRACTION.convert, "judged": COUNT, "pool": COUNT, "look": COUNT,
    "claimed": flag().convert, "remaining": optional(integer(1)).convert,
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
        "documents": _list_of(_pair),
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
