"""Runs and qrels with a row per document, in csv, tsv and JSON lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .columns import BESIDE, DOC_NAMES, GRADE_NAMES, QUERY_NAMES, SCORE_NAMES
from .rows import Names, Row, rows


class ValueColumn(NamedTuple):
    """The column of scores or grades: its accepted names, and what checks and converts a cell."""

    names: Names
    value_of: Callable[[Row, Names], float]


SCORES = ValueColumn(SCORE_NAMES, Row.number)

GRADES = ValueColumn(GRADE_NAMES, Row.grade)


def document_rows(path: Path, form: str, value: ValueColumn) -> Iterator[dict[str, Any]]:
    """The rows of a run or of qrels, as dicts for `containers`; other columns are left out.

    Raises
    ------
    InputError
        As `rows.rows`; and when a cell is empty, an id is no text, or a value is no number.
    """
    for row in rows(path, (QUERY_NAMES, DOC_NAMES, value.names), form):
        yield {
            QUERY_NAMES[0]: row.text(QUERY_NAMES),
            DOC_NAMES[0]: row.text(DOC_NAMES),
            value.names[0]: value.value_of(row, value.names),
            **{name: row.cells[name] for name in BESIDE if name in row.cells},
        }


def lines_of_row(path: Path, query_id: str, doc_id: str, form: str) -> Iterator[int]:
    """The lines of a file of rows that contain a query and a document."""
    for row in rows(path, form=form):
        if query_id in map(row.cells.get, QUERY_NAMES) and doc_id in map(row.cells.get, DOC_NAMES):
            yield row.line
