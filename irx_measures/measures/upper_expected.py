"""nDCG_UE, AP_UE, UE, Expected, UpperBound: scores corrected for what a random order scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..common.arrays import FloatArray, IntArray
from ..common.chunks import slices
from ..common.division import safe_divide
from ..exceptions import InputError
from ..judgments.judged_run import JudgedRun
from ..kernels import upper_expected as kernel
from ..kernels.user_models import DCGS, binary_gain, browsing_weights, truncate_ranks
from .base import Measure
from .catalogue import register
from .citations import Paper
from .doubts import Doubt
from .gain import gain_of
from .params import Param, choice, flag, integer, number_in

PAPER = Paper(
    key="feng2023",
    authors=("Feng, Dongji", "Karmaker Santu, Shubhra Kanti"),
    title=(
        "Joint Upper & Expected Value Normalization for Evaluation of Retrieval Systems: A Case "
        "Study with Learning-to-Rank Methods"
    ),
    venue="IPM",
    year=2023,
    journal="Information Processing & Management",
)

HIGHEST_ERR_GRADE = 4  # gdeval's, by which ir_measures scores ERR


def _gain(measure: Measure, grade: IntArray) -> FloatArray:
    return gain_of(measure, grade)


def _relevance(measure: Measure, grade: IntArray) -> FloatArray:
    return binary_gain(grade, measure["rel"])


def _err_stop(measure: Measure, grade: IntArray) -> FloatArray:
    highest = int(grade.max(initial=0))
    if highest > HIGHEST_ERR_GRADE:
        raise InputError(
            f"{measure.NAME}: base='ERR' takes grades to {HIGHEST_ERR_GRADE}; got {highest}"
        )
    return (np.exp2(np.maximum(grade, 0)) - 1.0) / 2.0**HIGHEST_ERR_GRADE


def _weights(base: str) -> Callable[[Measure, int], FloatArray]:
    def weights(measure: Measure, depth: int) -> FloatArray:
        if base == "RBP":
            return (1.0 - measure["phi"]) * browsing_weights(base, depth, measure["phi"])
        scale = measure["cutoff"] if base == "P" else 1.0
        return browsing_weights(base, depth, 0.0) / scale

    return weights


class RawMeasure(NamedTuple):
    """A measure before normalisation, as functions of arrays.

    Attributes
    ----------
    worth
        What documents of some grades are worth.
    at
        The score, given ranks and worths: (queries,).
    expected
        Its mean over random orders, given worths and number of the candidates: (queries,).
    """

    worth: Callable[[Measure, IntArray], FloatArray]
    at: Callable[[Measure, IntArray, FloatArray], FloatArray]
    expected: Callable[[Measure, FloatArray, IntArray], FloatArray]


def _weighted(base: str, worth: Callable[[Measure, IntArray], FloatArray]) -> RawMeasure:
    weights = _weights(base)

    def at(measure: Measure, rank: IntArray, gain: FloatArray) -> FloatArray:
        return kernel.weighted_gain(rank, gain, weights(measure, int(rank.max(initial=0))))

    def expected(measure: Measure, gain: FloatArray, size: IntArray) -> FloatArray:
        most = int(size.max(initial=0))
        depth = most if measure["cutoff"] is None else min(most, measure["cutoff"])
        return kernel.expected_weighted_gain(gain, size, weights(measure, depth))

    return RawMeasure(worth, at, expected)


def _expected_precisions(measure: Measure, relevance: FloatArray, size: IntArray) -> FloatArray:
    relevant = np.count_nonzero(relevance, axis=1)
    exact = measure["expectation"] == "exact"
    return kernel.expected_sum_of_precision(relevant, size, measure["cutoff"], exact)


def _cascade(worth: Callable[[Measure, IntArray], FloatArray]) -> RawMeasure:
    return RawMeasure(
        worth,
        lambda measure, rank, stop: kernel.cascade(rank, stop),
        lambda measure, stop, size: kernel.expected_cascade(stop, size, measure["cutoff"]),
    )


RAW = {
    "nDCG": _weighted("nDCG", _gain),
    "AP": RawMeasure(
        _relevance,
        lambda measure, rank, relevance: kernel.sum_of_precision(rank, relevance > 0),
        _expected_precisions,
    ),
    "P": _weighted("P", _relevance),
    "RBP": _weighted("RBP", _relevance),
    "ERR": _cascade(_err_stop),
    "RR": _cascade(_relevance),
}

BASE = Param(
    choice(*RAW),
    "nDCG",
    "The raw measure: ``DCG@k``, the sum of precision ``SP@k``, or P, RBP, ERR, RR themselves.",
)

VERSION = Param(
    integer(1, 2),
    2,
    "The normalisation. 1: ``(A / IUB) (A / (A + REB))`` (Eq. 5). 2: ``(A - REB) / (IUB - REB)``, "
    "below REB ``(A - REB) / REB`` (Eq. 6).",
)

DCG = Param(
    choice(*DCGS),
    "exp-log2",
    "Gain of a grade g in DCG: g ('log2') or ``2^g - 1`` ('exp-log2', the paper). Negative grades "
    "gain nothing.",
)

REL = Param(integer(1), 1, "The smallest grade that is relevant in AP, P, RBP and RR.")

PHI = Param(number_in(0, 1, closed=False), 0.8, "Persistence of RBP.")

CANDIDATES = Param(
    choice("judged", "run", "union"),
    "judged",
    "The documents whose orders count: the query's judged ones, those of the run (unjudged ones "
    "gain nothing), or both.",
)

EXPECTATION = Param(
    choice("independent", "exact"),
    "independent",
    "REB of AP. 'independent': ``min(k, n) p^2`` with ``p = N_p / n``, as if precision and "
    "relevance were independent (the paper). 'exact': the true mean.",
)

OF_BASE = {
    "dcg": DCG,
    "rel": REL,
    "phi": PHI,
    "candidates": CANDIDATES,
    "expectation": EXPECTATION,
}


class Block(NamedTuple):
    """Some queries of a run.

    Attributes
    ----------
    rank, worth : (queries, documents)
        Of the documents of positive grade; ranks within the cutoff.
    candidate : (queries, documents) bools
    size : (queries,)
        Number of candidates.
    """

    rank: IntArray
    worth: FloatArray
    candidate: NDArray[np.bool_]
    size: IntArray


class _OfOrders(Measure):
    """A measure of a run among the orders of its queries' candidates."""

    PAPERS = (PAPER,)

    @property
    def base(self) -> str:
        """The name of the raw measure."""
        return self["base"]

    def block_score(self, block: Block) -> FloatArray:
        """Scores of some queries."""
        raise NotImplementedError

    def validate_params(self) -> None:
        super().validate_params()
        if self.base == "P" and self["cutoff"] is None:
            raise InputError(f"{self.NAME}: base='P' needs a cutoff, as in {self.NAME}@10")

    def score(self, judged: JudgedRun) -> FloatArray:
        positives = judged.judgments.positives
        rank = judged.rank[:, :positives]
        worth = RAW[self.base].worth(self, judged.judgments.grade[:, :positives])
        candidate = rank > 0 if self["candidates"] == "run" else np.ones_like(worth, bool)
        size = self._sizes(judged)
        scores = np.empty(len(rank))
        longest = int(size.max(initial=0))
        depth = longest if self["cutoff"] is None else min(longest, self["cutoff"])
        for block in slices(len(rank), max(positives, depth)):
            scores[block] = self.block_score(
                Block(
                    truncate_ranks(rank[block], self["cutoff"]),
                    worth[block],
                    candidate[block],
                    size[block],
                )
            )
        return scores

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        if self["candidates"] != "judged":
            return
        judgments = judged.judgments
        relevant = RAW[self.base].worth(self, judgments.grade[:, : judgments.positives]) > 0
        everything = np.count_nonzero(relevant, axis=1) == judgments.judged
        count, queries = int(np.count_nonzero(everything)), len(everything)
        if 2 * count > queries:
            yield Doubt(
                f"every judged document of {count} of {queries} queries is relevant, so that no "
                "order of the judged documents is worse than another by chance; use "
                "candidates='run' or candidates='union'",
                of_run=False,
            )

    def _sizes(self, judged: JudgedRun) -> IntArray:
        if self["candidates"] == "judged":
            return judged.judgments.judged
        if self["candidates"] == "run":
            return judged.returned
        missed = judged.judgments.judged - np.count_nonzero(judged.rank, axis=1)
        return judged.returned + missed

    def actual(self, block: Block) -> FloatArray:
        """A: the raw score."""
        return RAW[self.base].at(self, block.rank, block.worth)

    def upper(self, block: Block) -> FloatArray:
        """IUB: the raw score of the ideal order."""
        rank = kernel.ideal_rank(block.candidate & (block.worth > 0), self["cutoff"])
        return RAW[self.base].at(self, rank, block.worth)

    def expected(self, block: Block) -> FloatArray:
        """REB: the mean raw score of all orders."""
        return RAW[self.base].expected(self, block.worth * block.candidate, block.size)


class _Normalised(_OfOrders):
    RANGE = (-1.0, 1.0)

    def block_score(self, block: Block) -> FloatArray:
        version = kernel.version_1 if self["version"] == 1 else kernel.version_2
        return version(self.actual(block), self.upper(block), self.expected(block))


class UpperExpectedNDCG(_Normalised):
    r"""nDCG corrected for chance: rescaled so that a random order scores 0 and the ideal order 1.

    A is ``DCG@k = sum_{i <= k} G(d_i) / log2(i + 1)``, IUB that of the ideal order, and REB its
    mean over all orders of the n candidates, the mean gain times ``sum_{i <= min(k, n)}
    1 / log2(i + 1)`` (Eq. 7 of the paper). Version 1 (Eq. 5) is ``(A / IUB) (A / (A + REB))``,
    version 2 (Eq. 6) ``(A - REB) / (IUB - REB)`` where A is at least REB, else
    ``(A - REB) / REB``.

    Returns
    -------
    float
        For each query in [-1, 1], with ``version=1`` in [0, 1].

    Notes
    -----
    - Version 2 is 1 for the ideal order, 0 for what a random order scores, -1 for a score of 0.
    - A fraction with a denominator of 0 is 0: version 2 where all orders score the same and the
      run scores that.
    - A query that the run misses scores by the formula: -1 in version 2, if the judged candidates
      hold any gain.

    Examples
    --------
    Of a relevant and a non-relevant document a random order puts the relevant one first every
    second time, and scores 0.815 on average.

    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 0}}
    >>> measure = irx_measures.nDCG_UE @ 10
    >>> measure.calc_aggregate(qrels, {"q": {"A": 2.0, "B": 1.0}})
    1.0
    >>> round(measure.calc_aggregate(qrels, {"q": {"B": 2.0, "A": 1.0}}), 3)
    -0.226
    >>> round(measure(version=1).calc_aggregate(qrels, {"q": {"A": 2.0, "B": 1.0}}), 3)
    0.551
    """

    NAME = "nDCG_UE"
    PARAMS = {"version": VERSION, "dcg": DCG, "candidates": CANDIDATES}
    base = "nDCG"


class UpperExpectedAP(_Normalised):
    r"""AP corrected for chance: rescaled so that a random order scores 0 and the ideal order 1.

    A is ``SP@k = sum_{i <= k} Prec(i) Rel(d_i)`` (Eq. 4 of the paper), IUB is ``min(k, N_p)`` with
    N_p relevant ones among n candidates, and REB its mean over all orders: exactly,
    ``sum_{i <= min(k, n)} (1/i) (p + (i - 1) p (N_p - 1) / (n - 1))`` with ``p = N_p / n``. The
    versions are those of `nDCG_UE`.

    Returns
    -------
    float
        For each query in [-1, 1], with ``version=1`` in [0, 1].

    Notes
    -----
    - The paper takes the precision at a rank and the relevance of the document there for
      independent. They are not: that document is part of the precision. With 3 relevant ones of 10
      the independent REB at k = 10 is 0.9, the exact one 1.35; at k = 5, 0.45 against 0.866.
    - A fraction with a denominator of 0 is 0.

    Examples
    --------
    >>> import irx_measures
    >>> qrels = {"q": {doc: int(doc in "ABC") for doc in "ABCDEFGHIJ"}}
    >>> run = {"q": {doc: float(-rank) for rank, doc in enumerate("ADBECFGHIJ")}}
    >>> measure = irx_measures.AP_UE @ 10
    >>> round(measure.calc_aggregate(qrels, run), 3)
    0.651
    >>> round(measure(expectation="exact").calc_aggregate(qrels, run), 3)
    0.556
    >>> [irx_measures.Expected(base="AP", expectation=by) @ 10 for by in ("independent", "exact")]
    [Expected(base=AP)@10, Expected(base=AP,expectation=exact)@10]
    >>> [round(expected.calc_aggregate(qrels, run), 3) for expected in _]
    [0.9, 1.35]
    """

    NAME = "AP_UE"
    PARAMS = {
        "version": VERSION,
        "rel": REL,
        "candidates": CANDIDATES,
        "expectation": EXPECTATION,
    }
    base = "AP"


class UpperExpected(_Normalised):
    r"""Any base measure corrected for chance: a random order scores 0, the ideal order 1.

    With A the raw measure, IUB that of the ideal order of the candidates and REB its mean over all
    their orders, version 1 (Eq. 5 of the paper) is ``(A / IUB) (A / (A + REB))``, version 2
    (Eq. 6) ``(A - REB) / (IUB - REB)`` where A is at least REB, else ``(A - REB) / REB``.

    Returns
    -------
    float
        For each query in [-1, 1], with ``version=1`` in [0, 1].

    Notes
    -----
    - nDCG and AP are the paper's, which names ERR as future work; the others are ours. Expected
      values are closed forms, and exact dynamic programming for ERR and RR.
    - ERR is ir_measures' (gdeval): a document of grade g ends the search with probability
      ``(2^g - 1) / 16``, never where g is negative; grades above 4 are an error.

    Examples
    --------
    A random order of one relevant document and three others has a reciprocal rank of 0.521.

    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 0, "C": 0, "D": 0}}
    >>> run = {"q": {"B": 4.0, "A": 3.0, "C": 2.0, "D": 1.0}}
    >>> round((irx_measures.Expected(base="RR") @ 10).calc_aggregate(qrels, run), 3)
    0.521
    >>> round((irx_measures.UE(base="RR") @ 10).calc_aggregate(qrels, run), 3)
    -0.04
    """

    NAME = "UE"
    PARAMS = {"base": BASE, "version": VERSION, **OF_BASE}


class ExpectedValue(_OfOrders):
    r"""What a random order of the candidates scores on average: REB.

    The mean of a raw measure over all orders of a query's candidate documents (REB in section 5 of
    the paper): for DCG Eq. 7, for the sum of precision section 6.4.1, for the others exact.

    Returns
    -------
    float
        At least 0 for each query; at most 1 where normalized.

    Notes
    -----
    - With judged candidates it belongs to the query: the run plays no part.
    - 0 where there is no candidate.

    Examples
    --------
    >>> import irx_measures
    >>> qrels, run = {"q": {"A": 1, "B": 0}}, {"q": {"A": 1.0}}
    >>> round((irx_measures.Expected @ 10).calc_aggregate(qrels, run), 3)
    0.815
    >>> (irx_measures.Expected(base="P") @ 2).calc_aggregate(qrels, run)
    0.5
    """

    NAME = "Expected"
    RANGE = (0.0, np.inf)
    PARAMS = {
        "base": BASE,
        "normalized": Param(
            flag(),
            False,
            "Whether to divide by the upper bound: expected nDCG instead of DCG, AP instead of SP.",
        ),
        **OF_BASE,
    }

    def block_score(self, block: Block) -> FloatArray:
        expected = self.expected(block)
        return safe_divide(expected, self.upper(block)) if self["normalized"] else expected


class IdealUpperBound(_OfOrders):
    r"""What the ideal order of the candidates scores: IUB.

    The raw measure of a query's candidate documents by descending grade (IUB in section 5 of the
    paper); ``min(k, N_p)`` for the sum of precision.

    Returns
    -------
    float
        At least 0 for each query.

    Notes
    -----
    - With judged candidates it belongs to the query: the run plays no part.
    - 0 where no candidate gains.

    Examples
    --------
    >>> import irx_measures
    >>> qrels, run = {"q": {"A": 1, "B": 2, "C": 0}}, {"q": {"A": 1.0}}
    >>> round((irx_measures.UpperBound @ 10).calc_aggregate(qrels, run), 3)
    3.631
    >>> (irx_measures.UpperBound(base="AP", candidates="run") @ 10).calc_aggregate(qrels, run)
    1.0
    """

    NAME = "UpperBound"
    RANGE = (0.0, np.inf)
    PARAMS = {
        "base": BASE,
        **{name: param for name, param in OF_BASE.items() if name != "expectation"},
    }

    def block_score(self, block: Block) -> FloatArray:
        return self.upper(block)


nDCG_UE = register(UpperExpectedNDCG())  # noqa: N816

AP_UE = register(UpperExpectedAP())

UE = register(UpperExpected())

Expected = register(ExpectedValue())

UpperBound = register(IdealUpperBound())
