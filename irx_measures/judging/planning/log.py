"""The log of a judging campaign: what was asked with which forecasts, and who judged what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ...exceptions import InputError
from ...io.append_only import AppendOnlyFile, Event
from .state import JudgingState

BATCH, JUDGMENTS = "batch", "judgments"

Read = TypeVar("Read")


class Batch(NamedTuple):
    """Documents that were asked for together.

    Attributes
    ----------
    documents : list of pairs
        Query id and document id of each.
    forecasts : list of lists
        The probability of each grade, for each document; empty in the first batches.
    grades : tuple of int
        The grades.
    state : JudgingState
        The campaign when the batch was asked for.
    systems : tuple of str
    sums : tuple of float, optional
        What a decision with a guarantee needs to resume; see `guaranteed.DrawSums`.
    """

    documents: list[tuple[str, str]]
    forecasts: list[list[float]]
    grades: tuple[int, ...]
    state: JudgingState
    systems: tuple[str, ...]
    sums: tuple[float, ...] | None = None


class Judged(NamedTuple):
    """A judgment in the log; `judge` is None if no name was given."""

    query_id: str
    doc_id: str
    grade: int
    judge: str | None


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

    def add_batch(
        self,
        documents: Sequence[tuple[str, str]],
        forecasts: Sequence[Sequence[float]],
        grades: Sequence[int],
        state: JudgingState,
        systems: Sequence[str],
        sums: Sequence[float] | None = None,
    ) -> None:
        """Append a batch, before its documents are judged; see `Batch`.

        The last batch, asked for again, is not appended again.
        """
        fields: dict[str, Any] = {
            "documents": [list(pair) for pair in documents],
            "forecasts": [list(chances) for chances in forecasts],
            "grades": list(grades),
            "state": asdict(state),
            "systems": list(systems),
        }
        if sums is not None:
            fields["sums"] = list(sums)
        if self.batches()[-1:] == [_batch(fields)]:
            return
        self._file.append(BATCH, {"time": _now(), **fields})

    def add_judgments(
        self, judgments: Iterable[tuple[str, str, int]], judge: str | None = None
    ) -> None:
        """Append judgments of one judge: query id, document id and grade."""
        rows = [list(row) for row in judgments]
        self._file.append(JUDGMENTS, {"time": _now(), "judge": judge, "judgments": rows})

    def batches(self) -> list[Batch]:
        """The batches, the first one first."""
        return self._read(BATCH, _batch)

    def states(self) -> list[JudgingState]:
        """The state of the campaign before each batch."""
        return [batch.state for batch in self.batches()]

    def opinions(self) -> list[Judged]:
        """All judgments with their judges; several judges may have judged a document."""
        return [one for event in self._read(JUDGMENTS, _judgments) for one in event]

    def judgments(self) -> list[tuple[str, str, int]]:
        """The first judgment of each document: query id, document id and grade."""
        first: dict[tuple[str, str], int] = {}
        for one in self.opinions():
            first.setdefault((one.query_id, one.doc_id), one.grade)
        return [(query_id, doc_id, grade) for (query_id, doc_id), grade in first.items()]

    def locked(self) -> AbstractContextManager[int]:
        """A context in which no other process appends."""
        return self._file.locked()

    def _read(self, name: str, read: Callable[[dict[str, Any]], Read]) -> list[Read]:
        return list(_each(self._file.events(name), read))


def _each(events: Iterable[Event], read: Callable[[dict[str, Any]], Read]) -> Iterator[Read]:
    for where, fields in events:
        try:
            yield read(fields)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{where}: the fields of a {fields['event']!r} line must be as this version writes "
                f"them; got {type(error).__name__}: {error}"
            ) from None


def _batch(fields: dict[str, Any]) -> Batch:
    return Batch(
        [(str(query_id), str(doc_id)) for query_id, doc_id in fields["documents"]],
        [list(map(float, chances)) for chances in fields["forecasts"]],
        tuple(map(int, fields["grades"])),
        JudgingState(**fields["state"]),
        tuple(map(str, fields["systems"])),
        tuple(fields["sums"]) if "sums" in fields else None,
    )


def _judgments(fields: dict[str, Any]) -> list[Judged]:
    return [
        Judged(str(query_id), str(doc_id), int(grade), fields["judge"])
        for query_id, doc_id, grade in fields["judgments"]
    ]


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
