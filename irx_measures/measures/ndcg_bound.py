"""nDCGBound: lower and upper bounds of nDCG for rankings with unjudged documents."""

from __future__ import annotations

import numpy as np

from ..common.arrays import FloatArray, IntArray
from ..common.chunks import slices
from ..common.division import safe_divide
from ..exceptions import InputError
from ..judgments.judged_run import JudgedRun
from ..kernels import ndcg_bounds as kernel
from ..kernels.bootstrap import counts_by_level, unjudged_ranks
from ..kernels.user_models import (
    browsing_weights,
    discount_sums,
    discount_total,
    truncate_ranks,
)
from ..runsets.registry import require_memory
from .base import Measure
from .bootstrap import PAPER
from .catalogue import register
from .gain import DCG, HIGHEST_EXPONENT, gain_of
from .params import Param, choice, integer

HIGHEST_GRADE = 2**31 - 1  # the highest grade that qrels may have


class NDCGBound(Measure):
    r"""Lower or upper bound of nDCG for a top k with unjudged documents.

    Section 3.3 of the paper defines three kinds of bounds:

    - Naive. Lower: unjudged documents are not relevant, so the bound is nDCG. Upper: the unjudged
      documents at the highest ranks take the best grades of the judged documents outside the top k.
      The ideal ranking does not change.
    - RBP-inspired. Lower: unjudged documents have grade 0. Upper: unjudged documents have
      `max_grade`, also in the ideal ranking.
    - Guaranteed. Lower: DCG divided by the DCG of k documents of `max_grade`. Upper: the largest
      nDCG over all possible grades of the unjudged documents, each with its own ideal ranking.

    Returns
    -------
    float
        In [0, 1] for each query.

    Notes
    -----
    - Only the guaranteed bounds hold for all possible judgments (Table 1 of the paper). They are
      wide. The naive bounds are exact for judgments that do not change the ideal ranking.
    - Judged documents may have grades above `max_grade`. The guaranteed lower bound then uses the
      highest grade of the query instead.
    - The guaranteed upper bound is exact, also if the largest nDCG needs different grades for
      different unjudged documents. It considers every integer grade from 0 to `max_grade`.
    - ``kind='guaranteed'`` accepts a `max_grade` of at most 1000.

    Examples
    --------
    Table 1 of the paper. The highest grade is 3. The top 2 are an unjudged document and a document
    of grade 1.

    >>> import irx_measures
    >>> qrels, run = {"q": {"A": 1}}, {"q": {"X": 2.0, "A": 1.0}}
    >>> measure = irx_measures.nDCGBound(dcg="exp-log2", max_grade=3) @ 2
    >>> [
    ...     round(measure(kind=kind, bound=bound).calc_aggregate(qrels, run), 2)
    ...     for kind in ("naive", "guaranteed") for bound in ("lower", "upper")
    ... ]
    [0.63, 0.63, 0.06, 1.0]
    """

    NAME = "nDCGBound"
    NEEDS_CUTOFF = True
    PAPERS = (PAPER,)
    PARAMS = {
        "bound": Param(choice("lower", "upper"), "lower", "The lower or the upper bound."),
        "kind": Param(
            choice("naive", "rbp", "guaranteed"),
            "naive",
            "The kind of bound, which sets the possible grades of unjudged documents.",
        ),
        "dcg": DCG,
        "max_grade": Param(
            integer(0, HIGHEST_GRADE),
            None,
            "The highest possible grade of an unjudged document. None: the highest grade in all "
            "the qrels.",
        ),
    }

    @property
    def of_all_queries(self) -> bool:
        return self["kind"] != "naive" and self["max_grade"] is None

    def score(self, judged: JudgedRun) -> FloatArray:
        judgments, cutoff = judged.judgments, self["cutoff"]
        max_grade = self._max_grade(int(judgments.levels.grades[-1]))
        grades = self._grades(judgments.levels.grades, max_grade)
        level = np.searchsorted(grades, np.maximum(judgments.grade, 0))
        gain = gain_of(self, grades)
        returned = min(cutoff, int(judged.returned.max(initial=0)))
        discounts = browsing_weights("nDCG", returned, 0.0)
        rank = truncate_ranks(judged.rank, cutoff)
        dcg = np.einsum("qj,qj->q", discounts[rank], gain[level])
        if self["bound"] == "lower" and self["kind"] == "guaranteed":
            highest = np.maximum(level.max(axis=1), np.searchsorted(grades, max_grade))
            return safe_divide(dcg, gain[highest] * discount_total(cutoff))
        pool = counts_by_level(level, judgments.is_judged, len(grades))
        ideal_depth = min(cutoff, int(pool.sum(axis=1).max(initial=0)) + returned)
        depth = discount_sums(ideal_depth)
        if self["bound"] == "lower":
            return safe_divide(dcg, kernel.ideal_dcg(pool, gain, depth))
        unjudged_rank = unjudged_ranks(rank, judged.returned, cutoff)
        unjudged = np.count_nonzero(unjudged_rank, axis=1)
        weight = np.cumsum(discounts[unjudged_rank], axis=1)
        weight = np.concatenate((np.zeros((len(weight), 1)), weight), axis=1)
        if self["kind"] == "naive":
            left = pool - counts_by_level(level, rank > 0, len(grades))
            best = dcg + kernel.best_left(left, unjudged, weight, gain)
            return safe_divide(best, kernel.ideal_dcg(pool, gain, depth))
        highest = int(np.searchsorted(grades, max_grade))
        if self["kind"] == "rbp":
            pool[:, highest] += unjudged
            ideal = kernel.ideal_dcg(pool, gain, depth)
            return safe_divide(dcg + gain[highest] * weight[:, -1], ideal)
        require_memory(self, 64 * weight.shape[1] ** 2)
        scores = np.empty(len(rank))
        for block in slices(len(rank), 4 * weight.shape[1] ** 2):
            scores[block] = kernel.greatest_ndcg(
                dcg[block],
                pool[block],
                unjudged[block],
                weight[block],
                gain,
                highest + 1,
                depth,
            )
        return scores

    def _max_grade(self, highest: int) -> int:
        max_grade = highest if self["max_grade"] is None else int(self["max_grade"])
        if self["kind"] == "guaranteed" and max_grade > HIGHEST_EXPONENT:
            raise InputError(
                f"{self.NAME}: kind='guaranteed' takes a `max_grade` to {HIGHEST_EXPONENT}; "
                f"got {max_grade}"
            )
        return max_grade

    def _grades(self, in_use: IntArray, max_grade: int) -> IntArray:
        """All grades that a document has or may be given."""
        possible = [max_grade]
        if self["kind"] == "guaranteed":
            possible = list(range(max_grade + 1))
        return np.union1d(in_use, possible)


nDCGBound = register(NDCGBound())  # noqa: N816
