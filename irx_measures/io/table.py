"""One table for every run and qrels: a row per document of a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..exceptions import InputError
from .columns import GRADE_LIMIT, SWAPPED
from .identifiers import Ids
from .origin import Origin


@dataclass(frozen=True, eq=False)
class Table:
    """A run, or qrels.

    Attributes
    ----------
    query, doc
        The identifiers of each row.
    value : (rows,) floats or ints
        Scores, or grades.
    label
        What errors call it.
    origin
        The file that it was read from, if any.
    ranks
        How the rank column of a run contradicts its scores; empty if it does not.
    dataset
        The ir_datasets id of qrels that come from one.
    is_part
        Whether other processes have the judgments of other queries.
    distinct
        Whether the container, such as a dict, rules out that a query has a document twice.
    """

    query: Ids
    doc: Ids
    value: NDArray[Any]
    label: str = "qrels"
    origin: Origin | None = None
    ranks: str = ""
    dataset: str = ""
    is_part: bool = False
    distinct: bool = False

    def __len__(self) -> int:
        return len(self.value)

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries in order of first appearance."""
        return self.query.names.ids

    def first_rows(self, count: int) -> list[tuple[str, str]]:
        """Query and document of the first rows, at most so many."""
        rows = np.arange(min(count, len(self)))
        return list(zip(self.query.take(rows), self.doc.take(rows), strict=True))

    def at(self, rows: NDArray[np.integer]) -> Table:
        """Some of the rows."""
        return replace(
            self, query=self.query.at(rows), doc=self.doc.at(rows), value=self.value[rows]
        )

    def equals(self, other: Table) -> bool:
        """Whether another table has the same rows."""
        return (
            np.array_equal(self.value, other.value)
            and self.doc.equals(other.doc)
            and self.query.equals(other.query)
        )

    def first_of_each(self, rows: NDArray[np.integer]) -> BoolArray:
        """Which of some rows are not of a query and a document that an earlier one of them has."""
        key = self._key(rows)
        is_first = np.zeros(len(key), bool)
        is_first[np.unique(key, return_index=True)[1]] = True
        return is_first

    def refuse_duplicates(self, rows: NDArray[np.integer] | slice, verb: str) -> None:
        """InputError if one of some rows has the query and the document of another one."""
        if self.distinct:
            return
        key = np.sort(self._key(rows))
        if not (key[1:] == key[:-1]).any():
            return
        among = np.arange(len(self))[rows]
        row = among[~self.first_of_each(among)][:1]
        (query_id,), (doc_id,) = self.query.take(row), self.doc.take(row)
        raise InputError(
            f"{self.label}: query {query_id!r} {verb} document {doc_id!r} more than once"
            f"{self.where(query_id, doc_id, 2)}"
        )

    def refuse_nan(self, rows: NDArray[np.integer]) -> None:
        """InputError if the score of one of some rows is no number."""
        row = rows[np.isnan(self.value[rows])][:1]
        if len(row):
            (query_id,), (doc_id,) = self.query.take(row), self.doc.take(row)
            raise InputError(
                f"{self.label}: score is NaN for query {query_id!r}, document {doc_id!r}"
                f"{self.where(query_id, doc_id, 1)}"
            )

    def where(self, query_id: str, doc_id: str, count: int) -> str:
        """Where rows of a query and a document are in the file, for the end of an error."""
        found = "" if self.origin is None else self.origin.where(query_id, doc_id, count)
        return found and f" ({found})"

    def _key(self, rows: NDArray[np.integer] | slice) -> Int64Array:
        return self.query.code[rows] * np.int64(len(self.doc.names)) + self.doc.code[rows]


def as_qrels(query: Ids, doc: Ids, value: FloatArray, label: str) -> Table:
    """Qrels; InputError if a grade is no whole number of at most 31 bits."""
    grade = np.zeros(len(value), np.int64)
    in_range = np.isfinite(value) & (np.abs(value) < GRADE_LIMIT)
    grade[in_range] = value[in_range].astype(np.int64)
    bad = np.flatnonzero(~in_range | (grade != value))[:1]
    if len(bad):
        raise InputError(
            f"{label}: grades must be whole numbers of at most 31 bits; got "
            f"{value[bad[0]]} for query {query.take(bad)[0]!r}, document {doc.take(bad)[0]!r} "
            f"(runs have scores, qrels have grades: {SWAPPED})"
        )
    return Table(query, doc, grade, label)


def joined(parts: Sequence[Table]) -> Table:
    """The rows of several parts of a run, which have no query in common."""
    return Table(
        Ids.of([query for part in parts for query in part.query.all()]),
        Ids.of([doc for part in parts for doc in part.doc.all()]),
        np.concatenate([part.value for part in parts]),
        parts[0].label,
        ranks=next((part.ranks for part in parts if part.ranks), ""),
    )


def nested(table: Table) -> dict[str, dict[str, Any]]:
    """A table as a dict of dicts, the form that pytrec_eval accepts."""
    by_query: dict[str, dict[str, Any]] = {}
    rows = zip(table.query.all(), table.doc.all(), table.value.tolist(), strict=True)
    for query_id, doc_id, value in rows:
        by_query.setdefault(query_id, {})[doc_id] = value
    return by_query


def by_pair(table: Table) -> dict[tuple[str, str], Any]:
    """A table as a dict by query id and document id."""
    pairs = zip(table.query.all(), table.doc.all(), strict=True)
    return dict(zip(pairs, table.value.tolist(), strict=True))


def run_label(name: str | None) -> str:
    """The label of a run in error messages."""
    return "run" if name is None else f"run {name!r}"
