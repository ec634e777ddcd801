"""Qrels and runs as arrays: the one place that ranks, breaks ties, joins and pads.

`Judgments` gives every judged document of a query a column, by descending grade; `judge` finds the
rank at which a run returned each of them. Of a run's documents only the judged ones are looked up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .columns import QrelsColumns, RunColumns, called
from .ids import IdIndex, Ids, ListIds
from .recent import Recent

RankArray = NDArray[np.int32]

BLOCK_ELEMENTS = 1 << 19
INDEXED = 8
INDEXED_ROWS = 1 << 18
TABLE_CELLS = 1 << 22


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
        The rows, all queries of the qrels among them; just those where None.
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
        names, lengths = qrels.query.stretches()
        doc_names = qrels.doc.all()
        self.query_index = IdIndex(qrels.query_ids if query_ids is None else query_ids)
        self.doc_index = IdIndex(doc_names)
        self.query_ids = self.query_index.ids
        query = np.repeat(names.codes(self.query_index), lengths)
        self.digest = digest(
            _packed(self.query_ids), query.tobytes(), _packed(doc_names), qrels.grade.tobytes()
        )
        order = np.lexsort((-qrels.grade, query))
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
        slot = query * np.int64(width) + column
        by_key = np.argsort(key)
        self._keys, self._slots = key[by_key], slot[by_key]
        # Most documents are judged for one query: the last one of each is found without a search.
        self._home_query = np.empty(len(self.doc_index), np.int32)
        self._home_slot = np.empty(len(self.doc_index), np.int64)
        self._home_query[doc], self._home_slot[doc] = query, slot
        self._elsewhere = np.bincount(doc, minlength=len(self.doc_index)) > 1
        self._table = None
        if self._elsewhere.any() and queries * len(self.doc_index) <= TABLE_CELLS:
            self._table = np.full(queries * len(self.doc_index), -1, np.int32)
            self._table[key] = slot
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
        query, doc = np.divmod(self._keys[of_row], len(self.doc_index))
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
        query, doc = query[known], doc[known]
        if self._table is not None:
            slot = self._table[self._key(query, doc)].astype(np.int64)
            hit = slot >= 0
            return known[hit], slot[hit]
        slot = self._home_slot[doc]
        hit = self._home_query[doc] == query
        other = np.flatnonzero(self._elsewhere[doc] & ~hit)
        if len(other):
            key = self._key(query[other], doc[other])
            place = np.searchsorted(self._keys, key)
            place[place == len(self._keys)] = 0
            slot[other], hit[other] = self._slots[place], self._keys[place] == key
        return known[hit], slot[hit]


_indexed: Recent[tuple[QrelsColumns, Judgments]] = Recent(INDEXED)


def judgments_of(qrels: QrelsColumns) -> Judgments:
    """The qrels indexed; qrels of the same content, if not very many, are indexed once.

    Comparing them with those used last costs far less than indexing them again, and ir_measures and
    PyTerrier make new evaluators, from copies of the qrels, for every run.
    """
    if len(qrels.grade) > INDEXED_ROWS:
        return Judgments(qrels)
    for known, judgments in _indexed.values():
        if known.same(qrels):
            return _indexed.put(judgments.digest, (known, judgments))[1]
    judgments = Judgments(qrels)
    return _indexed.put(judgments.digest, (qrels.snapshot(), judgments))[1]


@dataclass(frozen=True)
class Ranking:
    """A run's rows in trec_eval's order: query, float32 score descending, document id descending.

    Documents of equal score stand in no particular order before `order_ties`.

    Attributes
    ----------
    row : (returned,) ints
        Rows of the run, ranked, those of unknown queries left out.
    query : (returned,) ints
        The query of each, ascending.
    tied : (returned,) bools
        Whether each has the score of the one before, in the same query.
    start, returned : (queries,) ints
        Where each query's ranking starts, and how long it is.
    """

    row: NDArray[np.int64]
    query: NDArray[np.int32]
    score: NDArray[np.float32]
    tied: NDArray[np.bool_]
    start: NDArray[np.int64]
    returned: NDArray[np.int64]

    def order_ties(self, doc: Ids, places: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Order tied rows by document id, descending, in place.

        Parameters
        ----------
        doc
            The document ids of the run.
        places
            Only those that tie with the rows here; all where None. Names are costly to compare.

        Returns
        -------
        The places of the rows that were ordered.
        """
        grouped = self.tied.copy()
        grouped[:-1] |= self.tied[1:]
        place = np.flatnonzero(grouped)
        group = np.cumsum(~self.tied[place])
        if places is not None:
            asked = np.zeros(len(self.row), bool)
            asked[places] = True
            wanted = np.zeros(len(place) + 1, bool)
            wanted[group[asked[place]]] = True
            place, group = place[wanted[group]], group[wanted[group]]
        names = doc.take(self.row[place])
        number = {name: number for number, name in enumerate(sorted(set(names)))}
        name_order = np.fromiter(map(number.__getitem__, names), np.int64, len(names))
        self.row[place] = self.row[place[np.lexsort((-name_order, group))]]
        return place

    def top(self, depth: int | None) -> NDArray[np.int64]:
        """Places of every query's highest ranks."""
        if depth is None:
            return np.arange(len(self.row))
        place = np.arange(len(self.row)) - self.start[self.query]
        return np.flatnonzero(place < depth)


def rank_run(run: RunColumns, query_index: IdIndex, name: str | None = None) -> Ranking:
    """Order a run, sorting only the queries that do not come sorted; ties are left as they come.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
    """
    names, lengths = run.query.stretches()
    stretch = names.codes(query_index)
    query = np.repeat(stretch, lengths)
    known = stretch >= 0
    with np.errstate(over="ignore"):  # beyond float32 is infinite, as in trec_eval
        if known.all():
            row = np.arange(len(query))
            score = run.score.astype(np.float32)
        else:
            row = np.flatnonzero(query >= 0)
            query, score = query[row], run.score[row].astype(np.float32)
            stretch, lengths = stretch[known], lengths[known]
    not_a_number = np.isnan(score)
    if not_a_number.any():
        first = row[not_a_number][:1]
        raise ValueError(
            f"{called(name)}: score is NaN for query {run.query.take(first)[0]!r}, "
            f"document {run.doc.take(first)[0]!r}"
        )
    returned = np.bincount(stretch, lengths, len(query_index)).astype(np.int64)
    if np.any(stretch[1:] < stretch[:-1]):
        by_score = np.argsort(_rank_key(query, score))
        row, query, score = row[by_score], query[by_score], score[by_score]
        _refuse_repeats(run, row, query, query_index, name)
    else:
        _refuse_repeats(run, row, query, query_index, name)
        rising = score[1:] > score[:-1]
        rising &= query[1:] == query[:-1]
        if rising.any():
            unsorted = np.zeros(len(query_index), bool)
            unsorted[query[1:][rising]] = True
            place = np.flatnonzero(unsorted[query])
            by_score = place[np.argsort(_rank_key(query[place], score[place]))]
            row[place], score[place] = row[by_score], score[by_score]
    tied = np.zeros(len(row), bool)
    tied[1:] = (score[1:] == score[:-1]) & (query[1:] == query[:-1])
    return Ranking(row, query, score, tied, np.cumsum(returned) - returned, returned)


def _refuse_repeats(
    run: RunColumns,
    row: NDArray[np.int64],
    query: NDArray[np.int32],
    query_index: IdIndex,
    name: str | None,
) -> None:
    """ValueError where rows, grouped by query, hold a document twice for one."""
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    if run.distinct or not run.doc.repeated(row, starts):
        return
    seen = set()
    for code, document in zip(query.tolist(), run.doc.take(row), strict=True):
        if (code, document) in seen:
            raise ValueError(
                f"{called(name)}: query {query_index.ids[code]!r} returns document {document!r} "
                "more than once"
            )
        seen.add((code, document))


def _rank_key(query: NDArray[np.int32], score: NDArray[np.float32]) -> NDArray[np.int64]:
    """Ascends as queries do, and within them as scores descend: one number is sorted fastest."""
    bits = (score + np.float32(0)).view(np.int32)  # -0.0 ties with 0.0
    ascending = bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))
    return (query.astype(np.int64) << 32) - ascending


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
        depth = int(self.returned.max(initial=0))
        depth = depth if cutoff is None else min(cutoff, depth)
        top = ranking.top(depth)
        query = ranking.query[top]
        by_rank = np.zeros((len(self.returned), depth), np.float32)
        by_rank[query, top - ranking.start[query]] = ranking.score[top]
        return by_rank

    def against(self, judgments: Judgments) -> JudgedRun:
        """The same run seen through other judgments of the same queries; looked up once."""
        key = ("against", judgments.digest)
        if key not in self.shared:
            self.shared[key] = _look_up(judgments, self._ranking, self._columns, self.name)
        return self.shared[key]

    def top_documents(self, depth: int | None) -> list[list[str]]:
        """The ids of each query's highest ranked documents, judged or not."""
        names, ends = self._top_names(depth), np.cumsum(self._top_lengths(depth)).tolist()
        return [names[start:end] for start, end in pairwise([0, *ends])]

    def top_digest(self, depth: int | None) -> str:
        """Names what `top_documents` gives."""
        return digest(self._top_lengths(depth).tobytes(), _packed(self._top_names(depth)))

    def _top_names(self, depth: int | None) -> list[str]:
        top = self._ranking.top(depth)
        self._ranking.order_ties(self._columns.doc, top)
        return self._columns.doc.take(self._ranking.row[top])

    def _top_lengths(self, depth: int | None) -> NDArray[np.int64]:
        return self.returned if depth is None else np.minimum(self.returned, depth)


def judge(judgments: Judgments, run: RunColumns, name: str | None = None) -> JudgedRun:
    """Rank a run and look its judged documents up.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
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
    ranking.order_ties(run.doc)
    group = np.cumsum(~ranking.tied)
    columns = QrelsColumns(
        ListIds([query_ids[query] for query in ranking.query.tolist()]),
        ListIds(run.doc.take(ranking.row)),
        len(group) - group + 1,
    )
    return Judgments(columns, query_ids, kind="reference")


def _look_up(
    judgments: Judgments, ranking: Ranking, run: RunColumns, name: str | None
) -> JudgedRun:
    code = run.doc.codes(judgments.doc_index)
    place, slot = judgments.find(ranking.query, code[ranking.row])
    if ranking.tied.any():
        moved = ranking.order_ties(run.doc, place)
        alone = np.ones(len(ranking.row), bool)
        alone[moved] = False
        found, slot_of_found = judgments.find(ranking.query[moved], code[ranking.row[moved]])
        slot = np.concatenate((slot[alone[place]], slot_of_found))
        place = np.concatenate((place[alone[place]], moved[found]))
    rank = np.zeros(judgments.grade.shape, np.int32)
    rank.ravel()[slot] = place - ranking.start[ranking.query[place]] + 1
    return JudgedRun(judgments, rank, ranking.returned, name, ranking, run)


def run_digest(run: RunColumns, name: str | None = None) -> str:
    """Names a run's content: queries, rankings, scores; whatever container they came in."""
    index = IdIndex(sorted(set(run.query.all())))
    ranking = rank_run(run, index, name)
    ranking.order_ties(run.doc)
    return digest(
        _packed(index.ids),
        ranking.returned.tobytes(),
        _packed(run.doc.take(ranking.row)),
        (ranking.score + np.float32(0)).tobytes(),  # -0.0 ties with 0.0
    )
