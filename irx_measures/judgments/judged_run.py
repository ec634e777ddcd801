"""A run joined with judgments: the rank of every judged document, and results derived from it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Float32Array, Int32Array, Int64Array
from ..io import core
from ..io.core import Ranked
from ..io.source import Rows, Source, beginning
from ..io.table import Table
from .judgments import Judgments
from .ranking import Ranking, TieOrder, digest

Value = TypeVar("Value")


class JudgedRun:
    """A run joined with the judgments: the rank of each judged document.

    The run and the judgments never change. Results that several measures need are cached: see
    `derived`.

    The run is ranked at once; errors are those of `Ranking.of`. All its rows are read when a result
    needs them. It may be one that was judged for the same queries. `name` is the system's, if
    known. `depths` are those at which the run may be compared with others: see `top_digest`;
    `with_scores` says whether `scores` will be needed.

    Attributes
    ----------
    rank, returned, tied_tops, own_tops, tie_by_rounding
        As in `io.core.Ranked`.
    first_rows
        Query and document of some rows at the beginning of the run.
    contradiction
        How the rank column of the run contradicts its scores; empty if it does not.
    """

    first_rows: list[tuple[str, str]]
    contradiction: str

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
        self._depths = tuple(depths)
        self._ranked = self._rank(with_scores)
        self.rank = self._ranked.rank
        self.returned = self._ranked.returned
        self.tied_tops = self._ranked.tied_tops
        self.own_tops = self._ranked.own_tops
        self.tie_by_rounding = self._ranked.tie_by_rounding

    def _rank(self, with_scores: bool) -> Ranked:
        """Rank the run: by the core; by numpy where it declines, or the run may be empty."""
        judgments, rows = self.judgments, self._rows()
        index, shape = judgments.native_index, judgments.grade.shape
        if index is not None:
            given = rows.columns if isinstance(rows, Table) else rows
            aside = self.source.without_identical
            found = core.rank(index, given, shape, self._depths, with_scores, aside)
            if found is not None and found.returned.any():
                self.first_rows, self.contradiction = beginning(rows, found.head)
                return found
        if not isinstance(rows, Table):
            self.table = self.source.table(rows)
        self.first_rows, self.contradiction = beginning(self.table)
        return judgments.ranked(self.ranking, self._depths)

    def _rows(self) -> Rows:
        """The rows for the core; kept as `table` where all were read."""
        if self._same is not None and "table" in vars(self._same):
            return self._same.table
        rows = self.source.rows()
        if isinstance(rows, Table) or self.source.strict is False:
            rows = self.table = self.source.table(rows)
        return rows

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
        cell, rank = self._ranked.ties[order].T
        if not len(cell):
            return self.rank
        ranks = self.rank.copy()
        ranks.ravel()[cell] = rank
        return ranks

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries of the run, those without judgments too, in order of first appearance."""
        return self.table.query_ids

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
        if len(self._ranked.scores) < self.returned.sum():
            return JudgedRun(self.judgments, self, with_scores=True)._score
        return self._ranked.scores

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
            if depth not in self._depths:
                return JudgedRun(self.judgments, self, depths=[depth]).top_digest(depth)
            packed = self._ranked.tops[self._depths.index(depth)]
            return digest(self.top_lengths(depth).tobytes(), packed)

        return self.derived(("top digest", depth), make)

    def top_lengths(self, depth: int | None) -> Int64Array:
        """How many documents were returned down to a depth: (queries,)."""
        return self.returned if depth is None else np.minimum(self.returned, depth)
