"""Runs and qrels as columns: the result of every reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from .identifiers import Ids, ListIds
from .origin import Origin

QUERY_NAMES = ("query_id", "qid")

DOC_NAMES = ("doc_id", "docno")

SCORE_NAMES = ("score",)

GRADE_NAMES = ("relevance", "label")

RANK = "rank"  # a column that is compared with the scores

SYSTEM_NAMES = ("system", "run", "run_id", "runid", "tag")  # columns that name runs

GRADE_LIMIT = 1 << 31  # a grade fits the 32-bit integers of the C programs that read qrels


SWAPPED = "are runs and qrels swapped?"


class Columns(NamedTuple):
    """The columns of a run, with one row per returned document."""

    query: Ids
    doc: Ids
    score: NDArray[np.float64]


class RunSource(Protocol):
    """The source of a run whose columns are made only where they are needed."""

    def columns(self) -> Columns:
        """Make the columns; raises the errors of the run's reader."""

    def is_empty(self) -> bool:
        """Whether the run has no rows."""

    def query_ids(self) -> tuple[str, ...]:
        """The queries for which documents were returned, in order of first appearance."""

    def first_rows(self, count: int) -> list[tuple[str, str]]:
        """Query and document of rows at the beginning, at most so many."""


@dataclass(frozen=True)
class RunColumns:
    """A run, with one row per returned document.

    Attributes
    ----------
    distinct
        Whether the container, such as a dict, rules out duplicate documents in a query.
    origin
        The file that the run was read from, if any.
    ranks
        How its rank column contradicts the scores; empty if it does not.
    source
        What the columns are made from, if they are made when they are first needed.
    """

    query: Ids
    doc: Ids
    score: NDArray[np.float64]
    distinct: bool = False
    origin: Origin | None = None
    ranks: str = ""

    @property
    def source(self) -> RunSource | None:
        return None

    @property
    def is_empty(self) -> bool:
        """Whether the run has no rows."""
        return not len(self.score)

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries for which documents were returned, in order of first appearance."""
        return _first_appearances(self.query)

    def first_rows(self, count: int) -> list[tuple[str, str]]:
        """Query and document of the first rows, at most so many."""
        rows = np.arange(min(count, len(self.score)))
        return list(zip(self.query.take(rows), self.doc.take(rows), strict=True))


class LazyRunColumns(RunColumns):
    """A run whose columns, and errors in its rows, are made when they are first needed."""

    _source: RunSource

    def __init__(
        self,
        source: RunSource,
        distinct: bool = False,
        origin: Origin | None = None,
        ranks: str = "",
    ) -> None:
        vars(self).update(_source=source, distinct=distinct, origin=origin, ranks=ranks)

    @property
    def source(self) -> RunSource:
        return self._source

    @cached_property
    def _columns(self) -> Columns:
        return self.source.columns()

    @property
    def query(self) -> Ids:
        return self._columns.query

    @property
    def doc(self) -> Ids:
        return self._columns.doc

    @property
    def score(self) -> NDArray[np.float64]:
        return self._columns.score

    @property
    def is_empty(self) -> bool:
        return self.source.is_empty()

    @property
    def query_ids(self) -> tuple[str, ...]:
        return self.source.query_ids()

    def first_rows(self, count: int) -> list[tuple[str, str]]:
        return self.source.first_rows(count)


@dataclass(frozen=True)
class QrelsColumns:
    """Relevance judgments, with one row per judged document.

    `origin` is their file, and `dataset` their ir_datasets id, if they come from one. With
    `is_part`, other processes have the judgments of other queries.
    """

    query: Ids
    doc: Ids
    grade: NDArray[np.int64]
    origin: Origin | None = None
    dataset: str = ""
    is_part: bool = False

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries that have judgments, in order of first appearance."""
        return _first_appearances(self.query)

    def equals(self, other: QrelsColumns) -> bool:
        """Whether other qrels have the same rows in the same kinds of containers."""
        return (
            np.array_equal(self.grade, other.grade)
            and self.doc.equals(other.doc)
            and self.query.equals(other.query)
        )

    def snapshot(self) -> QrelsColumns:
        """A copy that is independent of the caller's data."""
        return QrelsColumns(self.query.snapshot(), self.doc.snapshot(), self.grade.copy())


def _first_appearances(query: Ids) -> tuple[str, ...]:
    names, lengths = query.run_lengths()
    return tuple(dict.fromkeys(compress(names.all(), (lengths > 0).tolist())))


def nested(query: Ids, doc: Ids, values: NDArray[Any]) -> dict[str, dict[str, Any]]:
    """Columns as a dict of dicts, the form that pytrec_eval accepts."""
    by_query: dict[str, dict[str, Any]] = {}
    for query_id, doc_id, value in zip(query.all(), doc.all(), values.tolist(), strict=True):
        by_query.setdefault(query_id, {})[doc_id] = value
    return by_query


def joined(parts: Sequence[RunColumns]) -> RunColumns:
    """The rows of several parts of a run, which have no query in common."""
    return RunColumns(
        ListIds([query for part in parts for query in part.query.all()]),
        ListIds([doc for part in parts for doc in part.doc.all()]),
        np.concatenate([part.score for part in parts]),
        all(part.distinct for part in parts),
        ranks=next((part.ranks for part in parts if part.ranks), ""),
    )


def run_label(name: str | None) -> str:
    """The label of a run in error messages."""
    return "run" if name is None else f"run {name!r}"


def pick(
    names: tuple[str, ...],
    columns: list[str],
    what: str,
    cells: Callable[[str], Iterable[Any]] | None = None,
) -> str:
    """The first accepted name that is a column.

    Parameters
    ----------
    names
        The accepted names.
    columns
        The names of all columns.
    what
        The label of the table in error messages.
    cells
        The cells of a column; None if they are not known yet.

    Raises
    ------
    ValueError
        When no column or two columns have the name, or when columns of two accepted names differ.
    """
    present = [name for name in names if name in columns]
    if not present:
        raise InputError(
            f"{what} needs a column {' or '.join(map(repr, names))}; got {columns}"
            f"{_swapped(names, columns)}"
        )
    first, *others = present
    for name in present:
        if columns.count(name) > 1:
            raise InputError(f"{what} has {columns.count(name)} columns {name!r}")
    if cells is not None:
        for other in others:
            _refuse_different(first, other, cells, what)
    return first


def _refuse_different(
    first: str, other: str, cells: Callable[[str], Iterable[Any]], what: str
) -> None:
    """InputError if two columns of one meaning differ: only one of them would be read."""
    for one, another in zip(cells(first), cells(other), strict=True):
        if one != another and str(one) != str(another):
            raise InputError(
                f"{what} has columns {first!r} and {other!r}, which must be equal; got {one!r} and "
                f"{another!r} in a row (remove one of them)"
            )


def _swapped(names: tuple[str, ...], columns: list[str]) -> str:
    """A hint for the error message if the caller passed qrels as a run, or a run as qrels."""
    for wanted, other, got in (
        (SCORE_NAMES, GRADE_NAMES, "qrels"),
        (GRADE_NAMES, SCORE_NAMES, "a run"),
    ):
        if names is wanted and {*other} & {*columns}:
            return f" (these are the columns of {got}: {SWAPPED})"
    return ""
