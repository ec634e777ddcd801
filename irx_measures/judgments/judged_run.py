"""Qrels and runs as arrays: the one place that ranks, breaks ties, joins and pads.

`Judgments` gives every judged document of a query a column, by descending grade; `judge` finds the
rank at which a run returned each of them. Of a run's documents only the judged ones are looked up.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.arrays import Int32Array
from ..io.columns import RunColumns
from .digests import digest, packed_names
from .judgments import Judgments
from .ranking import Ranking, rank_run


@dataclass(frozen=True)
class JudgedRun:
    """A run seen through the judgments: at which rank it returned each judged document.

    Attributes
    ----------
    judgments
        The qrels; rows and columns below are theirs.
    rank : (queries, documents) ints
        1 for the first; 0 where the document was not returned.
    returned : (queries,) ints
        Number of documents returned, judged or not.
    name
        The system's name, where it is known.
    shared
        What measures of the same run have in common, so that it is computed once.
    """

    judgments: Judgments
    rank: Int32Array
    returned: NDArray[np.int64]
    name: str | None
    _ranking: Ranking
    _columns: RunColumns
    shared: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    def scores(self, cutoff: int | None) -> NDArray[np.float32]:
        """Scores by rank down to the cutoff: (queries, depth), padded with 0."""
        ranking = self._ranking
        depth = int(self.returned.max(initial=0))
        depth = depth if cutoff is None else min(cutoff, depth)
        top = ranking.top(depth)
        query = ranking.query[top]
        by_rank = np.zeros((len(self.returned), depth), np.float32)
        by_rank[query, top - ranking.start[query]] = ranking.score[top]
        return by_rank

    def against(self, judgments: Judgments) -> JudgedRun:
        """The same run seen through other judgments of the same queries; looked up once."""
        key = ("against", judgments.digest)
        if key not in self.shared:
            self.shared[key] = _look_up(judgments, self._ranking, self._columns, self.name)
        return self.shared[key]

    def top_documents(self, depth: int | None) -> list[list[str]]:
        """The ids of each query's highest ranked documents, judged or not."""
        names, ends = self._top_names(depth), np.cumsum(self._top_lengths(depth)).tolist()
        return [names[start:end] for start, end in pairwise([0, *ends])]

    def top_digest(self, depth: int | None) -> str:
        """Names what `top_documents` gives."""
        return digest(self._top_lengths(depth).tobytes(), packed_names(self._top_names(depth)))

    def _top_names(self, depth: int | None) -> list[str]:
        top = self._ranking.top(depth)
        self._ranking.order_ties(self._columns.doc, top)
        return self._columns.doc.take(self._ranking.row[top])

    def _top_lengths(self, depth: int | None) -> NDArray[np.int64]:
        return self.returned if depth is None else np.minimum(self.returned, depth)


def judge(judgments: Judgments, run: RunColumns, name: str | None = None) -> JudgedRun:
    """Rank a run and look its judged documents up.

    Raises
    ------
    ValueError
        When a score is NaN, or a document was returned twice for a query.
    """
    return _look_up(judgments, rank_run(run, judgments.query_index, name), run, name)


def _look_up(
    judgments: Judgments, ranking: Ranking, run: RunColumns, name: str | None
) -> JudgedRun:
    code = run.doc.codes(judgments.doc_index)
    place, slot = judgments.find(ranking.query, code[ranking.row])
    if ranking.tied.any():
        moved = ranking.order_ties(run.doc, place)
        alone = np.ones(len(ranking.row), bool)
        alone[moved] = False
        found, slot_of_found = judgments.find(ranking.query[moved], code[ranking.row[moved]])
        slot = np.concatenate((slot[alone[place]], slot_of_found))
        place = np.concatenate((place[alone[place]], moved[found]))
    rank = np.zeros(judgments.grade.shape, np.int32)
    rank.ravel()[slot] = place - ranking.start[ranking.query[place]] + 1
    return JudgedRun(judgments, rank, ranking.returned, name, ranking, run)
