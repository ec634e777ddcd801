"""Unjudged documents by rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..common.arrays import FloatArray, Int64Array
from ..common.division import share
from ..common.validators import integer
from ..exceptions import InputError
from ..judgments.judgments import Judgments
from ..runsets.judged_set import judge_each
from ..runsets.runset import RunSet
from ..scoring.evaluate import judged_documents, set_of
from ..stats.results import Columns, StudyResult
from ..typing import QrelsLike, RunsLike


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
    """

    systems: tuple[str, ...]
    queries: int
    returned: Int64Array
    unjudged: Int64Array

    @property
    def depth(self) -> int:
        """The lowest rank."""
        return self.returned.shape[1]

    def shares(self, bins: int) -> FloatArray:
        """Share of the returned documents that are unjudged: (systems, bins), NaN without any.

        The ranks are cut into `bins` parts of equal size, up to rounding.
        """
        integer(1, self.depth).check("bins", bins)
        starts = np.linspace(0, self.depth, bins + 1).astype(int)[:-1]
        returned, unjudged = (
            np.add.reduceat(counts, starts, axis=1) for counts in (self.returned, self.unjudged)
        )
        return share(unjudged, returned)

    def share_at(self, cutoff: int) -> FloatArray:
        """Share of the documents in the top `cutoff` that are unjudged: (systems,)."""
        integer(1, self.depth).check("cutoff", cutoff)
        top = (counts[:, :cutoff].sum(axis=1) for counts in (self.unjudged, self.returned))
        return share(*top)

    def to_columns(self) -> Columns:
        """One row per system and rank: system, rank, returned, unjudged."""
        return {
            "system": [name for name in self.systems for _ in range(self.depth)],
            "rank": np.tile(np.arange(1, self.depth + 1), len(self.systems)),
            "returned": self.returned.ravel(),
            "unjudged": self.unjudged.ravel(),
        }

    @property
    def summary(self) -> str:
        """The result in one line."""
        return (
            f"{self.unjudged.sum()} of the {self.returned.sum()} documents that "
            f"{len(self.systems)} systems return at ranks 1 to {self.depth} of {self.queries} "
            "queries are unjudged"
        )


def unjudged_by_rank(
    runs: RunsLike, qrels: QrelsLike, depth: int = 100, *, strict: bool = True
) -> UnjudgedByRank:
    """Count unjudged documents at each rank of each system.

    Parameters
    ----------
    runs, qrels, strict
        As for `irx_measures.evaluate`.
    depth
        The lowest rank, at least 1.

    Returns
    -------
    UnjudgedByRank

    Raises
    ------
    ValueError
        If there is no run, if a run is invalid, or if `depth` is out of range.

    Notes
    -----
    - A document is judged if the qrels have a grade for it, of whatever value.
    - Queries without judgments are ignored.

    Examples
    --------
    >>> from irx_measures.meta import unjudged_by_rank
    >>> run = {"q": {"A": 3.0, "X": 2.0, "B": 1.0}}
    >>> unjudged_by_rank({"a": run}, {"q": {"A": 1, "B": 0}}, depth=3).unjudged.tolist()
    [[0, 1, 0]]
    """
    integer(1).check("depth", depth)
    runset = set_of(runs, None, strict, RunSet)
    if not len(runset):
        raise InputError("`runs` must hold at least one run; got none")
    judgments = Judgments(judged_documents(qrels, strict))
    returned, unjudged = np.zeros((2, len(runset), depth), np.int64)
    for system, judged in enumerate(judge_each(runset, judgments)):
        ranks = judged.rank[(judged.rank > 0) & (judged.rank <= depth)]
        returned[system] = (judged.returned[:, np.newaxis] >= np.arange(1, depth + 1)).sum(axis=0)
        unjudged[system] = returned[system] - np.bincount(ranks - 1, minlength=depth)
    return UnjudgedByRank(runset.names, len(judgments.query_ids), returned, unjudged)
