"""RBR, RBA, RBO and RBPBound: rank-biased comparison of sets and rankings with a reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, NamedTuple, get_args

import numpy as np

from ..common.numeric import FloatArray, IntArray, slices
from ..common.validators import choice, number_in
from ..exceptions import InputError
from ..judgments.judged_run import JudgedRun
from ..judgments.judged_share import SAME_IDS
from ..judgments.judgments import Judgments
from ..kernels import rank_biased as kernel
from ..kernels.rank_overlap import Overlap, overlap
from ..kernels.tie_orders import Groups, extreme_order, extreme_ranks, tie_groups, untied_groups
from ..kernels.user_models import truncate_ranks
from ..runsets import caches
from ..runsets.registry import OTHERS
from ..runsets.runset import RunSet
from ..typing import Bound, OverlapBound, OverlapTies, Ties
from .declaring.base import Measure, register
from .declaring.doubt import Doubt
from .declaring.explained import Documents, Reasons
from .declaring.paper import Paper, paper
from .declaring.params import CUTOFF, REL, Param
from .declaring.relative import RUNS, resolved

# The paper finds .8 to .98 right for 10 to 100 documents; .95 is a mean of 20 documents.
PHI = Param(
    number_in(0, 1, closed=False),
    0.95,
    "The persistence. Rank i has the weight ``(1 - phi) phi^(i - 1)``.",
)

REFERENCE = Param(
    RUNS,
    None,
    "The reference ranking R. It is one run: a `RunSet`, a run, a path, the name of a run under "
    "comparison, or the name of a set of one run. If the qrels are empty, its queries are "
    "evaluated. None: the query's qrels by descending grade, without documents of grade 0 and "
    "below.",
)

EXTREME_TIES = ("least", "greatest")

ORDERS = (
    "'break': trec_eval's order breaks ties. 'least', 'greatest': the order of tied documents with "
    "the lowest, or the highest, score."
)

TIES = Param(
    choice(*get_args(Ties)),
    "share",
    "'share': tied documents (equal grade, or equal float32 score) share the weights of their "
    f"ranks. {ORDERS}",
)

BOUND = Param(
    choice(*get_args(Bound)),
    "lower",
    "'lower': the score. 'upper': the highest possible score if the rankings continue. 'residual': "
    "the difference between them.",
)

CUT_RUN = Param(
    CUTOFF.allowed,
    None,
    "``@k``: the run is cut at k in trec_eval's order. The remaining documents may still tie.",
)


class RankedPair(NamedTuple):
    """The observed and the reference rankings of some queries, with their tie groups."""

    # (queries, reference depth): the observed rank of each document of the reference, 0 if none.
    rank: IntArray
    observed: Groups
    reference: Groups

    def of(self, queries: slice) -> RankedPair:
        """Some of the queries."""
        observed, reference = self.observed, self.reference
        return RankedPair(
            self.rank[queries],
            Groups(observed.first[queries], observed.last[queries]),
            Groups(reference.first[queries], reference.last[queries]),
        )


class _ReferenceMeasure(Measure):
    """A measure that compares a run with one reference ranking."""

    ORDERED: ClassVar[bool] = True  # whether the order of the run's documents matters
    PAPERS: ClassVar[tuple[Paper, ...]] = (paper("moffat2024"),)
    CUTOFF = CUT_RUN
    PARAMS = {"phi": PHI, "reference": REFERENCE, "ties": TIES, "bound": BOUND}

    def bounded(self, compared: RankedPair) -> FloatArray:
        """The value that the parameter `bound` selects: (queries,)."""
        raise NotImplementedError

    def validate_params(self) -> None:
        super().validate_params()
        if self["reference"] == OTHERS:
            raise InputError(
                f"{self.NAME}: `reference` must be one run; got {OTHERS!r}, the systems compared"
            )

    @property
    def of_qrels(self) -> bool:
        return self["reference"] is None

    @property
    def orders_ties(self) -> bool:
        if self.ORDERED:
            return bool(self["ties"] == "break")
        return self["cutoff"] is not None  # the order decides what is in the set

    def doubts(self, judged: JudgedRun) -> Iterator[Doubt]:
        if self.of_qrels:
            return
        explained = self.explained(judged)
        has_both = (explained.returned > 0) & (explained.judgments.judged > 0)
        yield Doubt(
            f"no document is in the reference (`reference`); {SAME_IDS}",
            int((has_both & ~explained.rank.any(axis=1)).sum()),
            int(has_both.sum()),
            above=1.0,
        )

    def score(self, judged: JudgedRun) -> FloatArray:
        compared = self._compared(judged)
        queries = len(compared.rank)
        width = compared.rank.shape[1] + compared.observed.first.shape[1]
        scores = np.empty(queries)
        for block in slices(queries, 32 * width):
            scores[block] = self.bounded(compared.of(block))
        return scores

    def _compared(self, judged: JudgedRun) -> RankedPair:
        """The run and the reference, for all queries."""
        against = self.explained(judged)
        with_ties = self["ties"] != "break"
        length = against.top_lengths(self["cutoff"])
        cutoff = int(length.max(initial=0))
        if with_ties and self.ORDERED:
            observed = tie_groups(against.scores(cutoff), length, share=True)
        else:
            observed = untied_groups(length, cutoff)
        return RankedPair(
            truncate_ranks(against.rank, cutoff),
            observed,
            tie_groups(against.judgments.grade, against.judgments.judged, with_ties),
        )

    def explained(self, judged: JudgedRun) -> JudgedRun:
        """The run joined with the documents of the reference."""
        return judged.against(self.reference(judged.judgments))

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        compared = self._compared(judged).of(slice(documents.row, documents.row + 1))
        length = int(compared.reference.length[0])
        factors, lower = self._factors(documents, compared)
        reference_rank = documents.of_columns(np.arange(1, length + 1))
        weight = documents.of_columns(kernel.weights(compared.reference, self["phi"])[0])
        columns = {"reference_rank": reference_rank, "reference_weight": weight, **factors}
        terms, formula = self._terms(compared)
        terms = {"phi": self["phi"], "b": int(compared.observed.length[0]), "r": length, **terms}
        if self["bound"] == "lower":
            meanings = {"lower": "the sum over common documents"}
            return Reasons(columns, terms, formula, weight, lower, meanings)
        columns["in_lower"] = lower
        return Reasons(columns, terms, formula, weight)

    def _factors(
        self, documents: Documents, compared: RankedPair
    ) -> tuple[dict[str, FloatArray], FloatArray]:
        """The measure's own factors, and what each document adds to the lower bound."""
        raise NotImplementedError

    def _terms(self, compared: RankedPair) -> tuple[dict[str, float], str]:
        """Terms and formula of the bound."""
        formula = {"lower": "lower", "upper": "lower + residual", "residual": "upper - lower"}
        used = formula[self["bound"]]
        terms = {
            name: float(self(bound=name).bounded(compared)[0])
            for name in ("lower", "upper", "residual")
            if name in used
        }
        return terms, used

    def reference(self, judgments: Judgments) -> Judgments:
        """The reference's ranking of the judgments' queries, as judgments of its documents."""
        runset = self._runset()
        if runset is None:
            return judgments.self_reference
        return caches.reference(runset, judgments.query_ids)

    def reference_query_ids(self) -> tuple[str, ...]:
        """The queries of the reference run; empty if the qrels are the reference."""
        runset = self._runset()
        return () if runset is None else caches.reference(runset).query_ids

    def _runset(self) -> RunSet | None:
        runset = resolved(self, "reference")
        if runset is not None and len(runset) != 1:
            raise InputError(
                f"{self.NAME}: `reference` must be one run; the set {runset.name!r} has "
                f"{len(runset)}"
            )
        return runset


class RankBiasedRecall(_ReferenceMeasure):
    r"""Rank-biased recall: the share of a reference ranking's weight that an observed set contains.

    Eq. 6 of the paper: ``RBR(B|R) = (1 - phi) / phi sum_i phi^i (R_i in B)``. The residual is
    ``phi^|R| (1 - phi^b)`` (Eq. 9), where b is the number of documents of B that are not in R.

    Notes
    -----
    - The order of the observed documents does not matter: ``RBR(B|R) = RBP(R|B)`` (Eq. 7). Only
      ties of the reference matter, and only the reference can continue.
    - `irx_measures.persistence.phi_for` chooses `phi`.
    - If a query has no reference, its score is 0 and its upper bound is ``1 - phi^|B|``.

    Examples
    --------
    The paper's Table 1, and its variant with ties.

    >>> import irx_measures
    >>> def run(*docs):
    ...     return {"q": {doc: -float(rank) for rank, doc in enumerate(docs)}}
    >>> reference = run(
    ...     "D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28"
    ... )
    >>> observed = run("D06", "D23", "D10", "D07", "D04")
    >>> measure = irx_measures.RBR(phi=0.6, reference=[reference])
    >>> round(measure.calc_aggregate({}, observed), 3)
    0.711
    >>> round(measure(bound="upper").calc_aggregate({}, observed), 3)
    0.713
    >>> grades = {"D07": 6, "D04": 6, "D11": 6, "D12": 5}
    >>> grades |= {"D10": 4, "D15": 4, "D06": 3, "D22": 2}
    >>> round(irx_measures.RBR(phi=0.6).calc_aggregate({"q": grades}, observed), 3)
    0.583
    """

    NAME = "RBR"
    ORDERED = False
    CUTOFF = Param(CUTOFF.allowed, None, "``@k``: the observed set B is the run's top k.")

    def bounded(self, compared: RankedPair) -> FloatArray:
        rank, observed, reference = compared
        phi = self["phi"]
        return bounded_score(
            self["bound"],
            lambda: kernel.recall(rank, reference, phi, self["ties"]),
            lambda: kernel.recall_residual(rank, observed.length, reference.length, phi),
        )

    def _factors(
        self, documents: Documents, compared: RankedPair
    ) -> tuple[dict[str, FloatArray], FloatArray]:
        rank, _, reference = compared
        parts = kernel.recall_parts(rank, reference, self["phi"], self["ties"])[0]
        return {}, documents.of_columns(parts)


class RankBiasedAlignment(_ReferenceMeasure):
    r"""Rank-biased alignment: overlap, weighted by a document's rank in both lists.

    Eq. 11 of the paper: ``RBA(B|R) = sum over common d of sqrt(w_B(d) w_R(d))`` with the weights
    ``(1 - phi) phi^(rank - 1)``. Algorithm 1 computes the residual. Tied documents share their
    weights, which is our extension of the paper. The missing documents of a tie group then continue
    the other ranking as one group, so that no continuation exceeds the upper bound.

    Notes
    -----
    - RBA and its upper bound are symmetric: ``RBA(B|R) = RBA(R|B)``.
    - RBA of two permutations of k documents lies in `irx_measures.persistence.rba_range` (Eq. 12).

    Examples
    --------
    A row of the paper's Table 3.

    >>> import irx_measures
    >>> reference = {"q": {str(doc): -float(doc) for doc in range(1, 11)}}
    >>> observed = {"q": {str(doc): float(doc) for doc in range(1, 11)}}
    >>> measure = irx_measures.RBA(phi=0.7, reference=[reference])
    >>> round(measure.calc_aggregate({}, observed), 2)
    0.6
    """

    NAME = "RBA"

    def bounded(self, compared: RankedPair) -> FloatArray:
        rank, observed, reference = compared
        phi, ties = self["phi"], self["ties"]
        if ties in EXTREME_TIES:
            rank, observed, reference = extreme_order(rank, observed, reference, ties == "greatest")
        return bounded_score(
            self["bound"],
            lambda: kernel.alignment(rank, observed, reference, phi),
            lambda: kernel.alignment_residual(rank, observed, reference, phi),
        )

    def _factors(
        self, documents: Documents, compared: RankedPair
    ) -> tuple[dict[str, FloatArray], FloatArray]:
        rank, observed, reference = compared
        ties = self["ties"]
        if ties in EXTREME_TIES:
            one, other = extreme_ranks(rank, observed, reference, ties == "greatest")
            observed, reference = Groups(one, one), Groups(other, other)
        of_reference = documents.of_columns(kernel.weights(reference, self["phi"])[0])
        by_rank = np.append(0.0, kernel.weights(observed, self["phi"])[0])
        of_run = by_rank[documents.rank]
        weights = {"reference_weight": of_reference, "run_weight": of_run}
        return weights, np.sqrt(of_run * of_reference)


class RankBiasedOverlap(_ReferenceMeasure):
    r"""Rank-biased overlap: expected overlap of two rankings' prefixes.

    Eq. 5 of Moffat et al.: ``RBO(B|R) = (1 - phi) / phi sum_i phi^i / i |B_1..i and R_1..i|`` to
    infinity. A ranking adds no documents after its end. The upper bound is the largest value that
    any continuation of both rankings reaches. 'ext', the default, extrapolates the agreement at
    their ends (Webber et al., Eq. 32). Report 'ext' to compare two rankings as they are; the lower
    and upper bounds say what is certain, however the rankings continue.

    Notes
    -----
    - Every bound is symmetric.
    - With 'share', the lower bound and the extrapolation are the exact means over all orders of
      tied documents. The upper bound is the largest value that any continuation reaches, tied
      continuations included. Tied documents of the longer ranking count by shares in it, but whole
      in the extrapolation, which can therefore exceed it.
    - 'least' and 'greatest' are the exact range over all orders of tied documents, for every bound.
    - 'w' and 'b' can lie outside this range. Their bounds hold for continuations without ties only;
      tied continuations can exceed the upper ones, and with 'w' fall below the lower one.
    - A tie group ends where the run is cut at k. If k cuts through a group, the bounds at another
      cutoff need not lie within those at k.

    Examples
    --------
    A row of Table 3 of Moffat et al.

    >>> import irx_measures
    >>> reference = {"q": {str(doc): -float(doc) for doc in range(1, 11)}}
    >>> observed = {"q": {str(doc): float(doc) for doc in range(1, 11)}}
    >>> measure = irx_measures.RBO(phi=0.8, bound="lower", reference=[reference])
    >>> round(measure.calc_aggregate({}, observed), 2)
    0.22
    """

    NAME = "RBO"
    PAPERS = (paper("webber2010"), paper("moffat2024"), paper("corsi2024"))
    PARAMS = {
        **_ReferenceMeasure.PARAMS,
        "ties": Param(
            choice(*get_args(OverlapTies)),
            TIES.default,
            "'share': the mean over all orders of tied documents. 'a', 'w', 'b': as Corsi and "
            "Urbano define them; 'a' differs from 'share' only in the extrapolation of rankings of "
            f"different lengths. {ORDERS}",
        ),
        "bound": Param(
            choice(*get_args(OverlapBound)),
            "ext",
            "'ext': the extrapolation, which assumes that the rankings continue to agree as they "
            "do at their ends. 'lower': the score if the rankings end. 'upper': the highest "
            "possible score if they continue. 'residual': the difference between these two.",
        ),
    }

    def bounded(self, compared: RankedPair) -> FloatArray:
        rank, observed, reference = compared
        return overlap(rank, observed, reference, self["phi"], self["ties"], self["bound"])

    def _overlap(self, compared: RankedPair) -> Overlap:
        return Overlap(compared.rank, compared.observed, compared.reference, self["ties"])

    def _factors(
        self, documents: Documents, compared: RankedPair
    ) -> tuple[dict[str, FloatArray], FloatArray]:
        rank = compared.rank[0]
        depth = np.where(rank > 0, np.maximum(rank, np.arange(1, len(rank) + 1)), 0)
        parts = documents.of_columns(self._overlap(compared).parts(self["phi"]))
        return {"depth": documents.of_columns(depth)}, parts

    def _terms(self, compared: RankedPair) -> tuple[dict[str, float], str]:
        if self["bound"] != "ext":
            return super()._terms(compared)
        both, phi = self._overlap(compared), self["phi"]
        shorter, longer = both.lengths
        short, long = int(shorter[0]), int(longer[0])
        common, rate = int(both.n_common[0]), float(both.rate[0])
        at_end = (common + (long - short) * rate) / long if long else 0.0
        terms: dict[str, float] = {
            "seen": float(both.ext(phi)[0]) - at_end * phi**long,
            "rate": rate,
            "common": common,
            "shorter": short,
            "longer": long,
        }
        if not long:
            return terms, "seen"
        return terms, "seen + (common + (longer - shorter) * rate) / longer * phi^longer"


RBP_MEANINGS = {
    "weight": "(1 - phi) phi^(rank - 1)",
    "lower": "the weight of the relevant documents",
    "unjudged": "the weight of the unjudged documents",
}


class RankBiasedPrecisionBound(Measure):
    r"""Rank-biased precision, with an upper bound for unjudged documents and unseen ranks.

    ``RBP(B|R) = (1 - phi) / phi sum_i phi^i (B_i in R)``, as the paper of `RBR` writes it (Eq. 4).
    The residual is the weight of the unjudged documents plus the tail ``phi^depth``.

    Notes
    -----
    - The lower bound equals ``RBP(p=phi, rel=rel)`` of ir_measures. This package also scores that
      measure, without cwl-eval, and uses ``rel=1`` if `rel` is not given.

    Examples
    --------
    >>> import irx_measures
    >>> run = {"q": {"A": 3.0, "B": 2.0, "C": 1.0}}
    >>> measure = irx_measures.RBPBound(phi=0.5)
    >>> measure.calc_aggregate({"q": {"A": 1, "B": 0}}, run)
    0.5
    >>> measure(bound="upper").calc_aggregate({"q": {"A": 1, "B": 0}}, run)
    0.75
    """

    NAME = "RBPBound"
    PAPERS = (paper("moffat2008"),)
    COUNTS_UNJUDGED = False  # the scores are bounds, and called so
    CUTOFF = Param(CUTOFF.allowed, None, "``@k``: the run is cut at k.")
    PARAMS = {
        "phi": PHI,
        "rel": REL,
        "bound": Param(
            BOUND.allowed,
            BOUND.default,
            "'lower': RBP. 'upper': the highest possible RBP if every document were judged and the "
            "ranking continued. 'residual': the difference between them.",
        ),
    }

    def score(self, judged: JudgedRun) -> FloatArray:
        rank = truncate_ranks(judged.rank, self["cutoff"])
        judgments, phi = judged.judgments, self["phi"]
        return bounded_score(
            self["bound"],
            lambda: kernel.precision(rank, judgments.grade >= self["rel"], phi),
            lambda: kernel.precision_residual(rank, judgments.is_judged, phi),
        )

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        judgments = judged.judgments
        phi, bound = self["phi"], self["bound"]
        relevant = documents.of_columns(judgments.grade[documents.row] >= self["rel"])
        relevant &= documents.column >= 0
        weight = kernel.rank_weights(documents.rank, phi)
        lower = np.where(relevant, weight, 0.0)
        terms: dict[str, float] = {
            "lower": float(lower.sum()),
            "unjudged": float(weight[documents.unjudged].sum()),
            "tail": phi ** int(np.count_nonzero(documents.in_top)),
        }
        formula = {
            "lower": "lower",
            "upper": "lower + unjudged + tail",
            "residual": "unjudged + tail",
        }
        columns, parts = {"weight": weight}, None
        if bound == "lower":
            parts = lower
        else:
            columns["in_lower"] = lower
        worth = relevant.astype(np.float64)
        return Reasons(columns, terms, formula[bound], worth, parts, RBP_MEANINGS)


def bounded_score(
    bound: str, lower: Callable[[], FloatArray], residual: Callable[[], FloatArray]
) -> FloatArray:
    """The bound of a measure, from functions that compute its lower bound and its residual."""
    if bound == "lower":
        return lower()
    return residual() if bound == "residual" else lower() + residual()


RBR = register(RankBiasedRecall())

RBA = register(RankBiasedAlignment())

RBO = register(RankBiasedOverlap())

RBPBound = register(RankBiasedPrecisionBound())
