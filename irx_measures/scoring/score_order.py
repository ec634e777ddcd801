"""Ranks in the order of ir_measures' providers in Python: RR with a cutoff, and Judged.

They sort by the score as float64, descending, and then by document id, ascending. This differs from
trec_eval's order only among documents whose scores are equal as float32.
"""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray, Int32Array
from ..judgments.judged_run import JudgedRun


def ranks_by_score(judged: JudgedRun, score: FloatArray) -> Int32Array:
    """The rank of each judged document: (queries, documents), 0 if not returned.

    Parameters
    ----------
    judged
        The run.
    score : (rows,) floats
        The scores of the run's rows.
    """
    return judged.derived("ranks by score", lambda: _ranks_by_score(judged, score))


def _ranks_by_score(judged: JudgedRun, score: FloatArray) -> Int32Array:
    ranking = judged.ranking
    if not ranking.tied.any():
        return judged.rank
    query, column = np.nonzero(judged.rank)
    place = ranking.start[query] + judged.rank[query, column] - 1
    tied, row = ranking.ordered_ties(place)
    group = np.cumsum(~ranking.tied)[tied]
    id_ascending = -np.arange(len(tied))  # ties are ordered by descending id
    order = np.lexsort((id_ascending, -score[row], group))
    moved = np.arange(len(ranking.row))
    moved[tied[order]] = tied
    rank = judged.rank.copy()
    rank[query, column] = moved[place] - ranking.start[query] + 1
    return rank
