"""The top documents of all runs of a set, joined with judgments, as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..common.numeric import AnyArray, BoolArray, FloatArray, Int64Array
from ..common.progress import with_bar
from ..judgments.judgments import Judgments
from ..judgments.ranking import Ranking
from ..runsets.runset import RunSet

DEPTH = 100  # the features count other runs' top 100; pools of TREC are rarely deeper

UNJUDGED = -1  # below all levels and grades, which start at 0


@dataclass(frozen=True)
class PooledRuns:
    """The top documents of every run, and all judged documents.

    An entry is a document that a run returned for a query. A document is a (query, document) pair,
    so that a document that was returned for two queries counts twice.
    """

    names: tuple[str, ...]
    groups: tuple[str, ...]  # of the runs; if the set has no groups, each run is a group
    query_ids: tuple[str, ...]  # of the judgments
    # Of entries, (entries,), sorted by run, query and rank.
    run: Int64Array
    query: Int64Array
    doc: Int64Array  # a position in the arrays of documents
    rank: Int64Array
    # Of documents, (documents,).
    doc_query: Int64Array  # ascending
    grade: Int64Array  # -1 if it is unjudged; negative grades of the qrels count as 0
    doc_ids: list[str]
    grades: Int64Array  # (levels,), the distinct grades of the qrels, ascending from 0

    @classmethod
    def of(
        cls,
        runset: RunSet,
        judgments: Judgments,
        depth: int = DEPTH,
        progress: bool | None = False,
    ) -> PooledRuns:
        """Read every run of a set once, down to a rank, with a progress bar."""
        returned = _returned(runset, judgments, depth, progress)
        # A document's key is the pair of its query and its id, as one number.
        ids = max(len(returned.distinct_ids), 1)
        judged = judgments.entries
        judged_key = judged.query * ids + judged.doc
        returned_key = returned.query * ids + returned.doc_id
        key, doc = np.unique(np.concatenate((judged_key, returned_key)), return_inverse=True)
        judged_doc, returned_doc = np.split(doc, [len(judged_key)])
        grade = np.full(len(key), UNJUDGED, np.int64)
        grade[judged_doc] = np.maximum(judgments.grade.ravel()[judged.cell], 0)
        doc_query, doc_id = np.divmod(key, ids)
        return cls(
            names=runset.names,
            groups=runset.groups or runset.names,
            query_ids=judgments.query_ids,
            run=returned.run,
            query=returned.query,
            doc=returned_doc,
            rank=returned.rank,
            doc_query=doc_query,
            grade=grade,
            doc_ids=[returned.distinct_ids[number] for number in doc_id.tolist()],
            grades=judgments.levels.grades,
        )

    @cached_property
    def level(self) -> Int64Array:
        """The position of each document's grade in `grades`; -1 if it is unjudged: (documents,)."""
        level = np.searchsorted(self.grades, self.grade)
        return np.where(self.grade == UNJUDGED, UNJUDGED, level)

    @property
    def documents(self) -> list[tuple[str, str]]:
        """The query id and the id of each document."""
        queries = [self.query_ids[number] for number in self.doc_query.tolist()]
        return list(zip(queries, self.doc_ids, strict=True))

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """The distinct groups in order of first appearance."""
        return tuple(dict.fromkeys(self.groups))

    @cached_property
    def group_of_run(self) -> Int64Array:
        """The position of each run's group in `group_names`: (runs,)."""
        number = {group: number for number, group in enumerate(self.group_names)}
        return np.array([number[group] for group in self.groups])

    def entries_of(self, run: int) -> slice:
        """The entries of one run."""
        start, end = np.searchsorted(self.run, [run, run + 1]).tolist()
        return slice(start, end)

    def judged_docs(self, query: int) -> Int64Array:
        """The judged documents of one query."""
        start, end = np.searchsorted(self.doc_query, [query, query + 1])
        return start + np.flatnonzero(self.grade[start:end] != UNJUDGED)

    def unjudged_entries(self, cutoff: int) -> Int64Array:
        """The entries that are unjudged documents in a run's top `cutoff`."""
        return np.flatnonzero((self.rank <= cutoff) & (self.grade[self.doc] == UNJUDGED))

    def fully_judged(self, run: int, cutoff: int) -> BoolArray:
        """Whether every document in a run's top `cutoff` is judged: (queries,)."""
        part = self.entries_of(run)
        unjudged = (self.grade[self.doc[part]] == UNJUDGED) & (self.rank[part] <= cutoff)
        return np.bincount(self.query[part][unjudged], minlength=len(self.query_ids)) == 0

    def without(self, docs: Int64Array) -> PooledRuns:
        """The same runs as if some documents had not been judged."""
        grade = self.grade.copy()
        grade[docs] = UNJUDGED
        return replace(self, grade=grade)


class Returned(NamedTuple):
    """The top documents that runs return, sorted by run, query and rank."""

    run: Int64Array  # (entries,)
    query: Int64Array  # (entries,)
    rank: Int64Array  # (entries,)
    doc_id: Int64Array  # (entries,), a position in `distinct_ids`
    distinct_ids: tuple[str, ...]  # those of the judged documents first, in their order


def _returned(runset: RunSet, judgments: Judgments, depth: int, progress: bool | None) -> Returned:
    """Read the runs, and number the ids of their documents."""
    number = dict(judgments.doc_index.number)
    of_runs: list[Int64Array] = []
    queries: list[Int64Array] = []
    ranks: list[Int64Array] = []
    doc_ids: list[int] = []
    for run, _ in enumerate(with_bar(runset.names, "run", progress)):
        ranking = Ranking.of(runset.run(run), judgments.query_index)
        place = ranking.top(depth)
        of_runs.append(np.full(len(place), run))
        queries.append(ranking.query[place].astype(np.int64))
        ranks.append(ranking.rank[place])
        doc_ids += [number.setdefault(name, len(number)) for name in ranking.doc_ids(place)]
    return Returned(
        run=np.concatenate(of_runs),
        query=np.concatenate(queries),
        rank=np.concatenate(ranks),
        doc_id=np.array(doc_ids, np.int64),
        distinct_ids=tuple(number),
    )


class OwnJudgments(NamedTuple):
    """How many documents of each run's top k are judged, and how: (runs, queries) each."""

    returned: FloatArray
    judged: FloatArray
    relevant: FloatArray  # of a positive grade
    level_sum: FloatArray  # of the judged documents

    @classmethod
    def of(cls, pooled: PooledRuns, cutoff: int) -> OwnJudgments:
        top = pooled.rank <= cutoff
        level = pooled.level[pooled.doc[top]]
        runs, queries = len(pooled.names), len(pooled.query_ids)
        cell = pooled.run[top] * queries + pooled.query[top]

        def total(of_entries: AnyArray) -> FloatArray:
            """The sum over the top k of each run and query."""
            summed = np.bincount(cell, of_entries, runs * queries)
            return summed.reshape(runs, queries).astype(np.float64)

        return cls(
            returned=total(np.ones(len(cell))),
            judged=total(level != UNJUDGED),
            relevant=total(level > 0),
            level_sum=total(np.maximum(level, 0)),
        )
