"""The ranking of a run in trec_eval's order, and digests.

Equal content has equal digests in every kind of container.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np

from ..common.numeric import BoolArray, Float32Array, Int64Array, IntArray
from ..io.identifiers import Names, packed_names
from ..io.table import Table
from ..io.trec_order import single_scores, tied_rows, tied_with_previous, trec_order

TOP = 10  # ranks: pools are at least as deep


class TieOrder(IntEnum):
    """Orders of documents whose scores tie as float32, beside trec_eval's.

    The score as float64 comes first, then what the name says.
    """

    ASCENDING = 0  # by id
    DESCENDING = 1  # by id
    GIVEN = 2  # as the rows of the run are


@dataclass(frozen=True, eq=False)
class Ranking:
    """A run's rows by query and rank."""

    run: Table
    row: Int64Array  # (returned,) ints: rows of the run, ranked, of the queries of the index only
    query: IntArray  # (returned,) ints: the query of each ranked row, ascending
    returned: Int64Array  # (queries,) ints: number of documents of each query

    @classmethod
    def of(cls, run: Table, queries: Names) -> Ranking:
        """Rank a run for some queries.

        InputError if a score is NaN, or a document was returned twice for a query.
        """
        query = run.query.codes(queries)
        row = np.arange(len(run)) if (query >= 0).all() else np.flatnonzero(query >= 0)
        query = query[row]
        run.refuse_nan(row)
        run.refuse_duplicates(row)
        order = trec_order(query, run.value[row], lambda rows: run.doc.take(row[rows]))
        returned = np.bincount(query, minlength=len(queries)).astype(np.int64)
        return cls(run, row[order], query[order], returned)

    @cached_property
    def start(self) -> Int64Array:
        """Where each query's ranking starts: (queries,)."""
        return np.cumsum(self.returned) - self.returned

    @cached_property
    def rank(self) -> Int64Array:
        """The rank of each row, from 1: (returned,)."""
        return np.arange(1, len(self.row) + 1) - self.start[self.query]

    @cached_property
    def score(self) -> Float32Array:
        """The score of each row, as trec_eval compares it: (returned,)."""
        return single_scores(self.run.value[self.row])

    @cached_property
    def tied(self) -> BoolArray:
        """Whether each row has the query and the score of the row before it: (returned,)."""
        return tied_with_previous(self.query, self.score)

    @cached_property
    def tie_by_rounding(self) -> bool:
        """Whether most documents tie with one of another score: equal only as float32."""
        place, group = tied_rows(self.tied)
        if 2 * len(place) <= len(self.row):
            return False
        score = self.run.value[self.row[place]]
        starts = np.flatnonzero(np.diff(group, prepend=0))
        lowest = np.minimum.reduceat(score, starts)
        highest = np.maximum.reduceat(score, starts)
        sizes = np.diff(starts, append=len(place))
        return int(sizes[lowest < highest].sum()) > len(self.row) // 2

    @cached_property
    def tied_tops(self) -> int:
        """Of how many queries most documents of the top have the score of another document."""
        place, _ = tied_rows(self.tied)
        query = self.query[place]
        in_top = place - self.start[query] < TOP
        tied = np.bincount(query[in_top], minlength=len(self.returned))
        return int(np.count_nonzero(2 * tied > np.minimum(self.returned, TOP)))

    @property
    def own_tops(self) -> int:
        """Of how many queries a document with the query's own id is in the top."""
        row = self.row[self.top(TOP)]
        pairs = zip(self.run.query.take(row), self.run.doc.take(row), strict=True)
        return sum(query == doc for query, doc in pairs)

    def places_in(self, order: TieOrder) -> Int64Array:
        """The places of the rows in another order of ties: (returned,)."""
        places = np.arange(len(self.row))
        place, group = tied_rows(self.tied)  # only these move: float32 keeps the order of float64
        row = self.row[place]
        tie = place  # tied documents are ranked by descending id
        if order is TieOrder.ASCENDING:
            tie = -place
        elif order is TieOrder.GIVEN:
            tie = row
        places[place] = place[np.lexsort((tie, -self.run.value[row], group))]
        return places

    def top(self, depth: int | None) -> Int64Array:
        """The places of every query's top ranks."""
        return np.arange(len(self.row)) if depth is None else np.flatnonzero(self.rank <= depth)

    def doc_ids(self, places: Int64Array | slice) -> list[str]:
        """The documents at some places."""
        return self.run.doc.take(self.row[places])


def digest(*parts: bytes) -> str:
    """A digest of some parts, in order; the boundaries of the parts count."""
    from hashlib import blake2b  # slow to import

    content = blake2b(digest_size=8)
    for part in parts:
        content.update(len(part).to_bytes(8, "little"))
        content.update(part)
    return content.hexdigest()


def run_digest(run: Table) -> str:
    """A digest of a run's content: its queries, rankings and scores."""
    queries = Names(sorted(run.query_ids))
    ranking = Ranking.of(run, queries)
    return digest(
        packed_names(queries.ids),
        ranking.returned.tobytes(),
        packed_names(run.doc.take(ranking.row)),
        ranking.score.tobytes(),
    )
