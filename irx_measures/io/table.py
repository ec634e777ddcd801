"""One table for every run and qrels: a row per document of a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import BoolArray, FloatArray, Int64Array
from ..common.warn import warn
from ..common.writing import plural
from ..exceptions import InputError
from .columns import GRADE_LIMIT, WHOLE, by_system, grade_hint
from .core import Columns
from .identifiers import Ids
from .identifiers import joined as joined_ids
from .rank_column import HeadRow

# Rows at the beginning of a run, a choice: of ids of which one of 50 is spelled otherwise, one is
# among them in 99 of 100 runs.
SAMPLE = 250


@dataclass(frozen=True, eq=False)
class Table:
    """A run, or qrels."""

    query: Ids  # (rows,), the identifiers
    doc: Ids  # (rows,), the identifiers
    value: NDArray[Any]  # (rows,) floats or ints: scores, or grades
    label: str = "qrels"  # what errors call it
    path: Path | None = None  # the file that it was read from, if any
    line: Int64Array | None = None  # (rows,) ints: the line of each row in a file of text
    ranks: str = ""  # of a run: how its rank column contradicts the scores; empty if it does not
    comment: str = ""  # of a file: which comment may have been meant as a row; empty if none
    dataset: str = ""  # the ir_datasets id of qrels that come from one
    is_part: bool = False  # whether other processes have the judgments of other queries
    distinct: bool = False  # whether its container, such as a dict, rules out duplicate documents
    systems: str = ""  # of a run: the column that may name the systems in it; empty if none does

    def __len__(self) -> int:
        return len(self.value)

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries in order of first appearance."""
        return self.query.names.ids

    def numbered(self) -> Table:
        """The same table, which later changes of the caller's data do not change."""
        return replace(self, query=self.query.numbered(), doc=self.doc.numbered())

    @property
    def columns(self) -> Columns:
        """The rows, as the native core reads them."""
        return self.query.column, self.doc.column, self.value

    def head(self, ranks: Sequence[Any]) -> list[HeadRow]:
        """The first rows, with what a column of ranks has there."""
        rows = slice(len(ranks))
        cells = self.query.take(rows), self.doc.take(rows), ranks, self.value[rows].tolist()
        return list(map(HeadRow, *cells))

    @property
    def first_rows(self) -> list[tuple[str, str]]:
        """Query and document of the first `SAMPLE` rows."""
        rows = slice(SAMPLE)
        return list(zip(self.query.take(rows), self.doc.take(rows), strict=True))

    def at(self, rows: NDArray[np.integer]) -> Table:
        """Some of the rows."""
        query, doc = self.query.at(rows), self.doc.at(rows)
        line = None if self.line is None else self.line[rows]
        return replace(self, query=query, doc=doc, value=self.value[rows], line=line)

    def without_identical_ids(self) -> Table:
        """The rows whose document does not have the id of the query."""
        identical = self.doc.codes(self.query.names) == self.query.code
        return self.at(np.flatnonzero(~identical)) if identical.any() else self

    def equals(self, other: Table) -> bool:
        """Whether another table has the same rows."""
        beginnings = self.value[:SAMPLE], other.value[:SAMPLE]  # where most others differ
        return (
            np.array_equal(*beginnings)
            and np.array_equal(self.value, other.value)
            and self.doc.equals(other.doc)
            and self.query.equals(other.query)
        )

    @property
    def _of_qrels(self) -> bool:
        return self.value.dtype.kind == "i"

    def valid_rows(self) -> Int64Array | None:
        """The rows that lenient mode keeps; None if it keeps all, else a warning counts the others.

        Of a document's rows with a number, a run keeps the highest, and qrels keep the first.
        """
        scored = np.flatnonzero(~np.isnan(self.value))
        best_first = np.argsort(-self.value[scored], kind="stable")
        order = scored if self._of_qrels else scored[best_first]
        valid = np.sort(order[self._first_of_each(order)])
        again = "documents judged again" if self._of_qrels else "documents returned again"
        counts = {"NaN scores": len(self) - len(scored), again: len(scored) - len(valid)}
        parts = [f"{what} ({count})" for what, count in counts.items() if count]
        if not parts:
            return None
        asks = self._asks if len(scored) > len(valid) else ""
        warn(f"{self.label}: left out {', '.join(parts)}{asks}")
        return valid

    def refuse_comment(self) -> None:
        """InputError if a comment may have been meant as a row."""
        if self.comment:
            raise InputError(f"{self.comment} (`strict=False` takes it as a comment)")

    def without_invalid(self) -> Table:
        """The valid rows; see `valid_rows`. A comment that reads as a row is told and left out."""
        if self.comment:
            warn(f"{self.comment}; taken as a comment")
        valid = self.valid_rows()
        return self if valid is None else self.at(valid)

    def _first_of_each(self, rows: NDArray[np.integer]) -> BoolArray:
        """Which of some rows are not of a query and a document that an earlier one of them has."""
        key = self._key(rows)
        is_first = np.zeros(len(key), bool)
        is_first[np.unique(key, return_index=True)[1]] = True
        return is_first

    def refuse_duplicates(self, rows: NDArray[np.integer] | slice = slice(None)) -> None:
        """InputError if one of some rows has the query and the document of another one."""
        if self.distinct:
            return
        among = np.arange(len(self))[rows]
        key = self._key(rows)
        ordered = np.sort(key)
        if not (ordered[1:] == ordered[:-1]).any():
            return
        again = np.flatnonzero(~self._first_of_each(among))[0]
        both = among[key == key[again]][:2]
        query_id, doc_id = self._ids_of(both[0])
        does = "judges" if self._of_qrels else "returns"
        raise InputError(
            f"{self.label}: query {query_id!r} {does} document {doc_id!r} more than once"
            f"{self._where(both)}{self._asks}"
        )

    @property
    def _asks(self) -> str:
        """Whether the rows are those of several systems, for the end of a message on duplicates."""
        if not self.systems:
            return ""
        return f"; does its column {self.systems!r} name systems? {by_system(self.systems)}"

    def refuse_nan(self, rows: NDArray[np.integer]) -> None:
        """InputError if the score of one of some rows is no number."""
        row = rows[np.isnan(self.value[rows])][:1]
        if len(row):
            query_id, doc_id = self._ids_of(row[0])
            raise InputError(
                f"{self.label}: score is NaN for query {query_id!r}, document {doc_id!r}"
                f"{self._where(row)}"
            )

    def _ids_of(self, row: int) -> tuple[str, str]:
        rows = np.array([row])
        return self.query.take(rows)[0], self.doc.take(rows)[0]

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.path}:{self.line[row]}" if self.line is not None else f"{self.path}"

    def _where(self, rows: NDArray[np.integer]) -> str:
        """Where rows are in the file, for the end of an error."""
        if self.path is None:
            return ""
        if self.line is None:
            return f" ({self.path})"
        lines = " and ".join(map(str, self.line[rows].tolist()))
        return f" ({self.path}, {plural('line', len(rows))} {lines})"

    def _key(self, rows: NDArray[np.integer] | slice) -> Int64Array:
        return self.query.code[rows] * np.int64(len(self.doc.names)) + self.doc.code[rows]


def whole_grades(value: FloatArray, where: Callable[[int], str]) -> Int64Array:
    """Grades as whole numbers; InputError if one is none of at most 31 bits.

    `where` says what messages call a row.
    """
    are_whole = (np.abs(value) < GRADE_LIMIT) & (value == np.rint(value))
    wrong = np.flatnonzero(~are_whole).tolist()
    if wrong:
        hint = max(map(grade_hint, value[wrong].tolist()))  # NaN has none
        row = wrong[0]
        raise InputError(f"{where(row)}: a grade must be {WHOLE}; got {value[row]:.15g}{hint}")
    return value.astype(np.int64)


def joined(
    parts: Sequence[Table], label: str, of_scores: bool = True, path: Path | None = None
) -> Table:
    """The rows of several parts: blocks of a file, whose path is given, or several files."""
    kind = np.float64 if of_scores else np.int64
    line = None
    if path is not None:
        line = np.concatenate([part.line for part in parts if part.line is not None])
    return Table(
        joined_ids([part.query for part in parts]),
        joined_ids([part.doc for part in parts]),
        np.concatenate([np.zeros(0, kind), *(part.value for part in parts)]),
        label,
        path,
        line,
        ranks=next((part.ranks for part in parts if part.ranks), ""),
        comment=next((part.comment for part in parts if part.comment), ""),
    )


def nested(table: Table) -> dict[str, dict[str, Any]]:
    """A table as a dict of dicts, the form that pytrec_eval accepts."""
    by_query: dict[str, dict[str, Any]] = {}
    for (query_id, doc_id), value in by_pair(table).items():
        by_query.setdefault(query_id, {})[doc_id] = value
    return by_query


def by_pair(table: Table) -> dict[tuple[str, str], Any]:
    """A table as a dict by query id and document id."""
    pairs = zip(table.query.all(), table.doc.all(), strict=True)
    return dict(zip(pairs, table.value.tolist(), strict=True))


def tell_empty(label: str, strict: bool, aside: str = "") -> None:
    """InputError, or if not strict a warning, that a run has no rows, `aside` what was left out."""
    empty = f"{label} is empty: it has no rows{aside}"
    if strict:
        raise InputError(f"{empty} (`strict=False` scores it as such)")
    warn(empty)


IDENTICAL_ASIDE = ", documents with the id of their query aside"


def run_label(name: str | None) -> str:
    """The label of a run in error messages."""
    return "run" if name is None else f"run {name!r}"
