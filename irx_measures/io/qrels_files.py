"""Files of judgments: TREC qrels, their names, and the tables that people fill in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from ..common.memory import require_memory
from ..exceptions import InputError
from .block import Block
from .columns import DOC_NAMES, GRADE_NAMES, QUERY_NAMES
from .events import read_events
from .formats import OF_ROWS, format_of, is_table
from .reading import text_lines
from .rows import entries
from .saving import write_lines
from .trec import read_qrels

OBJECTS = 12  # times the size of JSON text that its objects take, about: 4 bytes "0.5," are 32


def judging_log_of(path: Path) -> Path:
    """The log of the judging campaign that chose which documents these qrels judge."""
    return path.with_name(f"{path.name}.log.jsonl")


BATCH, JUDGMENTS = "batch", "judgments"
"""The events of such a log."""


class Planned(NamedTuple):
    """What qrels must know of the log beside them."""

    judged: dict[str, set[str]]  # the documents with a judgment, by query id
    pool: int  # number of documents that the campaign may ask for


def planned_judgments(path: Path) -> Planned:
    """The judgments in the log beside these qrels; none if there is no log.

    InputError with the place of what is wrong, or if the log is larger than memory allows.
    """
    log = judging_log_of(path)
    size = log.stat().st_size if log.is_file() else 0
    require_memory(log, OBJECTS * size)
    judged: dict[str, set[str]] = {}
    pool = 0
    for where, fields in read_events(log):
        try:
            if fields["event"] == BATCH:
                pool = int(fields["state"]["pool"])
            elif fields["event"] == JUDGMENTS:
                for query_id, doc_id, _ in fields["judgments"]:
                    judged.setdefault(query_id, set()).add(doc_id)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise InputError(f"{where}: not of a judging log") from None
    return Planned(judged, pool)


def append_to_qrels(path: Path, judgments: Iterable[tuple[str, str, int]]) -> None:
    """Add judgments to a file of TREC qrels, atomically; what is in it stays as it is.

    The file need not exist. A judgment is query id, document id and grade.
    """
    lines = [line.removesuffix("\n") for line in text_lines(path)] if path.exists() else []
    for query_id, doc_id, grade in judgments:
        lines.append(f"{query_id} 0 {doc_id} {grade}")
        if len(lines[-1].split()) != 4:
            raise InputError(
                f"TREC qrels cannot hold identifiers with white space; got query {query_id!r}, "
                f"document {doc_id!r}"
            )
    write_lines(path, lines)


class FilledRow(NamedTuple):
    """A row of a file of judgments: its file and line, its cells; no grade is an empty text."""

    where: str
    query_id: str
    doc_id: str
    grade: str


def filled_rows(path: Path) -> Iterator[FilledRow]:
    """The rows of a table (tab, comma or semicolon; JSON lines), or of qrels in any other form.

    A table has a header with query_id, doc_id and grade. Other columns are not read. If the file
    has another form, an InputError names file and line.
    """
    if format_of(path) not in OF_ROWS and not is_table(path):
        qrels = read_qrels(path)
        places = repeat(f"{path}") if qrels.line is None else (f"{path}:{n}" for n in qrels.line)
        yield from map(FilledRow, places, qrels.query.all(), qrels.doc.all(), map(str, qrels.value))
        return
    wanted = {
        QUERY_NAMES: Block.texts,
        DOC_NAMES: Block.texts,
        GRADE_NAMES: Block.as_written,
    }
    for where, query_id, doc_id, grade in entries(path, wanted):
        text = "" if grade is None else str(grade)
        yield FilledRow(where, query_id, doc_id, text)
