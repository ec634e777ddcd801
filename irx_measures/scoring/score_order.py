"""Ranks by the score as float64: in ir_measures' providers in Python, and in gdeval.

The providers in Python, of RR with a cutoff and of Judged, order documents of equal scores by
ascending id, gdeval by descending id. Both orders differ from trec_eval's only among documents
whose scores are equal as float32.
"""

from __future__ import annotations

import numpy as np

from ..common.numeric import Int32Array
from ..judgments.judged_run import JudgedRun


def ranks_by_score(judged: JudgedRun, descending_ids: bool = False) -> Int32Array:
    """The rank of each judged document: (queries, documents), 0 if not returned.

    Parameters
    ----------
    judged
        The run.
    descending_ids
        Whether documents of equal scores are ordered by descending id, and not by ascending id.
    """
    key = "ranks by score", descending_ids
    return judged.derived(key, lambda: _ranks_by_score(judged, descending_ids))


def _ranks_by_score(judged: JudgedRun, descending_ids: bool) -> Int32Array:
    ranking = judged.ranking
    if not ranking.tied.any():
        return judged.rank
    by_id = np.arange(len(ranking.row))  # tied documents are ranked by descending id
    score = ranking.run.value[ranking.row]
    order = np.lexsort((by_id if descending_ids else -by_id, -score, ranking.query))
    return judged.judgments.ranks_in(ranking, order)
