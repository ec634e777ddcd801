"""Unjudged documents by rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.numeric import FloatArray, Int64Array, IntArray, ratio_or_nan
from ..common.validators import integer
from ..common.writing import counted, percent
from ..io.table import Table
from ..judgments.judgments import Judgments
from ..results.base import StudyResult
from ..results.column import Column
from ..runsets.given import read_given
from ..runsets.judged_set import judge_each
from ..typing import QrelsLike, RunsLike

DEPTH = 100  # ranks that are counted: pools of TREC are rarely deeper

PARTS = 20  # parts of the ranks that are shown: the report's design


@dataclass(frozen=True, eq=False, repr=False)
class UnjudgedByRank(StudyResult):
    """How many documents are unjudged at each rank.

    Attributes
    ----------
    systems : tuple of str
    queries : int
        Number of queries with judgments.
    returned, unjudged : (systems, depth) ints
        Number of queries for which a system returns a document at rank 1, 2, ... depth, and for
        which this document is unjudged.

    See Also
    --------
    irx_measures.meta.unjudged_by_rank : Computes it.
    irx_measures.plots.unjudged_by_rank : Draws it.
    """

    systems: tuple[str, ...]
    queries: int
    returned: Int64Array
    unjudged: Int64Array

    @property
    def depth(self) -> int:
        """The lowest rank."""
        return self.returned.shape[1]

    @property
    def edges(self) -> Int64Array:
        """The ranks before which parts of equal size begin, and the depth: (at most 21,) ints."""
        return np.linspace(0, self.depth, min(PARTS, self.depth) + 1).astype(int)

    @property
    def shares(self) -> FloatArray:
        """Share of the documents that are unjudged: (systems, parts), NaN if none is returned."""
        starts = self.edges[:-1]
        unjudged = np.add.reduceat(self.unjudged, starts, axis=1)
        return ratio_or_nan(unjudged, np.add.reduceat(self.returned, starts, axis=1))

    def counts_at(self, cutoff: int) -> tuple[Int64Array, Int64Array]:
        """How many of the top `cutoff` documents are unjudged, and of how many: (systems,) each."""
        integer(1, self.depth).check("cutoff", cutoff)
        return self.unjudged[:, :cutoff].sum(axis=1), self.returned[:, :cutoff].sum(axis=1)

    def share_at(self, cutoff: int) -> FloatArray:
        """Share of the documents in the top `cutoff` that are unjudged: (systems,)."""
        unjudged, returned = self.counts_at(cutoff)
        return ratio_or_nan(unjudged, returned)

    def sentence(self, cutoff: int) -> str:
        """How many of the top documents are unjudged, and how many further down."""
        cutoff = min(cutoff, self.depth)
        unjudged, returned = self._total_at(cutoff)
        are = "is" if unjudged == 1 else "are"
        everywhere, returned_everywhere = self._total_at(self.depth)
        share = percent(everywhere, returned_everywhere)
        return (
            f"{unjudged:,} of the {counted(returned, 'document')} in the top {cutoff}s {are} "
            f"unjudged; over ranks 1 to {self.depth}, {share}. "
            "Unjudged documents count as not relevant."
        )

    def _total_at(self, cutoff: int) -> tuple[int, int]:
        """`counts_at` of all systems together."""
        unjudged, returned = self.counts_at(cutoff)
        return int(unjudged.sum()), int(returned.sum())

    def columns(self) -> list[Column]:
        """One row per system and rank."""
        systems = np.repeat(np.array(self.systems, object), self.depth)
        ranks = np.tile(np.arange(1, self.depth + 1), len(self.systems))
        returned = "queries for which the system returns a document at this rank"
        unjudged = "queries of these for which the document is unjudged"
        return [
            Column("system", systems, meaning="name of the system", key=True),
            Column("rank", ranks, meaning="rank, from 1", key=True),
            Column("returned", self.returned.ravel(), meaning=returned),
            Column("unjudged", self.unjudged.ravel(), meaning=unjudged),
        ]

    @property
    def summary(self) -> str:
        systems, queries = len(self.systems), counted(self.queries, "query", "queries")
        return f"{counted(systems, 'system')}, {queries}. {self.sentence(self.depth)}"


def unjudged_by_rank(
    qrels: QrelsLike | Table, runs: RunsLike, depth: int = DEPTH, *, strict: bool = True
) -> UnjudgedByRank:
    """Count unjudged documents at each rank of each system.

    A document is judged if the qrels have a grade for it, of whatever value. Queries without
    judgments are ignored.

    Parameters
    ----------
    qrels, runs, strict
        As for `irx_measures.evaluate`.
    depth
        The lowest rank, at least 1.

    Returns
    -------
    UnjudgedByRank
        The numbers of returned and of unjudged documents at each rank.

    Raises
    ------
    ValueError
        When `depth` is less than 1; and as for `evaluate`.

    Examples
    --------
    The document C, which b returns at rank 2, is unjudged.

    >>> from irx_measures.meta import unjudged_by_rank
    >>> runs = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}
    >>> unjudged_by_rank({"q": {"A": 1, "B": 0}}, runs, depth=2).unjudged.tolist()
    [[0, 0], [0, 1]]
    """
    integer(1).check("depth", depth)
    columns, runset = read_given(qrels, runs, strict=strict)
    judgments = Judgments(columns)
    returned, unjudged = np.zeros((2, len(runset), depth), np.int64)
    for system, judged in enumerate(judge_each(runset, judgments)):
        of_judged = judged.rank[judged.rank > 0]
        returned[system], unjudged[system] = counts_by_rank(judged.returned, of_judged, depth)
    return UnjudgedByRank(runset.names, len(judgments.query_ids), returned, unjudged)


def counts_by_rank(
    lengths: Int64Array, judged: IntArray, depth: int
) -> tuple[Int64Array, Int64Array]:
    """How many documents a run returns at each rank, and how many are unjudged: (depth,) each.

    `lengths`, (queries,), are the numbers of documents that it returns. `judged`, (judged
    documents,), are the ranks of the judged ones, from 1, of all queries.
    """
    returned = (lengths[:, np.newaxis] >= np.arange(1, depth + 1)).sum(axis=0)
    return returned, returned - np.bincount(judged[judged <= depth] - 1, minlength=depth)
