"""Qrels as arrays, with one row per query and one column per judged document."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Int64Array
from ..exceptions import InputError
from ..io import native
from ..io.columns import QrelsColumns, RunColumns
from ..io.identifiers import IdIndex, ListIds, packed_names
from ..io.origin import duplicate_message
from .digests import digest
from .ranking import rank_run

if TYPE_CHECKING:
    from ..io._native import Index

TABLE_CELLS = 1 << 22  # 16 MB of int32; with more cells, a binary search needs less memory


class Levels(NamedTuple):
    """Grades as positions in the sorted list of the qrels' grades.

    Attributes
    ----------
    grades : (levels,) ints
        In ascending order; the first level is always 0. Negative grades count as 0.
    of : (queries, documents) ints
        The level of each judged document.
    """

    grades: NDArray[np.int64]
    of: NDArray[np.int64]


class Judgments:
    """The qrels, with one row per query and one column per judged document, by descending grade.

    Parameters
    ----------
    qrels
        As read by `io.trec.read_qrels`.
    query_ids
        The queries of the rows, including all queries of the qrels; None: only these queries.
    kind
        The name of the qrels in error messages.

    Attributes
    ----------
    query_ids : tuple of str
        In order of first appearance.
    grade : (queries, documents) ints
        Padded with 0; only the first ``judged`` columns of a row are documents.
    judged : (queries,) ints
        Number of judged documents.
    positives : int
        The largest number of documents of positive grade in a query, at least 1. Documents of
        positive grade are the first columns.
    is_part : bool
        Whether other processes have the judgments of other queries.
    digest : str
        A digest of the content; it is the same for every kind of container.

    Raises
    ------
    ValueError
        When a document is judged twice for a query.
    """

    def __init__(
        self, qrels: QrelsColumns, query_ids: Sequence[str] | None = None, kind: str = "qrels"
    ) -> None:
        names, lengths = qrels.query.run_lengths()
        self.is_part = qrels.is_part
        self.query_index = IdIndex(qrels.query_ids if query_ids is None else query_ids)
        self.doc_index, numbered = qrels.doc.numbered()
        self.query_ids = self.query_index.ids
        query = np.repeat(names.codes(self.query_index), lengths)
        self.digest = digest(
            packed_names(self.query_ids),
            query.tobytes(),
            qrels.doc.packed(),
            qrels.grade.tobytes(),
        )
        order = np.lexsort((-qrels.grade, query))
        query, grade = query[order], qrels.grade[order]
        doc = numbered[order]

        queries = len(self.query_ids)
        self.judged = np.bincount(query, minlength=queries)
        column = np.arange(len(query)) - np.repeat(
            np.cumsum(self.judged) - self.judged, self.judged
        )
        width = int(self.judged.max(initial=1))
        self.grade = np.zeros((queries, width), np.int64)
        self.grade[query, column] = grade
        self.positives = int((self.grade > 0).sum(axis=1).max(initial=1))

        key = self._key(query, doc)
        slot = query * np.int64(width) + column
        by_key = np.argsort(key)
        self._keys, self._slots = key[by_key], slot[by_key]
        # Most documents are judged for only one query: storing that query avoids a search.
        self._home_query = np.empty(len(self.doc_index), np.int32)
        self._home_slot = np.empty(len(self.doc_index), np.int64)
        self._home_query[doc], self._home_slot[doc] = query, slot
        self._in_several_queries = np.bincount(doc, minlength=len(self.doc_index)) > 1
        self._table = None
        if self._in_several_queries.any() and queries * len(self.doc_index) <= TABLE_CELLS:
            self._table = np.full(queries * len(self.doc_index), -1, np.int32)
            self._table[key] = slot
        duplicate = np.flatnonzero(self._keys[1:] == self._keys[:-1])[:1]
        if len(duplicate):
            row = by_key[duplicate[0]]
            query_id, doc_id = self.query_ids[query[row]], self.doc_index.ids[doc[row]]
            raise InputError(duplicate_message(qrels.origin, kind, query_id, "judges", doc_id))

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
        doc = self._keys[np.argsort(self._slots)] % max(len(self.doc_index), 1)
        return list(map(self.doc_index.ids.__getitem__, doc.tolist()))

    def ids_of(self, row: int) -> list[str]:
        """The judged documents of one query, in the order of its columns."""
        end = int(self.judged[: row + 1].sum())
        return self.ids_by_query[end - int(self.judged[row]) : end]

    def _key(self, query: NDArray[np.int32], doc: NDArray[np.int32]) -> NDArray[np.int64]:
        return query * np.int64(len(self.doc_index)) + doc

    @cached_property
    def self_reference(self) -> Judgments:
        """The documents of positive grade, ranked by grade, as a reference ranking."""
        return reference_judgments(self._as_run(), self.query_ids)

    def _as_run(self) -> RunColumns:
        positive = self.where(self.grade > 0)
        return RunColumns(positive.query, positive.doc, positive.grade.astype(np.float64))

    def where(self, mask: NDArray[np.bool_]) -> QrelsColumns:
        """The judgments at which a (queries, documents) mask is true, as qrels."""
        query, doc, slot = self.entries()
        selected = np.flatnonzero(mask.ravel()[slot])
        return QrelsColumns(
            ListIds([self.query_ids[code] for code in query[selected].tolist()]),
            ListIds([self.doc_index.ids[code] for code in doc[selected].tolist()]),
            self.grade.ravel()[slot[selected]],
        )

    def entries(self) -> tuple[Int64Array, Int64Array, Int64Array]:
        """The query and the document of each judgment, and its position in the raveled `grade`."""
        return *np.divmod(self._keys, len(self.doc_index)), self._slots

    @cached_property
    def native_index(self) -> Index | None:
        """The judgments as the native core looks them up; None if it is not built or declines."""
        if not native.BUILT:
            return None
        entries = self.entries()
        return native.make_index(self.query_ids, self.doc_index.ids, entries, self.grade.size)

    def find(
        self, query: NDArray[np.int32], doc: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which (query, document) codes are judged, and their positions in the raveled `grade`."""
        indexed = np.flatnonzero(doc >= 0)
        query, doc = query[indexed], doc[indexed]
        if self._table is not None:
            slot = self._table[self._key(query, doc)].astype(np.int64)
            hit = slot >= 0
            return indexed[hit], slot[hit]
        slot = self._home_slot[doc]
        hit = self._home_query[doc] == query
        other = np.flatnonzero(self._in_several_queries[doc] & ~hit)
        if len(other):
            key = self._key(query[other], doc[other])
            place = np.searchsorted(self._keys, key)
            place[place == len(self._keys)] = 0
            slot[other], hit[other] = self._slots[place], self._keys[place] == key
        return indexed[hit], slot[hit]


def reference_judgments(run: RunColumns, query_ids: Sequence[str]) -> Judgments:
    """A run as judgments of its own documents: grades by rank, the same grade for tied documents.

    Parameters
    ----------
    run
        The reference run.
    query_ids
        The queries of the rows of the judgments.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
    """
    ranking = rank_run(run, IdIndex(query_ids))
    group = np.cumsum(~ranking.tied)
    columns = QrelsColumns(
        ListIds([query_ids[query] for query in ranking.query.tolist()]),
        ListIds(run.doc.take(ranking.ordered_rows())),
        len(group) - group + 1,
    )
    return Judgments(columns, query_ids, kind="reference")
