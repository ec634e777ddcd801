"""A judged run as trec_eval and the other providers see it; measures share the arrays.

The providers in Python, of RR with a cutoff and of Judged, and gdeval rank by the score as float64,
and documents of equal scores by ascending id, gdeval by descending id. Both orders differ from
trec_eval's only among documents whose scores are equal as float32.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from ..common.numeric import IntArray
from ..judgments.judged_run import JudgedRun
from ..kernels import standard as kernel
from ..kernels.standard import RankedGrades


def trec_view(
    judged: JudgedRun, judged_only: bool = False, gains: Mapping[Any, Any] | None = None
) -> TrecView:
    """A run with mapped grades, and without unjudged documents if asked; made only once."""
    gain_of = None
    if gains is not None:
        levels = np.unique(judged.judgments.grade[judged.judgments.is_judged]).tolist()
        gain_of = tuple((level, gains.get(level, level)) for level in levels)
    key: Hashable = ("trec_eval", judged_only, gain_of)
    return judged.derived(key, lambda: TrecView(judged, judged_only, gain_of))


class TrecView:
    """The ranks and grades of a run's judged documents.

    Parameters
    ----------
    judged
        The run.
    judged_only
        Whether to drop documents that are unjudged or of negative grade, and to renumber ranks.
    gain_of
        The gain of each grade, by ascending grade. A negative gain makes a document unjudged.

    Attributes
    ----------
    rank, grade : (queries, documents) ints
        As in `JudgedRun` and `Judgments`.
    returned : (queries,) ints
        Number of documents returned.
    """

    def __init__(
        self, judged: JudgedRun, judged_only: bool, gain_of: tuple[tuple[int, int], ...] | None
    ) -> None:
        judgments = judged.judgments
        self.grade: IntArray = judgments.grade
        self._judged = judgments.judged
        self._sorted_columns: int | None = judgments.positives
        if gain_of is not None:
            grades, gains = np.array(gain_of, np.int64).reshape(-1, 2).T
            level = np.searchsorted(grades, np.where(judgments.is_judged, self.grade, grades[0]))
            self.grade = np.where(judgments.is_judged, gains[level], 0)
            self._sorted_columns = None
        self.rank: IntArray = judged.rank
        self.returned: IntArray = judged.returned
        if judged_only:
            self.rank, self.returned = kernel.renumbered(judged.rank, self.grade >= 0)

    @cached_property
    def ideal(self) -> IntArray:
        """The positive grades of the qrels, descending: (queries, relevant), padded with 0."""
        grade = np.maximum(self.grade[:, : self._sorted_columns], 0)
        return grade if self._sorted_columns is not None else -np.sort(-grade, axis=1)

    @cached_property
    def positive(self) -> RankedGrades:
        """The documents of positive grade that the run returns."""
        columns = np.s_[:, : self._sorted_columns]
        grade = self.grade[columns]
        return kernel.by_rank(self.rank[columns], grade, grade > 0)

    @cached_property
    def graded(self) -> RankedGrades:
        """The documents of grade 0 or more that the run returns."""
        return kernel.by_rank(self.rank, self.grade, self.grade >= 0)

    @cached_property
    def in_pool(self) -> RankedGrades:
        """The documents in the qrels that the run returns, of any grade."""
        return kernel.by_rank(self.rank, self.grade, np.ones(self.grade.shape, bool))

    def relevant(self, rel: int) -> IntArray:
        """Number of documents of at least grade `rel` in the qrels: (queries,)."""
        return kernel.number_of_relevant(self.ideal, rel)

    def nonrelevant(self, rel: int) -> IntArray:
        """Number of documents of grade 0 to `rel` - 1 in the qrels: (queries,)."""
        judged: IntArray = self._judged - np.count_nonzero(self.grade < 0, axis=1)
        return judged - self.relevant(rel)

    def hits(self, rel: int | None, cutoff: int | None = None) -> IntArray:
        """Number of relevant documents returned, of all without `rel`: (queries,)."""
        if rel is None:
            return self.returned
        return kernel.number_of_hits(self.positive, rel, cutoff)


def ranks_by_score(judged: JudgedRun, descending_ids: bool = False) -> IntArray:
    """The rank of each judged document by its score as float64: (queries, documents), 0 if not
    returned.

    Parameters
    ----------
    judged
        The run.
    descending_ids
        Whether documents of equal scores are ordered by descending id, and not by ascending id.
    """

    def ranks() -> IntArray:
        ranking = judged.ranking
        if not ranking.tied.any():
            return judged.rank
        by_id = np.arange(len(ranking.row))  # tied documents are ranked by descending id
        score = ranking.run.value[ranking.row]
        order = np.lexsort((by_id if descending_ids else -by_id, -score, ranking.query))
        return judged.judgments.ranks_in(ranking, order)

    return judged.derived(("ranks by score", descending_ids), ranks)
