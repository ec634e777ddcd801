"""A run joined with judgments: the rank of every judged document, and results derived from it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Float32Array, Int32Array, Int64Array
from ..io import native
from ..io.identifiers import packed_names
from ..io.source import Rows, Source, Text, contradiction_of, first_rows
from ..io.table import Table
from .judgments import Judgments
from .ranking import Ranking, TieOrder, digest

Value = TypeVar("Value")


class Ranks(NamedTuple):
    """What judgments need of a run."""

    rank: Int32Array  # (queries, documents), from 1; 0 if the document was not returned
    returned: Int64Array  # (queries,), number of documents returned, judged or not
    tied_tops: int  # number of queries; see `Ranking.tied_tops`
    own_tops: int  # number of queries; see `Ranking.own_tops`
    tie_by_rounding: bool  # whether most documents tie only when scores are float32


class JudgedRun:
    """A run joined with the judgments: the rank of each judged document.

    The run and the judgments never change. Results that several measures need are cached: see
    `derived`.

    The run is ranked at once; errors are those of `Ranking.of`. All its rows are read when a result
    needs them. It may be one that was judged for the same queries. `name` is the system's, if
    known. `depths` are those at which the run may be compared with others: see `top_digest`;
    `with_scores` says whether `scores` will be needed. The fields of `Ranks` are attributes.
    """

    def __init__(
        self,
        judgments: Judgments,
        run: Source | Table | JudgedRun,
        name: str | None = None,
        depths: Iterable[int | None] = (),
        with_scores: bool = False,
    ) -> None:
        self.judgments = judgments
        self.name = name
        self._same = run if isinstance(run, JudgedRun) else None
        given = run.source if isinstance(run, JudgedRun) else run
        self.source: Source = Source.of_table(given) if isinstance(given, Table) else given
        self._derived: dict[Hashable, object] = {}
        self._ties: Sequence[Int64Array] | None = None  # of the native core
        ranks = self._ranked_in_core(tuple(depths), with_scores)
        if ranks is None:
            found = self.ranking
            rank = judgments.ranks_in(found)
            ranks = Ranks(
                rank, found.returned, found.tied_tops, found.own_tops, found.tie_by_rounding
            )
        self.rank = ranks.rank
        self.returned = ranks.returned
        self.tied_tops = ranks.tied_tops
        self.own_tops = ranks.own_tops
        self.tie_by_rounding = ranks.tie_by_rounding

    def _ranked_in_core(self, depths: Sequence[int | None], with_scores: bool) -> Ranks | None:
        """The ranks that the native core finds; None if it declines, or the run may be empty."""
        index = self.judgments.native_index
        if index is None:
            return None
        rows = self._rows()
        shape, without_identical = self.judgments.grade.shape, self.source.without_identical
        found = native.rank(index, rows, shape, depths, with_scores, without_identical)
        if found is None or not found.returned.any():
            return None
        if isinstance(rows, Text):  # which is not read again
            self.first_rows = first_rows(rows)
            self.contradiction = contradiction_of(rows)
        self._ties = found.ties
        if with_scores:
            self._score = found.scores
        lengths = found.returned
        for depth, packed in zip(depths, found.tops, strict=True):
            self._derived["top digest", depth] = digest(_cut(lengths, depth).tobytes(), packed)
        return Ranks(found.rank, lengths, found.tied_tops, found.own_tops, found.tie_by_rounding)

    def _rows(self) -> Rows:
        """The rows as they came, or as they were read."""
        is_read = self._same is not None and "table" in vars(self._same)
        rows = None if is_read else self.source.rows()
        return self.table if rows is None else rows

    @property
    def label(self) -> str:
        """What errors call the run."""
        return self.source.label

    @cached_property
    def table(self) -> Table:
        """All rows of the run."""
        return self.source.read() if self._same is None else self._same.table

    @cached_property
    def ranking(self) -> Ranking:
        """The ranking of all documents for each query of the judgments."""
        if self._same is not None:
            return self._same.ranking
        return Ranking.of(self.table, self.judgments.query_index)

    def rank_in(self, order: TieOrder) -> Int32Array:
        """The ranks where tied documents have another order: (queries, documents)."""
        return self.derived(("rank in", order), lambda: self._rank_in(order))

    def _rank_in(self, order: TieOrder) -> Int32Array:
        if self._ties is None:
            if not self.ranking.tied.any():
                return self.rank
            return self.judgments.ranks_in(self.ranking, self.ranking.places_in(order))
        cell, rank = self._ties[order].T
        if not len(cell):
            return self.rank
        ranks = self.rank.copy()
        ranks.ravel()[cell] = rank
        return ranks

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries of the run, those without judgments too, in order of first appearance."""
        memory = self.source.memory
        if isinstance(memory, dict) and not self.source.without_identical:
            return tuple(query for query, documents in memory.items() if documents)
        return self.table.query_ids

    @cached_property
    def first_rows(self) -> list[tuple[str, str]]:
        """Query and document of some rows at the beginning of the run."""
        return first_rows(self._held())

    @cached_property
    def contradiction(self) -> str:
        """How the rank column of the run contradicts its scores; empty if it does not."""
        return contradiction_of(self._held())

    def _held(self) -> Rows:
        """The rows in memory; if the run is a file, it is read."""
        memory = self.source.memory
        return self.table if memory is None else memory

    def derived(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """A result that depends only on this run and its judgments; computed only once."""
        if key not in self._derived:
            self._derived[key] = make()
        return self._derived[key]  # type: ignore[return-value]

    def scores(self, cutoff: int | None) -> NDArray[np.float32]:
        """Scores by rank down to the cutoff: (queries, depth), padded with 0."""
        depth = int(self.returned.max(initial=0))
        depth = depth if cutoff is None else min(cutoff, depth)
        by_rank = np.zeros((len(self.returned), depth), np.float32)
        query = np.repeat(np.arange(len(self.returned)), self.returned)
        start = np.cumsum(self.returned) - self.returned
        rank = np.arange(len(query)) - start[query]
        top = np.flatnonzero(rank < depth)
        by_rank[query[top], rank[top]] = self._score[top]
        return by_rank

    @cached_property
    def _score(self) -> Float32Array:
        """The score of each document, as trec_eval compares it, by query and rank: (returned,)."""
        return self.ranking.score

    def against(self, judgments: Judgments) -> JudgedRun:
        """The same run joined with other judgments of the same queries; computed once."""
        return self.derived(
            ("against", judgments.digest),
            lambda: JudgedRun(judgments, self, self.name, with_scores=True),
        )

    def top_documents(self, depth: int | None) -> list[list[str]]:
        """The ids of each query's highest ranked documents, judged or not."""
        names = self.ranking.doc_ids(self.ranking.top(depth))
        ends = np.cumsum(self.top_lengths(depth)).tolist()
        return [names[start:end] for start, end in pairwise([0, *ends])]

    def returned_documents(self, row: int) -> list[str]:
        """The ids of all documents that the run returned for one query, by rank."""
        start = int(self.ranking.start[row])
        return self.ranking.doc_ids(slice(start, start + int(self.returned[row])))

    def top_digest(self, depth: int | None) -> str:
        """A digest of the result of `top_documents`; known at once at the `depths` of the run."""

        def make() -> str:
            if self._ties is not None and "table" not in vars(self):  # the core takes less time
                return JudgedRun(self.judgments, self, depths=[depth]).top_digest(depth)
            names = self.ranking.doc_ids(self.ranking.top(depth))
            return digest(self.top_lengths(depth).tobytes(), packed_names(names))

        return self.derived(("top digest", depth), make)

    def top_lengths(self, depth: int | None) -> Int64Array:
        """How many documents were returned down to a depth: (queries,)."""
        return _cut(self.returned, depth)


def _cut(returned: Int64Array, depth: int | None) -> Int64Array:
    return returned if depth is None else np.minimum(returned, depth)
