"""The log of a judging campaign: what was asked with which forecasts, and what was judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from ...common.validators import (
    FRACTION,
    Allowed,
    flag,
    integer,
    number_from,
    number_in,
    optional,
)
from ...exceptions import InputError
from ...io.append_only import AppendOnlyFile
from ...io.columns import GRADE_LIMIT
from .pool import grade_scale
from .state import JudgingState

BATCH, JUDGMENTS = "batch", "judgments"


class LoggedBatch(NamedTuple):
    """Documents that were asked for together.

    Attributes
    ----------
    documents : list of pairs
        Query id and document id of each.
    forecasts : list of lists
        The probability of each grade, for each document; empty in the first round.
    grades : tuple of int
        The grades.
    systems : tuple of str
    measure : str
    state : JudgingState
        The campaign when the batch was asked for.
    draws : dict, optional
        The fields of `guarantee.Draws`, without the documents.
    """

    documents: list[tuple[str, str]]
    forecasts: list[list[float]]
    grades: tuple[int, ...]
    systems: tuple[str, ...]
    measure: str
    state: JudgingState
    draws: dict[str, Any] | None = None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _list_of(kind: Allowed, what: str, length: int | None = None) -> Allowed:
    def convert(value: Any) -> list[Any]:
        if not isinstance(value, (list, tuple)) or length not in (None, len(value)):
            raise ValueError(value)
        try:
            return [kind.convert(each) for each in value]
        except (ValueError, TypeError):
            raise ValueError(value) from None

    return Allowed(f"be a list of {what}", convert)


def _judgment(value: Any) -> tuple[str, str, int]:
    query_id, doc_id, grade = value
    return _text(query_id), _text(doc_id), GRADE.convert(grade)


TEXT = Allowed("be a text", _text)
NAMES = _list_of(TEXT, "names")
DOCUMENTS = _list_of(_list_of(TEXT, "", 2), "pairs of a query id and a document id")
GRADE = integer(1 - GRADE_LIMIT, GRADE_LIMIT - 1)
SHARE = number_in(0, 1, closed=True)
SHARES = _list_of(SHARE, "probabilities")
FINITE = number_in(float("-inf"), float("inf"), closed=True)
POSITIVE = number_from(0, closed=True)

STATE = {
    "question": TEXT, "claim": TEXT, "answer": TEXT, "probability": SHARE, "level": FRACTION,
    "judged": integer(0), "pool": integer(0), "look": integer(0), "claimed": flag(),
    "remaining": optional(integer(1)),
}  # fmt: skip

DRAWS = {
    "predicted": SHARES, "waiting": integer(0), "estimate": FINITE, "rest": POSITIVE,
    "spread": POSITIVE, "over": SHARE, "under": SHARE, "total": POSITIVE,
}  # fmt: skip

WHOLE = {
    "documents": DOCUMENTS, "grades": _list_of(GRADE, "grades"), "systems": NAMES, "measure": TEXT,
    "forecasts": _list_of(Allowed("", lambda value: value), "probabilities"),
}  # fmt: skip

JUDGED = {
    "judgments": _list_of(Allowed("", _judgment), "query id, document id and grade of documents")
}


class JudgingLog:
    """Batches and judgments in the order in which they came, in a file or in memory.

    The stopping rule compares forecasts that were made before the grades were known with the
    grades. So the log only grows, and survives what becomes of its writers.

    Parameters
    ----------
    path
        A file of JSON lines, which need not exist; None keeps the log in memory.
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self._file = AppendOnlyFile(None if path is None else Path(path))

    def add_batch(self, batch: LoggedBatch) -> None:
        """Append a batch before its documents are judged, if it is not the last one once more."""
        if self.batches()[-1:] != [batch]:
            fields = {**batch._asdict(), "state": asdict(batch.state)}
            self._file.append(BATCH, {"time": _now(), **fields})

    def add_judgments(self, judgments: Iterable[tuple[str, str, int]]) -> None:
        """Append judgments: query id, document id and grade."""
        self._file.append(JUDGMENTS, {"time": _now(), "judgments": list(map(list, judgments))})

    def batches(self) -> list[LoggedBatch]:
        """The batches, the first one first."""
        return self._read(BATCH, _batch)

    def judgments(self) -> dict[tuple[str, str], int]:
        """The first grade of each document, by query id and document id."""
        grades: dict[tuple[str, str], int] = {}
        for event in self._read(JUDGMENTS, lambda fields: _checked(fields, JUDGED)["judgments"]):
            for query_id, doc_id, grade in event:
                grades.setdefault((query_id, doc_id), grade)
        return grades

    def locked(self) -> AbstractContextManager[int]:
        """A context in which no other process appends."""
        return self._file.locked()

    def _read(self, name: str, read: Callable[[Mapping[str, Any]], Any]) -> list[Any]:
        events = []
        for where, fields in self._file.events(name):
            try:
                events.append(read(fields))
            except (InputError, TypeError) as error:
                # `grades` is a parameter; 'grades' is a field.
                raise InputError(f"{where}: {error}".replace("`", "'")) from None
        return events


def _checked(fields: Any, rules: Mapping[str, Allowed]) -> dict[str, Any]:
    """The fields that the rules name; the error has the first one that is missing or wrong."""
    for name in rules:
        if not isinstance(fields, dict) or name not in fields:
            raise InputError(f"the field {name!r} is missing")
    return {name: rule.check(name, fields[name]) for name, rule in rules.items()}


def _batch(fields: Mapping[str, Any]) -> LoggedBatch:
    batch = _checked(fields, WHOLE)
    documents, scale = list(map(tuple, batch["documents"])), grade_scale(batch["grades"])
    row = _list_of(SHARE, "", len(scale))
    of_each = _list_of(row, f"{len(scale)} probabilities for each document", len(documents))
    forecasts, draws = batch["forecasts"], fields.get("draws")
    return LoggedBatch(
        documents,
        forecasts and of_each.check("forecasts", forecasts),
        scale,
        tuple(batch["systems"]),
        batch["measure"],
        JudgingState(**_checked(fields.get("state"), STATE)),
        None if draws is None else _draws(draws, len(documents)),
    )


def _draws(fields: Any, documents: int) -> dict[str, Any]:
    draws = _checked(fields, DRAWS)
    predicted: Sequence[float] = draws["predicted"]
    if len(predicted) != documents or draws["waiting"] > documents:
        raise InputError(f"`predicted` must be of {documents} documents; got {len(predicted)}")
    return draws


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
