"""Qrels as lines of TREC files, and the names of their files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..common.arrays import Int64Array
from ..exceptions import InputError
from .columns import QrelsColumns
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


def qrels_lines(
    qrels: QrelsColumns,
    query_ids: Sequence[str],
    doc_ids: Sequence[str],
    grade: Int64Array,
    mark: str,
) -> list[str]:
    """The lines of qrels and of more judgments, query by query.

    Parameters
    ----------
    qrels
        Their second column is 0.
    query_ids, doc_ids, grade
        The additional judgments.
    mark
        The second column of the additional judgments.

    Raises
    ------
    ValueError
        When an identifier has white space, which the format cannot hold.
    """
    lines: dict[str, list[str]] = {}
    rows = zip(qrels.query.all(), qrels.doc.all(), qrels.grade.tolist(), strict=True)
    for query_id, doc_id, value in rows:
        lines.setdefault(query_id, []).append(_line(query_id, "0", doc_id, value))
    for query_id, doc_id, value in zip(query_ids, doc_ids, grade.tolist(), strict=True):
        lines.setdefault(query_id, []).append(_line(query_id, mark, doc_id, value))
    return [line for of_query in lines.values() for line in of_query]


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
    added = [_line(query_id, "0", doc_id, grade) for query_id, doc_id, grade in judgments]
    write_lines(path, before + added)


def _line(query_id: str, iteration: str, doc_id: str, grade: int) -> str:
    line = f"{query_id} {iteration} {doc_id} {grade}"
    if len(line.split()) != 4:
        raise InputError(
            f"TREC qrels cannot hold identifiers with white space; got query {query_id!r}, "
            f"document {doc_id!r}"
        )
    return line
