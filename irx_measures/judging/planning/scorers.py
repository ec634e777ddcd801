"""The measures of judging campaigns: scores in worlds, and what a document's grade can change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...common.numeric import BoolArray, FloatArray, Int64Array, IntArray, safe_divide
from ...common.validators import integer, number_in
from ...exceptions import InputError
from ...kernels.ndcg_bounds import ideal_dcg
from ...kernels.user_models import (
    DCGS,
    binary_gain,
    browsing_weights,
    discount_sums,
    truncate_ranks,
)
from ...kernels.worlds import top_documents, weighted_gains, world_counts
from ...measures.declaring.params import gain_of
from ...measures.naming.strings import parse_measure
from ...typing import MeasureLike
from ...unjudged.pooled_runs import DEPTH
from .pool import JudgingPool

OFFERED = "nDCG@k (dcg=), P@k (rel=), RBP@k (p=, rel=) or, for two systems, DCG@k (dcg=)"

DCG = "DCG"  # no measure elsewhere: nDCG without its ideal, which makes it linear in the gains

# The parameters that may differ from their defaults.
VARIED = {"nDCG": ("cutoff", "dcg"), "P": ("cutoff", "rel"), "RBP": ("cutoff", "p", "rel")}

# As in the study: else queries with almost no expected gain would get all the judgments.
LEAST_IDEAL = 0.5


@dataclass(frozen=True, eq=False)
class Scorer:
    """A measure of the systems of a pool: the sum of gain x weight of its rank.

    If `normalised`, a score is divided by that of the ideal ranking of the query's documents, as in
    nDCG. If not, the measure is linear in the gains.
    """

    name: str  # the measure
    cutoff: int  # k
    gain: FloatArray  # (grades,), of each grade
    seen_at: FloatArray  # (cutoff + 1,), the weight of each rank; 0 for rank 0
    normalised: bool = False

    def weight(self, pool: JudgingPool) -> FloatArray:
        """What a gain of 1 adds to a system's score before normalisation: (systems, documents)."""
        return self.seen_at[truncate_ranks(pool.rank, self.cutoff)]

    def can_change(self, pool: JudgingPool) -> BoolArray:
        """Whether a document's gain can change how the systems compare: (documents,).

        It can if the systems have it at ranks of different weights. It also changes the ideal of
        its query, which matters if the systems differ there.
        """
        differs: BoolArray = np.ptp(self.weight(pool), axis=0) > 0
        if not self.normalised:
            return differs
        return np.isin(pool.doc_query, pool.doc_query[differs])

    def means(self, pool: JudgingPool, grade: IntArray) -> FloatArray:
        """Mean scores over queries, (systems, worlds), from the grades: (documents, worlds)."""
        total = np.zeros((len(pool.names), grade.shape[1]))
        discounts, grades = discount_sums(self.cutoff), len(self.gain)
        for query, outside in enumerate(pool.others):
            part = pool.of_query(query)
            top = top_documents(pool.rank[:, part], self.cutoff)
            score = weighted_gains(top, self.seen_at[1:], self.gain[grade[part]])
            if self.normalised:
                counts = world_counts(grade[part], grades)
                counts += np.bincount(outside, minlength=grades)
                score = safe_divide(score, ideal_dcg(counts, self.gain, discounts))
            total += score
        return total / max(len(pool.query_ids), 1)

    def priorities(
        self, pool: JudgingPool, grade: Int64Array, probability: FloatArray
    ) -> FloatArray:
        """The variance of each document's gain x what the gain can change: (documents,).

        What it can change is the variance of its weight over the systems, over the square of the
        query's expected ideal. Of two systems, this is in proportion to the squared difference.
        Judged documents have priority 0; the grade of others is -1. `probability` is
        (documents, grades).
        """
        expected = probability @ self.gain
        variance = probability @ self.gain**2 - expected**2
        judged = grade >= 0
        gain = np.where(judged, self.gain[grade.clip(0)], expected)
        ideal = self.expected_ideal(pool, gain)[pool.doc_query]
        change = self.weight(pool).var(axis=0) / ideal**2
        priority: FloatArray = np.where(judged, 0.0, variance * change)
        return priority

    def expected_ideal(self, pool: JudgingPool, gain: FloatArray) -> FloatArray:
        """The normalisation expected of gains (documents,), at least .5: (queries,)."""
        ideal = np.ones(len(pool.query_ids))
        if not self.normalised:
            return ideal
        for query, outside in enumerate(pool.others):
            every = np.concatenate((gain[pool.of_query(query)], self.gain[outside]))
            best = np.sort(every)[::-1][: self.cutoff]
            ideal[query] = max(float(best @ self.seen_at[1 : len(best) + 1]), LEAST_IDEAL)
        return ideal


def scorer_of(measure: MeasureLike, grades: Sequence[int], systems: int) -> Scorer:
    """The scorer of a measure with a cutoff, for ascending grades; DCG is for two systems."""
    is_dcg = str(measure).startswith(DCG)
    # DCG has the parameters of nDCG.
    named = f"n{measure}" if is_dcg else measure
    parsed: Any = parse_measure(named)
    if not _is_offered(parsed) or (is_dcg and systems != 2):
        raise InputError(f"`measure` must be {OFFERED}; got {measure}")
    name = str(parsed)
    if is_dcg:
        name = name.removeprefix("n")
    cutoff = integer(1, DEPTH).check("cutoff", parsed["cutoff"])
    grade = np.asarray(grades, np.int64)
    if parsed.NAME == "nDCG":
        weights = browsing_weights("nDCG", cutoff, 0.0)
        return Scorer(name, cutoff, gain_of(parsed, grade), weights, normalised=not is_dcg)
    rel = integer(1, int(grade[-1])).check("rel", parsed.params.get("rel", 1))
    gain = binary_gain(grade, rel)
    if parsed.NAME == "P":
        return Scorer(name, cutoff, gain, browsing_weights("P", cutoff, 0.0) / cutoff)
    phi = number_in(0, 1, closed=False).check("p", parsed["p"])
    return Scorer(name, cutoff, gain, (1.0 - phi) * browsing_weights("RBP", cutoff, phi))


def _is_offered(measure: Any) -> bool:
    """Whether no parameter but those in `VARIED` differs from its default."""
    varied = VARIED.get(measure.NAME)
    if varied is None or not isinstance(measure.params.get("cutoff"), int):
        return False
    if "dcg" in varied and measure["dcg"] not in DCGS:
        return False
    return all(
        name in varied or value == measure.SUPPORTED_PARAMS[name].default
        for name, value in measure.params.items()
    )
