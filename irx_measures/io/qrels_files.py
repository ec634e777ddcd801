"""Qrels as lines of TREC files, and the names of their files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..exceptions import InputError
from .files import numbered_lines, write_lines

ENDINGS = (".gz", ".txt", ".qrels")


def plain_path(path: Path) -> Path:
    """A path of qrels without the usual endings: ``gpt4.txt.gz`` is ``gpt4``."""
    while path.suffix.lower() in ENDINGS and path.stem:
        path = path.with_suffix("")
    return path


def judging_log_of(path: Path) -> Path:
    """The log of the judging campaign that chose which documents these qrels judge."""
    return path.with_name(f"{path.name}.log.jsonl")


def add_judgments(path: Path, judgments: Iterable[tuple[str, str, int]]) -> None:
    """Add judgments to a file of TREC qrels, atomically; what is in it stays as it is.

    Parameters
    ----------
    path
        It need not exist.
    judgments
        Query id, document id and grade.
    """
    before: list[str] = []
    if path.exists():
        before = "".join(line for _, line in numbered_lines(path)).split("\n")
        before = before if before[-1] else before[:-1]
    write_lines(path, before + [_line(*judgment) for judgment in judgments])


def _line(query_id: str, doc_id: str, grade: int) -> str:
    line = f"{query_id} 0 {doc_id} {grade}"
    if len(line.split()) != 4:
        raise InputError(
            f"TREC qrels cannot hold identifiers with white space; got query {query_id!r}, "
            f"document {doc_id!r}"
        )
    return line
