"""A run joined with judgments: the rank of every judged document, and results derived from it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import Int32Array, Int64Array
from ..io import native
from ..io.identifiers import packed_names
from ..io.rank_column import HEAD_BYTES
from ..io.source import Source, head_of
from ..io.table import Head, Table
from .judgments import Judgments
from .ranking import Ranking, digest

Value = TypeVar("Value")


class Ranks(NamedTuple):
    """What judgments need of a run."""

    rank: Int32Array  # (queries, documents), from 1; 0 if the document was not returned
    returned: Int64Array  # (queries,), number of documents returned, judged or not
    tied_tops: int  # number of queries; see `Ranking.tied_tops`
    tie_by_rounding: bool = False  # whether most documents tie only when scores are float32


class JudgedRun:
    """A run joined with the judgments: the rank of each judged document.

    The run and the judgments never change. Results that several measures need are cached: see
    `derived`.

    The run is read and ranked when a result needs it; errors are those of `Ranking.of`. It may be
    one that was judged for the same queries. `name` is the system's, if known. `rows_needed` says
    whether a result will need the rows in any case: the native core is then not asked. `ranks`,
    whose fields are attributes too, are those of the run if they are known.
    """

    def __init__(
        self,
        judgments: Judgments,
        run: Source | Table | JudgedRun,
        name: str | None = None,
        rows_needed: bool = False,
        ranks: Ranks | None = None,
    ) -> None:
        self.judgments = judgments
        self.name = name
        self._same = run if isinstance(run, JudgedRun) else None
        given = run.source if isinstance(run, JudgedRun) else run
        self.source: Source = Source.of_table(given) if isinstance(given, Table) else given
        self._beginning = b""
        self._derived: dict[Hashable, object] = {}
        if ranks is None and not rows_needed:
            ranks = self._ranks_in_core()
        self._rows_needed = ranks is None
        if ranks is None:
            found = self.ranking
            rank = judgments.ranks_in(found)
            ranks = Ranks(rank, found.returned, found.tied_tops, found.tie_by_rounding)
        self.ranks = ranks
        self.rank, self.returned, self.tied_tops, self.tie_by_rounding = ranks

    def _ranks_in_core(self) -> Ranks | None:
        """The ranks that the native core finds; None if it declines, or the run may be empty."""
        index = self.judgments.native_index
        unread = None if index is None else self.source.unread()
        if index is None or unread is None:
            return None
        found = native.rank(index, unread, self.judgments.grade.shape)
        if found is None or not found[1].any():
            return None
        if isinstance(unread, bytes):  # of a file that is not read again
            self._beginning = unread[:HEAD_BYTES]
        return Ranks(*found)  # the core declines a run that ties by rounding

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

    def holds(self, other: Source) -> bool:
        """Whether the run has the rows of another."""
        return self.source.has_rows_of(other) or self.table.equals(other.read())

    @property
    def query_ids(self) -> tuple[str, ...]:
        """The queries of the run, those without judgments too, in order of first appearance."""
        memory = self.source.memory
        if isinstance(memory, dict):
            return tuple(query for query, documents in memory.items() if documents)
        return self.table.query_ids

    @cached_property
    def head(self) -> Head:
        """The beginning of the run."""
        memory = self.source.memory
        return head_of(self._beginning or (self.table if memory is None else memory))

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
        place = self.ranking.top(depth)
        by_rank[self.ranking.query[place], self.ranking.rank[place] - 1] = self.ranking.score[place]
        return by_rank

    def against(self, judgments: Judgments) -> JudgedRun:
        """The same run joined with other judgments of the same queries; computed once."""
        return self.derived(
            ("against", judgments.digest),
            lambda: JudgedRun(judgments, self, self.name, self._rows_needed),
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
        """A digest of the result of `top_documents`."""

        def make() -> str:
            names = self.ranking.doc_ids(self.ranking.top(depth))
            return digest(self.top_lengths(depth).tobytes(), packed_names(names))

        return self.derived(("top digest", depth), make)

    def top_lengths(self, depth: int | None) -> Int64Array:
        """How many documents were returned down to a depth: (queries,)."""
        return self.returned if depth is None else np.minimum(self.returned, depth)
