"""A run joined with judgments: the rank of every judged document, and results derived from it.

Only the judged documents of a run are looked up. The ids of tied documents are compared only if
the tie includes a judged document.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..common.arrays import Int32Array, Int64Array
from ..io import native
from ..io.columns import RunColumns
from ..io.identifiers import IdIndex
from .digests import digest, packed_names
from .judgments import Judgments
from .ranking import Ranking, rank_run

Value = TypeVar("Value")


class FoundRanks(NamedTuple):
    """The attributes `rank` and `returned` of a `JudgedRun`."""

    rank: Int32Array
    returned: Int64Array


@dataclass(frozen=True)
class LazyRanking:
    """A run and its ranking, which is made when it is first needed.

    Attributes
    ----------
    run
        The run.
    query_index
        The queries of the ranking.
    name
        The name of the run in error messages.
    """

    run: RunColumns
    query_index: IdIndex
    name: str | None

    @cached_property
    def ranking(self) -> Ranking:
        return rank_run(self.run, self.query_index, self.name)


class JudgedRun:
    """A run joined with the judgments: the rank of each judged document.

    The run and the judgments never change. Results that several measures need are cached: see
    `derived`.

    Parameters
    ----------
    judgments
        The qrels; they define the rows and columns of `rank`.
    ranked
        The run, with its ranking for the queries of the judgments.

    Attributes
    ----------
    name
        The system's name, if known.
    rank : (queries, documents) ints
        Ranks start at 1; 0 if the document was not returned.
    returned : (queries,) ints
        Number of documents returned, judged or not.
    """

    def __init__(self, judgments: Judgments, ranked: LazyRanking) -> None:
        self.judgments = judgments
        self.name = ranked.name
        self.rank, self.returned = _find_ranks(judgments, ranked)
        self._ranked = ranked
        self._derived: dict[Hashable, object] = {}

    @property
    def ranking(self) -> Ranking:
        """The ranking of all documents for each query of the judgments, made when needed."""
        return self._ranked.ranking

    def derived(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """A result that depends only on this run and its judgments; computed only once."""
        if key not in self._derived:
            self._derived[key] = make()
        return self._derived[key]  # type: ignore[return-value]

    def scores(self, cutoff: int | None) -> NDArray[np.float32]:
        """Scores by rank down to the cutoff: (queries, depth), padded with 0."""
        ranking = self.ranking
        depth = int(self.returned.max(initial=0))
        depth = depth if cutoff is None else min(cutoff, depth)
        top = ranking.top(depth)
        query = ranking.query[top]
        by_rank = np.zeros((len(self.returned), depth), np.float32)
        by_rank[query, top - ranking.start[query]] = ranking.score[top]
        return by_rank

    def against(self, judgments: Judgments) -> JudgedRun:
        """The same run joined with other judgments of the same queries; computed once."""
        return self.derived(
            ("against", judgments.digest), lambda: JudgedRun(judgments, self._ranked)
        )

    def top_documents(self, depth: int | None) -> list[list[str]]:
        """The ids of each query's highest ranked documents, judged or not."""
        names, ends = self._top_names(depth), np.cumsum(self._top_lengths(depth)).tolist()
        return [names[start:end] for start, end in pairwise([0, *ends])]

    def top_digest(self, depth: int | None) -> str:
        """A digest of the result of `top_documents`."""
        return self.derived(
            ("top digest", depth),
            lambda: digest(
                self._top_lengths(depth).tobytes(), packed_names(self._top_names(depth))
            ),
        )

    def _top_names(self, depth: int | None) -> list[str]:
        ranking = self.ranking
        return ranking.doc.take(ranking.ordered_rows(ranking.top(depth)))

    def _top_lengths(self, depth: int | None) -> Int64Array:
        return self.returned if depth is None else np.minimum(self.returned, depth)


def judge(judgments: Judgments, run: RunColumns, name: str | None = None) -> JudgedRun:
    """Rank a run and look up its judged documents.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
    """
    return JudgedRun(judgments, LazyRanking(run, judgments.query_index, name))


def _find_ranks(judgments: Judgments, ranked: LazyRanking) -> FoundRanks:
    found = _native_ranks(judgments, ranked.run)
    if found is not None:
        return found
    ranking = ranked.ranking
    return FoundRanks(_ranks_of_judged(judgments, ranking), ranking.returned)


def _native_ranks(judgments: Judgments, run: RunColumns) -> FoundRanks | None:
    """The ranks as the native core finds them; None if it is not built or declines."""
    index = judgments.native_index
    if index is None:
        return None
    found = FoundRanks(
        np.zeros(judgments.grade.shape, np.int32), np.zeros(len(judgments.query_ids), np.int64)
    )
    answers = native.find_ranks(index, run, found.rank.reshape(-1), found.returned)
    return found if answers else None


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
