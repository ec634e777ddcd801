"""The documents that a judging campaign may ask for: those in the top k of any run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...common.numeric import BoolArray, Int64Array, IntArray
from ...common.validators import integer
from ...common.writing import shown
from ...exceptions import InputError
from ...io.columns import GRADE_LIMIT
from ...io.table import Table
from ...judgments.judgments import Judgments
from ...runsets.runset import RunSet
from ...unjudged.pooled_runs import UNJUDGED, PooledRuns

MOST_GRADES = 101  # a choice: a scale from 0 to 100 has so many


@dataclass(frozen=True, eq=False)
class JudgingPool:
    """The documents in the top k of any run, by query."""

    names: tuple[str, ...]  # of the systems
    query_ids: tuple[str, ...]  # all queries of the runs and of the qrels
    doc_query: Int64Array  # (documents,), the query of each, ascending
    doc_ids: list[str]
    rank: IntArray  # (systems, documents), down to 100; 0 if it was not returned
    cutoff: int  # k
    grades: Int64Array  # ascending from 0; elsewhere a grade is its position among them
    others: list[IntArray]  # grades of each query's judged documents outside, for ideals

    @classmethod
    def of(
        cls,
        pooled: PooledRuns,
        cutoff: int,
        grades: Sequence[int],
        systems: Int64Array | None = None,
        queries: Int64Array | None = None,
    ) -> tuple[JudgingPool, Int64Array]:
        """Pool some of the systems and queries, or all, and look up the grade of each document.

        Grades, (documents,), are -1 if unjudged. Positions are ascending. Judged documents in the
        top k of other systems only are outside the pool.
        """
        scale, count = np.asarray(grades, np.int64), (len(pooled.names), len(pooled.grade))
        grade = np.searchsorted(scale, pooled.grade)
        grade[pooled.grade == UNJUDGED] = UNJUDGED
        systems = np.arange(count[0]) if systems is None else systems
        queries = np.arange(len(pooled.query_ids)) if queries is None else queries
        of_query = np.isin(pooled.doc_query, queries)
        in_pool = np.zeros(count[1], bool)
        in_pool[pooled.doc[(pooled.rank <= cutoff) & np.isin(pooled.run, systems)]] = True
        pairs = pooled.documents
        documents = np.array(
            sorted(np.flatnonzero(in_pool & of_query).tolist(), key=pairs.__getitem__), np.int64
        )
        rank = np.zeros(count, np.int16)
        rank[pooled.run, pooled.doc] = pooled.rank
        outside = np.flatnonzero(~in_pool & of_query & (grade != UNJUDGED))
        pool = cls(
            tuple(pooled.names[system] for system in systems.tolist()),
            tuple(pooled.query_ids[query] for query in queries.tolist()),
            np.searchsorted(queries, pooled.doc_query[documents]),
            [pooled.doc_ids[doc] for doc in documents.tolist()],
            rank[np.ix_(systems, documents)],
            cutoff,
            scale,
            np.split(grade[outside], np.searchsorted(pooled.doc_query[outside], queries[1:])),
        )
        return pool, grade[documents]

    def __len__(self) -> int:
        return len(self.doc_query)

    @cached_property
    def start(self) -> Int64Array:
        """Where the documents of each query start: (queries + 1,)."""
        return np.searchsorted(self.doc_query, np.arange(len(self.query_ids) + 1))

    def of_query(self, query: int) -> slice:
        """The documents of one query."""
        return slice(int(self.start[query]), int(self.start[query + 1]))

    @cached_property
    def in_top(self) -> BoolArray:
        """Whether a document is in a system's top k: (systems, documents)."""
        return (self.rank > 0) & (self.rank <= self.cutoff)

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """The query id and the document id of each document."""
        query_ids = map(self.query_ids.__getitem__, self.doc_query.tolist())
        return list(zip(query_ids, self.doc_ids, strict=True))

    @cached_property
    def position(self) -> dict[tuple[str, str], int]:
        """The position of each document by query id and document id."""
        return {pair: place for place, pair in enumerate(self.pairs)}


def grade_scale(grades: Iterable[int]) -> tuple[int, ...]:
    """The grades of a campaign in ascending order, from 0."""
    whole = integer(0, GRADE_LIMIT - 1)
    scale = tuple(sorted({whole.check("grades", grade) for grade in grades}))
    if scale[:1] != (0,) or not 2 <= len(scale) <= MOST_GRADES:
        raise InputError(
            f"`grades` must be 0 and 1 to {MOST_GRADES - 1} higher grades; got {shown(scale)}"
        )
    return scale


def read_pooled(
    qrels: Table, runset: RunSet, grades: Sequence[int], progress: bool | None = False
) -> PooledRuns:
    """The top documents of runs with their judgments, which must have these grades.

    A negative grade counts as 0. Queries are those of the runs and of the qrels.
    """
    unknown = np.setdiff1d(qrels.value.clip(0), np.array(grades))
    if len(unknown):
        raise InputError(
            f"`grades` must hold every grade of the judgments; got {shown(list(grades))}, "
            f"without {int(unknown[0])}"
        )
    # Sorted, so that a campaign goes on alike whatever is judged and however qrels are sorted.
    every = sorted({*qrels.query_ids, *(q for run in runset.each() for q in run.query_ids)})
    return PooledRuns.of(runset, Judgments(qrels, every), progress=progress)
