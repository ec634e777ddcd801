"""A run joined with judgments: the rank of every judged document, and results derived from it.

Only the judged documents of a run are looked up. The ids of tied documents are compared only if
the tie includes a judged document.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import FloatArray, Int32Array, Int64Array
from ..common.trec_order import Float32Array
from ..io import native
from ..io.columns import RunColumns
from ..io.containers import NestedRun
from ..io.identifiers import IdIndex, packed_names
from .digests import digest
from .judgments import Judgments
from .nested_look_up import NestedLookUp, look_up, top_names
from .ranking import Ranking, rank_run, tie_by_rounding

Value = TypeVar("Value")


class FoundRanks(NamedTuple):
    """What a look-up finds.

    Attributes
    ----------
    rank, returned
        The attributes of a `JudgedRun`.
    scores
        The scores of each query's documents by rank: (returned,).
    top_names
        The highest ranked documents, query by query, given how many of each query: the smaller of a
        depth and of how many were returned.
    tie_by_rounding
        Whether most documents tie, as float32 only, with one of another score.
    """

    rank: Int32Array
    returned: Int64Array
    scores: Callable[[], Float32Array]
    top_names: Callable[[Int64Array], list[str]]
    tie_by_rounding: Callable[[], bool]


class RankedRun(Protocol):
    """A run, ranked for the queries of judgments."""

    @property
    def ranking(self) -> Ranking:
        """The ranking of all documents for each query."""

    def find(self, judgments: Judgments) -> FoundRanks:
        """Find the documents of judgments of these queries."""


@dataclass(frozen=True)
class RunInOrder:
    """A run of which all documents are ranked, and the scores of its rows."""

    ranking: Ranking
    score: FloatArray

    def find(self, judgments: Judgments) -> FoundRanks:
        ranking = self.ranking
        return FoundRanks(
            _ranks_of_judged(judgments, ranking),
            ranking.returned,
            lambda: ranking.score,
            self._top_names,
            lambda: tie_by_rounding(ranking.tied, self.score[ranking.row]),
        )

    def _top_names(self, lengths: Int64Array) -> list[str]:
        ranking = self.ranking
        places = ranking.top(int(lengths.max(initial=0)))
        return ranking.doc.take(ranking.ordered_rows(places))


@dataclass(frozen=True)
class RunInDict:
    """A run in the caller's dict; all documents are ranked only if a result needs it."""

    nested: NestedLookUp
    run: RunColumns
    source: NestedRun
    query_index: IdIndex
    name: str | None

    @cached_property
    def ranking(self) -> Ranking:
        return rank_run(self.run, self.query_index, self.name)

    def find(self, judgments: Judgments) -> FoundRanks:
        nested = self.nested
        return FoundRanks(
            nested.ranks(judgments),
            nested.returned,
            nested.scores,
            self._top_names,
            nested.tie_by_rounding,
        )

    def _top_names(self, lengths: Int64Array) -> list[str]:
        return top_names(self.source, self.query_index.ids, lengths)


@dataclass(frozen=True)
class RunInCore:
    """A run that the native core looks up; what it declines is left to the look-up in Python."""

    run: RunColumns
    judgments: Judgments
    name: str | None

    @cached_property
    def in_python(self) -> RankedRun:
        return _ranked_in_python(self.judgments, self.run, self.name)

    @property
    def ranking(self) -> Ranking:
        return self.in_python.ranking

    def find(self, judgments: Judgments) -> FoundRanks:
        index = judgments.native_index
        found = native.FoundInCore.zeros(judgments.grade.size, len(judgments.query_ids))
        if index is None or not native.find_ranks(index, self.run, found):
            return self.in_python.find(judgments)

        def top_names(lengths: Int64Array) -> list[str]:
            names = native.top_names(index, self.run, found, lengths)
            return self.in_python.find(judgments).top_names(lengths) if names is None else names

        return FoundRanks(
            found.rank.reshape(judgments.grade.shape),
            found.returned,
            lambda: self.in_python.find(judgments).scores(),
            top_names,
            lambda: False,
        )


class JudgedRun:
    """A run joined with the judgments: the rank of each judged document.

    The run and the judgments never change. Results that several measures need are cached: see
    `derived`.

    Parameters
    ----------
    judgments
        The qrels; they define the rows and columns of `rank`.
    ranked
        The run, for the queries of the judgments.
    name
        The system's name, if known.

    Attributes
    ----------
    rank : (queries, documents) ints
        Ranks start at 1; 0 if the document was not returned.
    returned : (queries,) ints
        Number of documents returned, judged or not.
    """

    def __init__(self, judgments: Judgments, ranked: RankedRun, name: str | None = None) -> None:
        self.judgments = judgments
        self.name = name
        found = ranked.find(judgments)
        self.rank, self.returned, self._scores, self._top_names, self._tie_by_rounding = found
        self._ranked = ranked
        self._derived: dict[Hashable, object] = {}

    @property
    def ranking(self) -> Ranking:
        """The ranking of all documents for each query of the judgments, made when needed."""
        return self._ranked.ranking

    @property
    def tie_by_rounding(self) -> bool:
        """Whether most documents tie only because scores are compared as float32."""
        return self.derived("tie by rounding", self._tie_by_rounding)

    @property
    def needed_rows(self) -> bool:
        """Whether the native core's answer was not enough: the rows were made after it."""
        return "in_python" in vars(self._ranked)

    def derived(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """A result that depends only on this run and its judgments; computed only once."""
        if key not in self._derived:
            self._derived[key] = make()
        return self._derived[key]  # type: ignore[return-value]

    def scores(self, cutoff: int | None) -> NDArray[np.float32]:
        """Scores by rank down to the cutoff: (queries, depth), padded with 0."""
        depth = int(self.returned.max(initial=0))
        depth = depth if cutoff is None else min(cutoff, depth)
        start = np.cumsum(self.returned) - self.returned
        place = np.arange(depth)
        in_query = place < self.returned[:, np.newaxis]
        by_rank = np.zeros((len(self.returned), depth), np.float32)
        by_rank[in_query] = self._scores()[(start[:, np.newaxis] + place)[in_query]]
        return by_rank

    def against(self, judgments: Judgments) -> JudgedRun:
        """The same run joined with other judgments of the same queries; computed once."""
        return self.derived(
            ("against", judgments.digest), lambda: JudgedRun(judgments, self._ranked, self.name)
        )

    def top_documents(self, depth: int | None) -> list[list[str]]:
        """The ids of each query's highest ranked documents, judged or not."""
        lengths = self.top_lengths(depth)
        names, ends = self._top_names(lengths), np.cumsum(lengths).tolist()
        return [names[start:end] for start, end in pairwise([0, *ends])]

    def returned_documents(self, row: int) -> list[str]:
        """The ids of all documents that the run returned for one query, by rank."""
        ranking = self.ranking
        start = int(ranking.start[row])
        places = np.arange(start, start + int(ranking.returned[row]))
        return ranking.doc.take(ranking.ordered_rows(places))

    def top_digest(self, depth: int | None) -> str:
        """A digest of the result of `top_documents`."""

        def make() -> str:
            lengths = self.top_lengths(depth)
            return digest(lengths.tobytes(), packed_names(self._top_names(lengths)))

        return self.derived(("top digest", depth), make)

    def top_lengths(self, depth: int | None) -> Int64Array:
        """How many documents were returned down to a depth: (queries,)."""
        return self.returned if depth is None else np.minimum(self.returned, depth)


def judge(
    judgments: Judgments, run: RunColumns, name: str | None = None, rows_needed: bool = False
) -> JudgedRun:
    """Rank a run and look up its judged documents.

    Parameters
    ----------
    judgments, run, name
    rows_needed
        Whether all documents will be ranked in any case: the look-up in Python shares that work.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
    """
    ranked = RunInCore(run, judgments, name) if native.BUILT and not rows_needed else None
    return JudgedRun(judgments, ranked or _ranked_in_python(judgments, run, name), name)


def _ranked_in_python(judgments: Judgments, run: RunColumns, name: str | None) -> RankedRun:
    source = run.source
    if isinstance(source, NestedRun):
        nested = look_up(source, judgments)
        if nested is not None:
            return RunInDict(nested, run, source, judgments.query_index, name)
    return RunInOrder(rank_run(run, judgments.query_index, name), run.score)


def _ranks_of_judged(judgments: Judgments, ranking: Ranking) -> Int32Array:
    code = ranking.doc.codes(judgments.doc_index)
    place, slot = judgments.find(ranking.query, code[ranking.row])
    if ranking.tied.any():
        tied, tied_row = ranking.ordered_ties(place)
        untied = np.ones(len(ranking.row), bool)
        untied[tied] = False
        judged, judged_slot = judgments.find(ranking.query[tied], code[tied_row])
        slot = np.concatenate((slot[untied[place]], judged_slot))
        place = np.concatenate((place[untied[place]], tied[judged]))
    rank = np.zeros(judgments.grade.shape, np.int32)
    rank.ravel()[slot] = place - ranking.start[ranking.query[place]] + 1
    return rank
