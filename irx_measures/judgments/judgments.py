"""Qrels as arrays, with one row per query and one column per judged document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import BoolArray, Int64Array, IntArray
from ..io import core
from ..io.core import Ranked
from ..io.identifiers import Ids, Names, objects, packed_names
from ..io.table import Table
from ..io.trec_order import tied_rows
from .ranking import Ranking, TieOrder, digest

if TYPE_CHECKING:
    from ..io._native import Index


class Levels(NamedTuple):
    """Grades as positions in the sorted list of the qrels' grades."""

    # (levels,), ascending; the first level is always 0. Negative grades count as 0.
    grades: NDArray[np.int64]
    of: NDArray[np.int64]  # (queries, documents) ints: the level of each judged document


class Entries(NamedTuple):
    """The judgments, by ascending query and document.

    The key of a query and a document is ``query * documents + document``, of their numbers in
    `Judgments.query_index` and `Judgments.doc_index`.
    """

    documents: int  # number of documents of the qrels, at least 1
    key: Int64Array  # (entries,), ascending
    cell: Int64Array  # (entries,), the position in the raveled `Judgments.grade`

    @classmethod
    def of(cls, query: IntArray, doc: IntArray, cell: Int64Array, documents: int) -> Entries:
        """Sort judgments, which come in any order: (entries,) ints each."""
        documents = max(documents, 1)
        key = _key(query, doc, documents)
        order = np.argsort(key)
        return cls(documents, key[order], cell[order])

    @property
    def query(self) -> Int64Array:
        """The number of each entry's query: (entries,)."""
        return self.key // self.documents

    @property
    def doc(self) -> Int64Array:
        """The number of each entry's document: (entries,)."""
        return self.key % self.documents


def _key(query: IntArray, doc: IntArray, documents: int) -> Int64Array:
    return query.astype(np.int64) * documents + doc


class Judgments:
    """The qrels, with one row per query and one column per judged document, by descending grade.

    The qrels are as read by `io.trec.read_qrels`; InputError if a document is judged twice for a
    query. `query_ids` are the queries of the rows, including all queries of the qrels; None: only
    these, in order of first appearance.
    """

    is_part: bool  # whether other processes have the judgments of other queries
    query_ids: tuple[str, ...]
    digest: str  # of the content; it is the same for every kind of container
    grade: Int64Array  # (queries, documents); 0 beyond the first `judged` columns of a row
    entries: Entries
    judged: Int64Array  # (queries,), number of judged documents
    # The largest number of documents of positive grade in a query, at least 1. They are the first
    # columns.
    positives: int

    def __init__(self, qrels: Table, query_ids: Sequence[str] | None = None) -> None:
        self.doc_index = qrels.doc.names  # the numbers serve to find duplicates
        qrels.refuse_duplicates()
        self.is_part = qrels.is_part
        self.query_index = qrels.query.names if query_ids is None else Names(query_ids)
        self.query_ids = self.query_index.ids
        query = qrels.query.codes(self.query_index)
        self.digest = digest(
            packed_names(self.query_ids),
            query.tobytes(),
            packed_names(self.doc_index.ids),
            qrels.doc.code.tobytes(),
            qrels.value.tobytes(),
        )
        order = np.lexsort((-qrels.value, query))
        query = query[order]
        doc = qrels.doc.code[order]
        grade = qrels.value[order]
        queries = len(self.query_ids)
        self.judged = np.bincount(query, minlength=queries)
        start = np.cumsum(self.judged) - self.judged
        column = np.arange(len(query)) - np.repeat(start, self.judged)
        width = int(self.judged.max(initial=1))
        self.grade = np.zeros((queries, width), np.int64)
        self.grade[query, column] = grade
        self.positives = int((self.grade > 0).sum(axis=1).max(initial=1))
        cell = query * np.int64(width) + column
        self.entries = Entries.of(query, doc, cell, len(self.doc_index))

    @cached_property
    def levels(self) -> Levels:
        """The grades as positions in the sorted list of the qrels' grades."""
        grade = np.maximum(self.grade, 0)
        grades = np.unique(np.append(grade[self.is_judged], 0))
        return Levels(grades, np.searchsorted(grades, grade))

    @cached_property
    def is_judged(self) -> NDArray[np.bool_]:
        """Which cells are judged documents and not padding: (queries, documents)."""
        return np.arange(self.grade.shape[1]) < self.judged[:, np.newaxis]

    @cached_property
    def ids_by_query(self) -> list[str]:
        """The judged documents of each query, in the order of its columns, query by query."""
        by_column = np.argsort(self.entries.cell)
        return self.doc_index.at(self.entries.doc[by_column])

    def ids_of(self, row: int) -> list[str]:
        """The judged documents of one query, in the order of its columns."""
        end = int(self.judged[: row + 1].sum())
        return self.ids_by_query[end - int(self.judged[row]) : end]

    @cached_property
    def self_reference(self) -> Judgments:
        """The documents of positive grade, ranked by grade, as a reference ranking."""
        return reference_judgments(self.where(self.grade > 0), self.query_ids)

    def where(self, mask: BoolArray) -> Table:
        """The judgments at which a (queries, documents) mask is true, as qrels."""
        entries = self.entries
        selected = np.flatnonzero(mask.ravel()[entries.cell])
        return Table(
            Ids.of_codes(self.query_index.ids, entries.query[selected]),
            Ids.of_codes(self.doc_index.ids, entries.doc[selected]),
            self.grade.ravel()[entries.cell[selected]],
        )

    @cached_property
    def native_index(self) -> Index | None:
        """The judgments as the native core looks them up; None if it is not built or declines."""
        entries = (self.entries.query, self.entries.doc, self.entries.cell)
        queries, docs = objects(self.query_ids), objects(self.doc_index.ids)
        return core.index_of(queries, docs, entries, self.grade.size)

    def find(self, query: IntArray, doc: IntArray) -> tuple[Int64Array, Int64Array]:
        """Which (query, document) pairs are judged, and their positions in the raveled `grade`.

        The pairs are numbers in `query_index` and `doc_index`; -1 for an unjudged document.
        """
        entries = self.entries
        known = np.flatnonzero(doc >= 0)
        if not len(entries.key):
            return known[:0], entries.cell
        key = _key(query[known], doc[known], entries.documents)
        entry = np.searchsorted(entries.key, key)
        entry[entry == len(entries.key)] = 0  # these keys are higher than all, so not the first
        hit = np.flatnonzero(entries.key[entry] == key)
        return known[hit], entries.cell[entry[hit]]

    def ranked(self, ranking: Ranking, depths: Sequence[int | None]) -> Ranked:
        """What judgments need of a run, of which the ranking is for these queries.

        `depths` are those of the tops that are wanted.
        """
        doc = ranking.run.doc.codes(self.doc_index)[ranking.row]
        place, cell = self.find(ranking.query, doc)
        rank = np.zeros(self.grade.shape, np.int32)
        rank.ravel()[cell] = ranking.rank[place]
        cell_of = np.full(len(ranking.row), -1)
        cell_of[place] = cell
        tied, _ = tied_rows(ranking.tied)
        ties = []
        for order in TieOrder:
            in_order = cell_of[ranking.places_in(order)[tied]]
            judged = np.flatnonzero(in_order >= 0)
            ties.append(np.stack([in_order[judged], ranking.rank[tied[judged]]], axis=1))
        return Ranked(
            rank,
            ranking.returned,
            ranking.tied_tops,
            ranking.own_tops,
            ranking.tie_by_rounding,
            tuple(ties),
            tuple(packed_names(ranking.doc_ids(ranking.top(depth))) for depth in depths),
            ranking.score,
            [],
        )


def reference_judgments(run: Table, query_ids: Sequence[str]) -> Judgments:
    """A run as judgments of its own documents: grades by rank, the same grade for tied documents.

    Errors are those of `Ranking.of`.
    """
    ranking = Ranking.of(run, Names(query_ids))
    group = np.cumsum(~ranking.tied)
    ranked = run.at(ranking.row)
    return Judgments(
        Table(ranked.query, ranked.doc, len(group) - group + 1, "reference"), query_ids
    )
