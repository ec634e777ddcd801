"""nDCGBound: lower and upper bounds of nDCG for rankings with unjudged documents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..common.memory import require_memory
from ..common.numeric import FloatArray, IntArray, safe_divide, slices
from ..common.validators import choice, integer
from ..exceptions import InputError
from ..io.columns import GRADE_LIMIT
from ..judgments.judged_run import JudgedRun
from ..kernels import ndcg_bounds as kernel
from ..kernels.bootstrap import counts_by_level, unjudged_ranks
from ..kernels.user_models import browsing_weights, discount_sums, truncate_ranks
from .declaring.base import Measure, register
from .declaring.explained import Documents, Reasons, quotient
from .declaring.paper import paper
from .declaring.params import DCG, HIGHEST_EXPONENT, Param, gain_of


class Graded(NamedTuple):
    """A run's documents by level, with gains."""

    rank: IntArray  # (queries, documents), within the cutoff
    level: IntArray  # (queries, documents)
    gain: FloatArray  # (levels,)
    highest: int  # the level of the highest grade that an unjudged document may have
    discounts: FloatArray  # (depth + 1,), of rank 0 (not returned), 1, ...
    dcg: FloatArray  # (queries,)


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
    COUNTS_UNJUDGED = False  # the scores are bounds, and called so
    PAPERS = (paper("froebe2023"),)
    PARAMS = {
        "bound": Param(choice("lower", "upper"), "lower", "The lower or the upper bound."),
        "kind": Param(
            choice("naive", "rbp", "guaranteed"),
            "naive",
            "The kind of bound, which sets the possible grades of unjudged documents.",
        ),
        "dcg": DCG,
        "max_grade": Param(
            integer(0, GRADE_LIMIT - 1),
            None,
            "The highest possible grade of an unjudged document. None: the highest grade in all "
            "the qrels.",
        ),
    }

    @property
    def of_all_queries(self) -> bool:
        return self["kind"] != "naive" and self["max_grade"] is None

    def score(self, judged: JudgedRun) -> FloatArray:
        if self["kind"] == "guaranteed" and self["bound"] == "upper":
            return self._greatest(judged)
        graded = self._graded(judged)
        added, ideal = self._added_and_ideal(judged, graded)
        return safe_divide(graded.dcg + added, ideal)

    def _graded(self, judged: JudgedRun) -> Graded:
        """The ranks, gains and counts on which all bounds depend."""
        judgments, cutoff = judged.judgments, self["cutoff"]
        grades, max_grade = judgments.levels.grades, self["max_grade"]
        if max_grade is None:
            max_grade = int(grades[-1])
        possible = [max_grade]
        if self["kind"] == "guaranteed":
            if max_grade > HIGHEST_EXPONENT:
                raise InputError(
                    f"{self.NAME}: kind='guaranteed' takes a `max_grade` to {HIGHEST_EXPONENT}; "
                    f"got {max_grade}"
                )
            possible = list(range(max_grade + 1))
        grades = np.union1d(grades, possible)
        level = np.searchsorted(grades, np.maximum(judgments.grade, 0))
        gain = gain_of(self, grades)
        returned = min(cutoff, int(judged.returned.max(initial=0)))
        discounts = browsing_weights("nDCG", returned, 0.0)
        rank = truncate_ranks(judged.rank, cutoff)
        dcg = np.einsum("qj,qj->q", discounts[rank], gain[level])
        highest = int(np.searchsorted(grades, max_grade))
        return Graded(rank, level, gain, highest, discounts, dcg)

    def _added_and_ideal(self, judged: JudgedRun, graded: Graded) -> tuple[FloatArray, FloatArray]:
        """What is added to DCG, and what divides it, (queries,); not the guaranteed upper bound."""
        nothing = np.zeros(len(graded.dcg))
        if self["bound"] == "lower" and self["kind"] == "guaranteed":
            highest = np.maximum(graded.level.max(axis=1), graded.highest)
            ideal = graded.gain[highest] * discount_sums(self["cutoff"])[-1]
            return nothing, ideal
        pool, depth = self._pool(judged, graded)
        gain = graded.gain
        if self["bound"] == "lower":
            return nothing, kernel.ideal_dcg(pool, gain, depth)
        unjudged, weight = self._unjudged(judged, graded)
        if self["kind"] == "naive":
            left = pool - counts_by_level(graded.level, graded.rank > 0, len(gain))
            best = kernel.best_left(left, unjudged, weight, gain)
            return best, kernel.ideal_dcg(pool, gain, depth)
        pool[:, graded.highest] += unjudged
        return gain[graded.highest] * weight[:, -1], kernel.ideal_dcg(pool, gain, depth)

    def _greatest(self, judged: JudgedRun) -> FloatArray:
        """The guaranteed upper bound."""
        graded = self._graded(judged)
        pool, depth = self._pool(judged, graded)
        unjudged, weight = self._unjudged(judged, graded)
        require_memory(self, 64 * weight.shape[1] ** 2)
        scores = np.empty(len(graded.dcg))
        for block in slices(len(scores), 4 * weight.shape[1] ** 2):
            scores[block] = kernel.greatest_ndcg(
                graded.dcg[block],
                pool[block],
                unjudged[block],
                weight[block],
                graded.gain,
                graded.highest + 1,
                depth,
            )
        return scores

    def _pool(self, judged: JudgedRun, graded: Graded) -> tuple[IntArray, FloatArray]:
        """The number of judged documents of each level, and the sums of discounts by depth."""
        pool = counts_by_level(graded.level, judged.judgments.is_judged, len(graded.gain))
        returned = len(graded.discounts) - 1
        ideal_depth = min(self["cutoff"], int(pool.sum(axis=1).max(initial=0)) + returned)
        return pool, discount_sums(ideal_depth)

    def _unjudged(self, judged: JudgedRun, graded: Graded) -> tuple[IntArray, FloatArray]:
        """The number of unjudged documents, and the summed discounts of the first 0, 1, ..."""
        ranks = unjudged_ranks(graded.rank, judged.returned, self["cutoff"])
        weight = np.cumsum(graded.discounts[ranks], axis=1)
        weight = np.concatenate((np.zeros((len(weight), 1)), weight), axis=1)
        return np.count_nonzero(ranks, axis=1), weight

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        row, graded = documents.row, self._graded(judged)
        gain = documents.of_columns(graded.gain[graded.level[row]])
        gain[documents.unjudged] = 0.0
        discount = graded.discounts[documents.rank]
        factors = {"gain": gain, "discount": discount}
        unjudged = np.count_nonzero(documents.unjudged)
        terms = {"DCG": float(graded.dcg[row]), "unjudged": float(unjudged)}
        if self["bound"] == "upper":
            factors["in_DCG"] = gain * discount
        if self["bound"] == "upper" and self["kind"] == "guaranteed":
            terms["greatest"] = float(self._greatest(judged)[row])
            return Reasons(factors, terms, "greatest", gain)
        added, ideal = self._added_and_ideal(judged, graded)
        terms["ideal"] = float(ideal[row])
        if self["bound"] == "upper":
            terms["added"] = float(added[row])
            return Reasons(factors, terms, quotient("(DCG + added)", "ideal", terms), gain)
        contribution = safe_divide(gain * discount, terms["ideal"])
        return Reasons(factors, terms, quotient("DCG", "ideal", terms), gain, contribution)


nDCGBound = register(NDCGBound())  # noqa: N816
