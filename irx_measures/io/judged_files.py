"""Files of judgments that people filled in: tables with a column grade, or TREC qrels."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..common.writing import cell
from ..exceptions import InputError
from .columns import DOC_NAMES, GRADE_NAMES, QUERY_NAMES, pick
from .csv_tables import DELIMITERS, cells_of_csv
from .files import numbered_lines
from .formats import CSV, JSONL, TREC, format_of, numbered_rows

JUDGED_NAMES = ("grade", *GRADE_NAMES)


class FilledRow(NamedTuple):
    """A row of a file of judgments.

    Attributes
    ----------
    where
        File and line, for messages.
    query_id, doc_id
    grade
        The text of the grade; empty if the document is not judged yet.
    judge
        Who judged it; empty if the file does not say.
    """

    where: str
    query_id: str
    doc_id: str
    grade: str
    judge: str = ""


def filled_rows(path: Path) -> Iterator[FilledRow]:
    """The rows of a table (tab, comma or semicolon; JSON lines) or of TREC qrels.

    A table has a header with query_id, doc_id, grade and, if it says so, judge. Other columns are
    not read.

    Raises
    ------
    InputError
        When the file has another form; the message names file and line.
    """
    form = format_of(path)
    if form == JSONL:
        rows = ((number, _texts(row)) for number, row in numbered_rows(path, form, JUDGED_NAMES))
        return _of_table(path, rows)
    if form not in (CSV, TREC):
        raise InputError(
            f"{path}: judgments must be in a table with a header (.tsv, .csv, .jsonl) or in TREC "
            f"qrels; got {form}"
        )
    return _of_table(path, cells_of_csv(path, JUDGED_NAMES)) if _is_table(path) else _of_trec(path)


def _is_table(path: Path) -> bool:
    """Whether the first line is a header."""
    _, first = next(numbered_lines(path), ("", ""))
    header = next(csv.reader([first], delimiter=max(DELIMITERS, key=first.count)), [])
    return format_of(path) == CSV or bool({*header} & {*QUERY_NAMES, *DOC_NAMES, *JUDGED_NAMES})


def _texts(row: dict[str, Any]) -> dict[str, str]:
    """The values of a JSON object as a CSV file writes them."""
    return {name: "" if value is None else str(value) for name, value in row.items()}


def _of_table(path: Path, rows: Iterator[tuple[int, dict[str, str]]]) -> Iterator[FilledRow]:
    for number, row in rows:
        where = f"{path}:{number}"
        query, doc, grade = (
            row[pick(names, list(row), where)].strip()
            for names in (QUERY_NAMES, DOC_NAMES, JUDGED_NAMES)
        )
        if not (query and doc):
            raise InputError(f"{where}: query_id and doc_id must not be empty")
        yield FilledRow(where, query, doc, grade, row.get("judge", "").strip())


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
