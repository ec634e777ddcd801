"""Qrels and runs as arrays: the one place that ranks, breaks ties, joins and pads.

`Judgments` gives every judged document of a query a column, by descending grade; `judge` finds the
rank at which a run returned each of them. Of a run's documents only the judged ones are looked up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .columns import QrelsColumns, RunColumns, called
from .ids import IdIndex, ListIds

RankArray = NDArray[np.int32]

BLOCK_ELEMENTS = 1 << 19


def digest(*parts: bytes) -> str:
    """A short name for content: equal content, equal name."""
    content = blake2b(digest_size=8)
    for part in parts:
        content.update(len(part).to_bytes(8, "little"))
        content.update(part)
    return content.hexdigest()


def _packed(names: Sequence[str]) -> bytes:
    """Identifiers as bytes; different identifiers, different bytes, whatever they contain."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    return lengths.tobytes() + "".join(names).encode("utf-8", "surrogatepass")


def query_blocks(queries: int, elements_per_query: int) -> Iterator[slice]:
    """Slices of queries small enough that intermediate arrays stay a few MB."""
    step = max(1, BLOCK_ELEMENTS // max(1, elements_per_query))
    for start in range(0, queries, step):
        yield slice(start, min(start + step, queries))


class Levels(NamedTuple):
    """Grades by their place among all grades of the qrels.

    Attributes
    ----------
    grades : (levels,) ints
        Ascending from 0, which is always among them; negative grades count as 0.
    of : (queries, documents) ints
        The level of each judged document.
    """

    grades: NDArray[np.int64]
    of: NDArray[np.int64]


class Judgments:
    """The qrels, a row per query and a column per judged document, by descending grade.

    Parameters
    ----------
    qrels
        As read by `trec_files.read_qrels`.
    query_ids
        The rows; the queries of the qrels where None. Judgments of other queries are left out.
    kind
        What errors call the qrels.

    Attributes
    ----------
    query_ids : tuple of str
        In order of first appearance.
    grade : (queries, documents) ints
        Padded with 0; only the first ``judged`` columns of a row are documents.
    judged : (queries,) ints
        Number of judged documents.
    positives : int
        Largest number of documents of positive grade in a query, at least 1; such documents come
        first.
    digest : str
        Names the content: equal for equal qrels, whatever container they came in.

    Raises
    ------
    ValueError
        When a document is judged twice for a query.
    """

    def __init__(
        self, qrels: QrelsColumns, query_ids: Sequence[str] | None = None, kind: str = "qrels"
    ) -> None:
        query_names, doc_names = qrels.query.all(), qrels.doc.all()
        self.query_index = IdIndex(query_names if query_ids is None else query_ids)
        self.doc_index = IdIndex(doc_names)
        self.query_ids = self.query_index.ids
        self.digest = digest(
            _packed(self.query_ids),
            _packed(query_names),
            _packed(doc_names),
            qrels.grade.tobytes(),
        )
        query = qrels.query.codes(self.query_index)
        order = np.lexsort((-qrels.grade, query))
        order = order[np.count_nonzero(query < 0) :]
        query, grade = query[order], qrels.grade[order]
        doc = qrels.doc.codes(self.doc_index)[order]

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
        by_key = np.argsort(key)
        self._keys = key[by_key]
        self._slots = (query * np.int64(width) + column)[by_key]
        twice = np.flatnonzero(self._keys[1:] == self._keys[:-1])[:1]
        if len(twice):
            row = by_key[twice[0]]
            raise ValueError(
                f"{kind}: query {self.query_ids[query[row]]!r} judges document "
                f"{self.doc_index.ids[doc[row]]!r} more than once"
            )

    @cached_property
    def levels(self) -> Levels:
        """The grades as positions in the sorted list of all of them."""
        grade = np.maximum(self.grade, 0)
        grades = np.unique(np.append(grade[self.is_judged], 0))
        return Levels(grades, np.searchsorted(grades, grade))

    @cached_property
    def is_judged(self) -> NDArray[np.bool_]:
        """Which columns are documents, not padding: (queries, documents)."""
        return np.arange(self.grade.shape[1]) < self.judged[:, np.newaxis]

    def _key(self, query: NDArray[np.int32], doc: NDArray[np.int32]) -> NDArray[np.int64]:
        return query * np.int64(len(self.doc_index)) + doc

    @cached_property
    def as_reference(self) -> Judgments:
        """The documents of positive grade, ranked by grade, as judgments of themselves."""
        return reference_judgments(self._as_run(), self.query_ids)

    def _as_run(self) -> RunColumns:
        positive = self.where(self.grade > 0)
        return RunColumns(positive.query, positive.doc, positive.grade.astype(np.float64))

    def where(self, kept: NDArray[np.bool_]) -> QrelsColumns:
        """Some of the judgments as qrels: those where a (queries, documents) mask is true."""
        of_row = np.flatnonzero(kept.ravel()[self._slots])
        query, doc = np.divmod(self._keys[of_row], max(1, len(self.doc_index)))
        return QrelsColumns(
            ListIds([self.query_ids[code] for code in query.tolist()]),
            ListIds([self.doc_index.ids[code] for code in doc.tolist()]),
            self.grade.ravel()[self._slots[of_row]],
        )

    def find(
        self, query: NDArray[np.int32], doc: NDArray[np.int32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Which (query, document) codes are judged, and their places in the raveled `grade`."""
        known = np.flatnonzero(doc >= 0)
        key = self._key(query[known], doc[known])
        place = np.searchsorted(self._keys, key)
        place[place == len(self._keys)] = 0
        hit = self._keys[place] == key if len(self._keys) else np.zeros(len(key), bool)
        return known[hit], self._slots[place[hit]]


@dataclass(frozen=True)
class Ranking:
    """A run's rows in trec_eval's order: query, float32 score descending, document id descending.

    Attributes
    ----------
    row : (returned,) ints
        Rows of the run, ranked, those of unknown queries left out.
    query : (returned,) ints
        The query of each, ascending.
    start, returned : (queries,) ints
        Where each query's ranking starts, and how long it is.
    """

    row: NDArray[np.int64]
    query: NDArray[np.int32]
    score: NDArray[np.float32]
    start: NDArray[np.int64]
    returned: NDArray[np.int64]


def rank_run(run: RunColumns, query_index: IdIndex, name: str | None = None) -> Ranking:
    """Order a run, sorting only the queries that do not come sorted.

    Raises
    ------
    ValueError
        When a score is NaN.
    """
    query = run.query.codes(query_index)
    row = np.flatnonzero(query >= 0)
    query = query[row]
    if len(query) and np.any(query[1:] < query[:-1]):
        grouped = np.argsort(query, kind="stable")
        row, query = row[grouped], query[grouped]
    with np.errstate(over="ignore"):  # beyond float32 is infinite, as in trec_eval
        score = run.score[row].astype(np.float32)
    not_a_number = row[np.isnan(score)][:1]
    if len(not_a_number):
        raise ValueError(
            f"{called(name)}: score is NaN for query {run.query.take(not_a_number)[0]!r}, "
            f"document {run.doc.take(not_a_number)[0]!r}"
        )
    returned = np.bincount(query, minlength=len(query_index))
    same_query = query[1:] == query[:-1]
    rising = same_query & (score[1:] > score[:-1])
    if rising.any():
        unsorted = np.zeros(len(query_index), bool)
        unsorted[query[1:][rising]] = True
        place = np.flatnonzero(unsorted[query])
        by_score = place[np.lexsort((-score[place], query[place]))]
        row[place], score[place] = row[by_score], score[by_score]
    tied = same_query & (score[1:] == score[:-1])
    if tied.any():
        _break_ties(run, row, tied)
    return Ranking(row, query, score, np.cumsum(returned) - returned, returned)


def _break_ties(run: RunColumns, row: NDArray[np.int64], tied: NDArray[np.bool_]) -> None:
    """Order, in place, the rows that tie with the row before them by document id, descending."""
    in_group = np.concatenate(([False], tied)) | np.concatenate((tied, [False]))
    place = np.flatnonzero(in_group)
    group = np.cumsum(~np.concatenate(([False], tied))[place])
    names = run.doc.take(row[place])
    number = {name: number for number, name in enumerate(sorted(set(names)))}
    name_order = np.fromiter(map(number.__getitem__, names), np.int64, len(names))
    row[place] = row[place[np.lexsort((-name_order, group))]]


@dataclass(frozen=True)
class JudgedRun:
    """A run seen through the judgments: at which rank it returned each judged document.

    Attributes
    ----------
    judgments
        The qrels; rows and columns below are theirs.
    rank : (queries, documents) ints
        1 for the first; 0 where the document was not returned.
    returned : (queries,) ints
        Number of documents returned, judged or not.
    name
        The system's name, where it is known.
    shared
        What measures of the same run have in common, so that it is computed once.
    """

    judgments: Judgments
    rank: RankArray
    returned: NDArray[np.int64]
    name: str | None
    _ranking: Ranking
    _columns: RunColumns
    shared: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def scores(self, cutoff: int | None) -> NDArray[np.float32]:
        """Scores by rank down to the cutoff: (queries, depth), padded with 0."""
        ranking = self._ranking
        place = np.arange(len(ranking.row)) - ranking.start[ranking.query]
        depth = int(self.returned.max(initial=0))
        depth = depth if cutoff is None else min(cutoff, depth)
        kept = place < depth
        by_rank = np.zeros((len(self.returned), depth), np.float32)
        by_rank[ranking.query[kept], place[kept]] = ranking.score[kept]
        return by_rank

    def against(self, judgments: Judgments) -> JudgedRun:
        """The same run seen through other judgments of the same queries."""
        return _look_up(judgments, self._ranking, self._columns, self.name)

    def top_documents(self, depth: int | None) -> list[list[str]]:
        """The ids of each query's highest ranked documents, judged or not."""
        tops = []
        for start, returned in zip(self._ranking.start, self._ranking.returned, strict=True):
            end = start + (returned if depth is None else min(depth, returned))
            tops.append(self._columns.doc.take(self._ranking.row[start:end]))
        return tops


def judge(judgments: Judgments, run: RunColumns, name: str | None = None) -> JudgedRun:
    """Rank a run and look its judged documents up.

    Raises
    ------
    ValueError
        When a score is NaN, or a judged document was returned twice for a query.
    """
    return _look_up(judgments, rank_run(run, judgments.query_index, name), run, name)


def reference_judgments(run: RunColumns, query_ids: Sequence[str]) -> Judgments:
    """A run as judgments of its own documents: by its ranking, tied documents of equal grade.

    Parameters
    ----------
    run
        The reference.
    query_ids
        The rows of the judgments.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
    """
    ranking = rank_run(run, IdIndex(query_ids))
    differs = np.ones(len(ranking.row), bool)
    differs[1:] = (ranking.query[1:] != ranking.query[:-1]) | (
        ranking.score[1:] != ranking.score[:-1]
    )
    group = np.cumsum(differs)
    columns = QrelsColumns(
        ListIds([query_ids[query] for query in ranking.query.tolist()]),
        ListIds(run.doc.take(ranking.row)),
        len(group) - group + 1,
    )
    return Judgments(columns, query_ids, kind="reference")


def _look_up(
    judgments: Judgments, ranking: Ranking, run: RunColumns, name: str | None
) -> JudgedRun:
    doc = run.doc.codes(judgments.doc_index)[ranking.row]
    place, slot = judgments.find(ranking.query, doc)
    at = (place - ranking.start[ranking.query[place]] + 1).astype(np.int32)
    rank = np.zeros(judgments.grade.shape, np.int32)
    rank.ravel()[slot] = at
    twice = place[rank.ravel()[slot] != at][:1]
    if len(twice):
        raise ValueError(
            f"{called(name)}: query {judgments.query_ids[ranking.query[twice[0]]]!r} returns "
            f"document {run.doc.take(ranking.row[twice])[0]!r} more than once"
        )
    return JudgedRun(judgments, rank, ranking.returned, name, ranking, run)


def run_digest(run: RunColumns, name: str | None = None) -> str:
    """Names a run's content: queries, rankings, scores; whatever container they came in."""
    index = IdIndex(sorted(set(run.query.all())))
    ranking = rank_run(run, index, name)
    return digest(
        _packed(index.ids),
        ranking.returned.tobytes(),
        _packed(run.doc.take(ranking.row)),
        (ranking.score + np.float32(0)).tobytes(),  # -0.0 ties with 0.0
    )
