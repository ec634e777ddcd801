"""The log of a judging campaign: its states, what was asked with forecasts, what was judged."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path

from ...io.qrels_files import BATCH, JUDGMENTS
from .append_only import AppendOnlyFile
from .records import Batch, Pair, Record, judgments_of


class JudgingLog:
    """Batches and judgments in the order in which they came, in a file or in memory.

    The stopping rule compares forecasts that were made before the grades were known with the
    grades. So the log only grows, and survives what becomes of its writers. The file has JSON
    lines, and need not exist; without a path the log is in memory.
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        path = None if path is None else Path(path)
        self._file = AppendOnlyFile(path)

    def add_batch(self, batch: Batch) -> None:
        """Append a batch before its documents are judged, if it is not the last one once more."""
        if self.batches()[-1:] != [batch]:
            self._file.append(BATCH, {"time": _now(), **batch.fields})

    def add_judgments(self, judgments: Iterable[tuple[str, str, int]]) -> None:
        """Append judgments: query id, document id and grade."""
        self._file.append(JUDGMENTS, {"time": _now(), "judgments": list(map(list, judgments))})

    def batches(self) -> list[Batch]:
        """The batches, the first one first; InputError with the line of a field that is wrong."""
        events = self._file.events(BATCH)
        return [Batch.of(Record(fields, where)) for where, fields in events]

    def judgments(self) -> dict[Pair, int]:
        """The first grade of each document, by query id and document id; errors as of `batches`."""
        grades: dict[Pair, int] = {}
        for where, fields in self._file.events(JUDGMENTS):
            for query_id, doc_id, grade in judgments_of(Record(fields, where)):
                grades.setdefault((query_id, doc_id), grade)
        return grades

    def locked(self) -> AbstractContextManager[object]:
        """A context in which no other process appends."""
        return self._file.locked()


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
