"""Files of judgments: TREC qrels, their names, and the tables that people fill in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..common.writing import cell
from ..exceptions import InputError
from .columns import DOC_NAMES, GRADE_NAMES, QUERY_NAMES
from .files import numbered_lines, text_lines, unpacked, write_lines
from .formats import OF_ROWS, TREC, format_of, has_header
from .rows import rows

JUDGED_NAMES = ("grade", *GRADE_NAMES)


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
    before = text_lines(path) if path.exists() else ()
    added = [_line(*judgment) for judgment in judgments]
    write_lines(path, [*(line.removesuffix("\n") for line in before), *added])


def _line(query_id: str, doc_id: str, grade: int) -> str:
    line = f"{query_id} 0 {doc_id} {grade}"
    if len(line.split()) != 4:
        raise InputError(
            f"TREC qrels cannot hold identifiers with white space; got query {query_id!r}, "
            f"document {doc_id!r}"
        )
    return line


class FilledRow(NamedTuple):
    """A row of a file of judgments: its file and line, its cells; no grade is an empty text."""

    where: str
    query_id: str
    doc_id: str
    grade: str


def filled_rows(path: Path) -> Iterator[FilledRow]:
    """The rows of a table (tab, comma or semicolon; JSON lines) or of TREC qrels.

    A table has a header with query_id, doc_id and grade. Other columns are not read.

    Raises
    ------
    InputError
        When the file has another form; the message names file and line.
    """
    form = format_of(path)
    if form not in (*OF_ROWS, TREC):
        raise InputError(
            f"{path}: judgments must be in a table with a header (.tsv, .csv, .jsonl) or in TREC "
            f"qrels; got {form}"
        )
    with unpacked(path) as file:
        of_table = form in OF_ROWS or has_header(file)
    return _of_table(path) if of_table else _of_trec(path)


def _of_table(path: Path) -> Iterator[FilledRow]:
    for row in rows(path, (QUERY_NAMES, DOC_NAMES, JUDGED_NAMES)):
        grade = row.cells[row.name(JUDGED_NAMES)]
        text = "" if grade is None else str(grade)
        yield FilledRow(row.where, row.text(QUERY_NAMES), row.text(DOC_NAMES), text)


def _of_trec(path: Path) -> Iterator[FilledRow]:
    for where, line in numbered_lines(path):
        row = line.split()
        if row and not line.startswith("#"):
            if len(row) != 4:
                raise InputError(
                    f"{where}: a line must have 4 columns, as TREC qrels, or the file a header with"
                    f" query_id, doc_id and grade; got {cell(line.strip())!r}"
                )
            yield FilledRow(where, row[0], row[2], row[3])
