"""Ranks by the score as float64: in ir_measures' providers in Python, and in gdeval.

The providers in Python, of RR with a cutoff and of Judged, order documents of equal scores by
ascending id, gdeval by descending id. Both orders differ from trec_eval's only among documents
whose scores are equal as float32.
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import FloatArray, Int32Array
from ..judgments.judged_run import JudgedRun


def ranks_by_score(
    judged: JudgedRun, score: FloatArray, descending_ids: bool = False
) -> Int32Array:
    """The rank of each judged document: (queries, documents), 0 if not returned.

    Parameters
    ----------
    judged
        The run.
    score : (rows,) floats
        The scores of the run's rows.
    descending_ids
        Whether documents of equal scores are ordered by descending id, and not by ascending id.
    """
    key = "ranks by score", descending_ids
    return judged.derived(key, lambda: _ranks_by_score(judged, score, descending_ids))


def _ranks_by_score(judged: JudgedRun, score: FloatArray, descending_ids: bool) -> Int32Array:
    ranking = judged.ranking
    if not ranking.tied.any():
        return judged.rank
    query, column = np.nonzero(judged.rank)
    place = ranking.start[query] + judged.rank[query, column] - 1
    tied, row = ranking.ordered_ties(place)
    group = np.cumsum(~ranking.tied)[tied]
    by_id = np.arange(len(tied))  # ties are ordered by descending id
    order = np.lexsort((by_id if descending_ids else -by_id, -score[row], group))
    moved = np.arange(len(ranking.row))
    moved[tied[order]] = tied
    rank = judged.rank.copy()
    rank[query, column] = moved[place] - ranking.start[query] + 1
    return rank
