"""nDCG_UE, AP_UE, UE, Expected and UpperBound: scores corrected for chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray, IntArray, safe_divide, slices
from ..common.validators import choice, flag, integer
from ..exceptions import InputError
from ..judgments.judged_run import JudgedRun
from ..kernels import upper_expected as kernel
from ..kernels.standard import HIGHEST_GDEVAL_GRADE
from ..kernels.user_models import DCGS, graded_gain, precision_at, truncate_ranks
from .declaring.base import Measure, register
from .declaring.doubt import Doubt
from .declaring.explained import Documents, Reasons, quotient
from .declaring.judged_relevance import doubt_only_relevant
from .declaring.paper import paper
from .declaring.params import RBP_PHI, REL, Param, gain_of, rank_weights

CASCADES = ("ERR", "RR")  # a user stops at a document with a probability

BASE = Param(
    choice("nDCG", "AP", "P", "RBP", *CASCADES),
    "nDCG",
    "The base measure. Its raw form is ``DCG@k`` for nDCG, the sum of precision ``SP@k`` for AP, "
    "and the measure itself for P, RBP, ERR and RR.",
)

# In the paper, version 2 distinguishes more pairs of systems than version 1 (section 6).
VERSION = Param(
    integer(1, 2),
    2,
    "The normalisation. 1: ``(A / IUB) (A / (A + REB))`` (Eq. 5). 2: ``(A - REB) / (IUB - REB)`` "
    "if A is at least REB, else ``(A - REB) / REB`` (Eq. 6).",
)

DCG = Param(
    choice(*DCGS),
    "exp-log2",
    "The gain of a grade g in DCG: g ('log2') or ``2^g - 1`` ('exp-log2', the paper). Negative "
    "grades have a gain of 0.",
)

CANDIDATES = Param(
    choice("judged", "run", "union"),
    "judged",
    "The documents that a random order permutes. 'judged': the judged documents of the query. "
    "'run': the documents of the run, where unjudged documents have a gain of 0. 'union': both.",
)

EXPECTATION = Param(
    choice("independent", "exact"),
    "independent",
    "The REB of AP. 'independent': ``min(k, n) p^2`` with ``p = N_p / n``, which assumes that "
    "precision and relevance are independent (the paper). 'exact': the true mean.",
)

OF_BASE = {
    "dcg": DCG,
    "rel": REL,
    "phi": RBP_PHI,
    "candidates": CANDIDATES,
    "expectation": EXPECTATION,
}


class Block(NamedTuple):
    """The documents of positive grade of some queries, as a run returns them."""

    rank: IntArray  # (queries, documents), within the cutoff
    worth: FloatArray  # (queries, documents)
    candidate: BoolArray  # (queries, documents)
    size: IntArray  # (queries,): the number of candidates

    def of(self, queries: slice) -> Block:
        """Some of the queries."""
        return Block(
            self.rank[queries], self.worth[queries], self.candidate[queries], self.size[queries]
        )


class _OfOrders(Measure):
    """A measure that compares a run with the possible orders of each query's candidates."""

    PAPERS = (paper("feng2023"),)

    @property
    def base(self) -> str:
        """The name of the raw measure."""
        return self["base"]

    def block_score(self, block: Block) -> FloatArray:
        """Scores of some queries."""
        raise NotImplementedError

    def score(self, judged: JudgedRun) -> FloatArray:
        every = self._block(judged)
        scores = np.empty(len(every.rank))
        for block in slices(len(scores), max(every.rank.shape[1], self._depth(every.size))):
            scores[block] = self.block_score(every.of(block))
        return scores

    def _block(self, judged: JudgedRun) -> Block:
        """All queries."""
        rank = judged.rank[:, : judged.judgments.positives]
        worth = self._worth(judged.judgments.grade[:, : judged.judgments.positives])
        candidate = rank > 0 if self["candidates"] == "run" else np.ones_like(worth, bool)
        return Block(truncate_ranks(rank, self["cutoff"]), worth, candidate, self._sizes(judged))

    def _depth(self, size: IntArray) -> int:
        """How many ranks orders of so many candidates have within the cutoff."""
        longest = int(size.max(initial=0))
        return longest if self["cutoff"] is None else min(longest, self["cutoff"])

    def _worth(self, grade: IntArray) -> FloatArray:
        """Gains; for ERR and RR the probabilities that a user stops at the documents."""
        if self.base != "ERR":
            return gain_of(self, grade, self.base)
        highest = int(grade.max(initial=0))
        if highest > HIGHEST_GDEVAL_GRADE:
            raise InputError(
                f"{self.NAME}: base='ERR' takes grades to {HIGHEST_GDEVAL_GRADE}; got {highest}"
            )
        return graded_gain(grade, "exp-log2") / 2.0**HIGHEST_GDEVAL_GRADE

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        block = self._block(judged).of(slice(documents.row, documents.row + 1))
        worth = documents.of_columns(block.worth[0])
        terms = {"A": float(self.actual(block)[0]), "IUB": float(self.upper(block)[0])}
        if self._has_expected:
            terms["REB"] = float(self.expected(block)[0])
        terms["n"] = int(block.size[0])
        terms["relevant"] = int(np.count_nonzero(block.worth[0] * block.candidate[0]))
        return Reasons(
            {"gain": worth, "in_A": self._parts(documents.rank, worth)},
            terms,
            self.formula(terms),
            worth,
            meanings={"relevant": "candidates with a gain"},
        )

    _has_expected = True

    def formula(self, terms: dict[str, float]) -> str:
        """The formula of the score from A, IUB and REB."""
        raise NotImplementedError

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        if self["candidates"] == "judged":
            yield from doubt_only_relevant(
                self,
                judged.judgments,
                "so that no order of the judged documents is worse than another by chance; use "
                "candidates='run' or candidates='union'",
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
        return self._raw(block.rank, block.worth)

    def upper(self, block: Block) -> FloatArray:
        """IUB: the raw score of the ideal order."""
        rank = kernel.ideal_rank(block.candidate & (block.worth > 0), self["cutoff"])
        return self._raw(rank, block.worth)

    def _raw(self, rank: IntArray, worth: FloatArray) -> FloatArray:
        """The raw score of documents in any order: (queries,)."""
        if self.base == "AP":
            return kernel.sum_of_precision(rank, worth > 0)
        return self._parts(rank, worth).sum(axis=1)

    def _parts(self, rank: IntArray, worth: FloatArray) -> FloatArray:
        """What each document adds to the raw score; for AP, documents are in order of rank."""
        if self.base == "AP":
            return worth * precision_at(rank, worth)
        if self.base in CASCADES:
            return kernel.cascade_parts(rank, worth)
        return worth * rank_weights(self, self.base, int(rank.max(initial=0)))[rank]

    def expected(self, block: Block) -> FloatArray:
        """REB: the mean raw score of all orders."""
        worth = block.worth * block.candidate
        size, cutoff = block.size, self["cutoff"]
        if self.base == "AP":
            relevant = np.count_nonzero(worth, axis=1)
            is_exact = self["expectation"] == "exact"
            return kernel.expected_sum_of_precision(relevant, size, cutoff, is_exact)
        if self.base in CASCADES:
            return kernel.expected_cascade(worth, size, cutoff)
        weights = rank_weights(self, self.base, self._depth(size))
        return kernel.expected_weighted_gain(worth, size, weights)


class _Normalised(_OfOrders):
    RANGE = (-1.0, 1.0)  # of version 2 (Eq. 6): -1 if A is 0, 1 if it is ideal
    RANGE_NOTE = "; in [0, 1] with ``version=1``"

    @property
    def range(self) -> tuple[float, float]:
        return (0.0, 1.0) if self["version"] == 1 else self.RANGE

    def block_score(self, block: Block) -> FloatArray:
        version = kernel.version_1 if self["version"] == 1 else kernel.version_2
        return version(self.actual(block), self.upper(block), self.expected(block))

    def formula(self, terms: dict[str, float]) -> str:
        if self["version"] == 1:
            return "A / IUB * A / (A + REB)" if terms["A"] > 0 else "0"
        actual, expected = np.array(terms["A"]), np.array(terms["REB"])
        upper = np.array(terms["IUB"])
        beyond = kernel.difference(actual, expected, upper)
        if beyond < 0:
            return "(A - REB) / REB"
        reachable = beyond > 0 and kernel.difference(upper, expected, upper) > 0
        return "(A - REB) / (IUB - REB)" if reachable else "0"


class UpperExpectedNDCG(_Normalised):
    r"""nDCG corrected for chance: rescaled so that a random order scores 0 and the ideal order 1.

    A is ``DCG@k = sum_{i <= k} G(d_i) / log2(i + 1)``, and IUB is the DCG@k of the ideal order. REB
    is the mean DCG@k of all orders of the n candidates, which is the mean gain times
    ``sum_{i <= min(k, n)} 1 / log2(i + 1)`` (Eq. 7 of the paper). `version` combines them.

    Notes
    -----
    - Version 2 is 1 for the ideal order, 0 for the mean score of a random order, and -1 for a DCG
      of 0.
    - A fraction with a denominator of 0 is 0. In version 2, this happens if all orders have the
      same score and the run has this score too.
    - The formula also applies to a query that the run misses. Version 2 is then -1 if a judged
      candidate has a positive gain.

    Examples
    --------
    A random order of a relevant and a non-relevant document puts the relevant one first with
    probability 1/2. Its mean DCG is 0.815.

    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 0}}
    >>> measure = irx_measures.nDCG_UE @ 10
    >>> measure.calc_aggregate(qrels, {"q": {"A": 2.0, "B": 1.0}})
    1.0
    >>> round(measure.calc_aggregate(qrels, {"q": {"B": 2.0, "A": 1.0}}), 3)
    -0.226
    >>> run = {"q": {"A": 2.0, "B": 1.0}}
    >>> round(measure(version=1).calc_aggregate(qrels, run), 3)
    0.551
    """

    NAME = "nDCG_UE"
    PARAMS = {"version": VERSION, "dcg": DCG, "candidates": CANDIDATES}
    base = "nDCG"


class UpperExpectedAP(_Normalised):
    r"""AP corrected for chance: rescaled so that a random order scores 0 and the ideal order 1.

    A is ``SP@k = sum_{i <= k} Prec(i) Rel(d_i)`` (Eq. 4 of the paper). IUB is ``min(k, N_p)``,
    where N_p of the n candidates are relevant. The exact REB, the mean SP@k of all orders, is
    ``sum_{i <= min(k, n)} (1/i) (p + (i - 1) p (N_p - 1) / (n - 1))`` with ``p = N_p / n``.
    `version` combines them.

    Notes
    -----
    - The paper assumes that the precision at a rank and the relevance of the document at that rank
      are independent. They are not, because the precision counts that document. With 3 relevant
      documents of 10, the independent REB is 0.9 at k = 10 and 0.45 at k = 5. The exact REB is 1.35
      at k = 10 and 0.866 at k = 5.
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
    >>> for by in ("independent", "exact"):
    ...     expected = irx_measures.Expected(base="AP", expectation=by) @ 10
    ...     print(expected, round(expected.calc_aggregate(qrels, run), 3))
    Expected(base=AP)@10 0.9
    Expected(base=AP,expectation=exact)@10 1.35
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
    r"""Any base measure corrected for chance: a random order scores 0 and the ideal order 1.

    A is the raw measure of the run, IUB is the raw measure of the ideal order of the candidates,
    and REB is its mean over all orders of the candidates. `version` combines them.

    Notes
    -----
    - The paper defines nDCG and AP, and names ERR as future work. This package adds the other base
      measures.
    - REB is a closed form, except for ERR and RR, which use exact dynamic programming.
    - ERR is that of ir_measures (gdeval). A document of grade g ends the search with probability
      ``(2^g - 1) / 16``, or 0 if g is negative. Grades above 4 raise an error.

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
    r"""Mean score of all orders of the candidates (REB).

    REB (section 5 of the paper) is the mean of a raw measure over all orders of a query's candidate
    documents. DCG uses Eq. 7, the sum of precision uses section 6.4.1, and the other measures use
    the exact mean.

    Notes
    -----
    - With ``candidates='judged'``, the score depends only on the query, not on the run.
    - The score is 0 if the query has no candidate.

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
    RANGE_NOTE = "; at most 1 if normalized"
    PARAMS = {
        "base": BASE,
        "normalized": Param(
            flag(),
            False,
            "Whether to divide by the upper bound, which turns DCG into nDCG and SP into AP.",
        ),
        **OF_BASE,
    }

    @property
    def range(self) -> tuple[float, float]:
        return (0.0, 1.0) if self["normalized"] else self.RANGE

    @property
    def counts_unjudged(self) -> bool:
        return self["candidates"] != "judged"

    def block_score(self, block: Block) -> FloatArray:
        expected = self.expected(block)
        return safe_divide(expected, self.upper(block)) if self["normalized"] else expected

    def formula(self, terms: dict[str, float]) -> str:
        return quotient("REB", "IUB", terms) if self["normalized"] else "REB"


class IdealUpperBound(_OfOrders):
    r"""Score of the ideal order of the candidates (IUB).

    IUB (section 5 of the paper) is the raw measure of a query's candidate documents by descending
    grade. It is ``min(k, N_p)`` for the sum of precision.

    Notes
    -----
    - With ``candidates='judged'``, the score depends only on the query, not on the run.
    - The score is 0 if no candidate has a positive gain.

    Examples
    --------
    >>> import irx_measures
    >>> qrels, run = {"q": {"A": 1, "B": 2, "C": 0}}, {"q": {"A": 1.0}}
    >>> round((irx_measures.UpperBound @ 10).calc_aggregate(qrels, run), 3)
    3.631
    >>> measure = irx_measures.UpperBound(base="AP", candidates="run") @ 10
    >>> measure.calc_aggregate(qrels, run)
    1.0
    """

    NAME = "UpperBound"
    RANGE = (0.0, np.inf)
    PARAMS = {
        "base": BASE,
        **{name: param for name, param in OF_BASE.items() if name != "expectation"},
    }

    _has_expected = False  # the parameters of REB are not among its own

    @property
    def counts_unjudged(self) -> bool:
        return self["candidates"] != "judged"

    def block_score(self, block: Block) -> FloatArray:
        return self.upper(block)

    def formula(self, terms: dict[str, float]) -> str:
        return "IUB"


nDCG_UE = register(UpperExpectedNDCG())  # noqa: N816

AP_UE = register(UpperExpectedAP())

UE = register(UpperExpected())

Expected = register(ExpectedValue())

UpperBound = register(IdealUpperBound())
