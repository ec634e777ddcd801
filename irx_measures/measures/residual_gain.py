"""NRG, UniqueRel and TaSC: the contribution of a run beyond the results of other runs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..common.numeric import FloatArray, IntArray, safe_divide, slices
from ..exceptions import InputError
from ..judgments.judged_run import JudgedRun
from ..judgments.judgments import Judgments
from ..kernels import residual_gain as kernel
from ..kernels.user_models import (
    BASES,
    RankEntries,
    binary_gain,
    browsing_weights,
    truncate_ranks,
)
from ..runsets.judged_set import JudgedSet
from .catalogue import register
from .citations import Paper
from .explained import Documents, Reasons, quotient
from .gain import DCG, gain_of
from .params import RBP_PHI, Param, choice, integer
from .relative import EXCLUDE_SELF, PRIOR, SELECT, PriorMeasure

NRG_PAPER = Paper(  # the available copy of the paper is anonymous
    key="nrg2024",
    title="Evaluating Relative Retrieval Effectiveness with Normalized Residual Gain",
    venue="SIGIR-AP",
    year=2024,
    url="https://github.com/aminbigdeli/Normalized-Residual-Gain",
)

TASC_PAPER = Paper(
    key="arabzadeh2023",
    authors=("Arabzadeh, Negar", "Bigdeli, Amin", "Hamidi Rad, Radin", "Bagheri, Ebrahim"),
    title="Quantifying Ranker Coverage of Different Query Subspaces",
    venue="SIGIR",
    year=2023,
    pages="2298--2302",
)

BASE = Param(choice(*BASES), "nDCG", "The base measure. P needs a cutoff.")

REL = Param(integer(1), 1, "The smallest relevant grade in P, RBP and RR.")

IDEAL = Param(
    choice("cutoff", "all"),
    "cutoff",
    "The depth of nDCG's ideal ranking. 'cutoff': the cutoff (the paper). 'all': all judged "
    "documents (the authors' code).",
)


FOUND = "the sum of the gain that is left x weight, over the top k"

PLAIN_LEGEND = {
    "gain": "what the document's grade is worth",
    "weight": "the probability that a user of the run sees its rank",
    "k": "the cutoff",
    "phi": "the persistence",
}

RESIDUAL_LEGEND = {
    **PLAIN_LEGEND,
    "priors": "the priors with the document in their top k, each with its rank",
    "n_priors": "the number of priors that count",
    "unseen": "the probability that no user of a prior saw the document",
    "residual_gain": "gain x unseen",
}


class _ResidualMeasure(PriorMeasure):
    """A measure of the gain that remains after the priors."""

    def gain(self, judgments: Judgments) -> FloatArray:
        """The gain of documents of positive grade without priors: (queries, documents)."""
        raise NotImplementedError

    def browsing_weights(self, depth: int) -> FloatArray:
        """The probability that a user sees each rank: (depth + 1,)."""
        raise NotImplementedError

    def residual_score(
        self, rank: IntArray, gain: FloatArray, unseen: FloatArray | float
    ) -> FloatArray:
        """Scores, given the probability that no prior showed each document: (..., queries)."""
        raise NotImplementedError

    def score(self, judged: JudgedRun) -> FloatArray:
        judgments = judged.judgments
        rank = truncate_ranks(judged.rank[:, : judgments.positives], self["cutoff"])
        gain = self.gain(judgments)
        runset = self.runset
        if runset is None:
            return self.absolute.residual_score(rank, gain, 1.0)
        judged_set = self.judged_set(runset, judged)
        counted = np.zeros(len(judged_set), bool)
        counted[self.counted(judged, runset, judged_set)] = True
        if not counted.any():
            return self.absolute.residual_score(rank, gain, 1.0)
        prior = judged_set.rank_entries(self["cutoff"])
        prior = RankEntries(*(entries[counted[prior.run]] for entries in prior))
        seen_at = self.browsing_weights(int(prior.rank.max(initial=0)))
        return self.residual_score(rank, gain, kernel.survival(prior, seen_at, rank.shape))

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        names, prior_rank = self._prior_ranks(judged, documents)
        if not names:
            return self.absolute.reasons_given(judged, documents, names, prior_rank)
        return self.reasons_given(judged, documents, names, prior_rank)

    def _prior_ranks(self, judged: JudgedRun, documents: Documents) -> tuple[list[str], IntArray]:
        """The names of the priors that count, and their ranks: (priors, documents)."""
        runset = self.runset
        if runset is None:
            return [], np.zeros((0, len(documents.ids)), np.int64)
        judged_set = self.judged_set(runset, judged)
        counted = self.counted(judged, runset, judged_set)
        rank = truncate_ranks(judged_set.rank[counted, documents.row], self["cutoff"])
        names = [judged_set.names[position] for position in counted.tolist()]
        return names, documents.of_columns(rank.T).T

    def reasons_given(
        self, judged: JudgedRun, documents: Documents, names: list[str], prior_rank: IntArray
    ) -> Reasons:
        """The reasons, given the ranks of documents in the priors that count."""
        gain = documents.of_columns(self.gain(judged.judgments)[documents.row])
        seen_at = self.browsing_weights(
            int(max(prior_rank.max(initial=0), documents.rank.max(initial=0)))
        )
        unseen = np.prod(1.0 - seen_at[prior_rank], axis=0)
        residual = gain * unseen
        weight = seen_at[documents.rank]
        contribution, terms, formula, legend = self._normalised(documents, gain, residual, weight)
        relative = {
            "priors": [_priors_text(names, ranks) for ranks in prior_rank.T.tolist()],
            "unseen": unseen,
            "residual_gain": residual,
        }
        return Reasons(
            {"gain": gain, **(relative if names else {}), "weight": weight},
            {**terms, **({"n_priors": len(names)} if names else {})},
            formula,
            {**(RESIDUAL_LEGEND if names else PLAIN_LEGEND), **legend},
            contribution,
            worth=residual,
        )

    def _normalised(
        self, documents: Documents, gain: FloatArray, residual: FloatArray, weight: FloatArray
    ) -> tuple[FloatArray, dict[str, float], str, dict[str, str]]:
        """Contributions, terms, formula and the legend of the terms."""
        raise NotImplementedError

    def score_set(self, judged_set: JudgedSet) -> FloatArray:
        selection = self.select(judged_set)
        rank = truncate_ranks(judged_set.rank, self["cutoff"])
        gain, seen_at = (
            self.gain(judged_set.judgments),
            self.browsing_weights(int(rank.max(initial=0))),
        )
        alone = self._runs_without_prior(judged_set)
        scores = np.empty(rank.shape[:2])
        for block in slices(rank.shape[1], rank.shape[0] * rank.shape[2]):
            if selection.earlier:
                unseen = kernel.survival_before(rank[:, block], seen_at)
            else:
                unseen = kernel.survival_without_block(
                    rank[selection.members, block], seen_at, selection.block, selection.blocks
                )[selection.left_out]
            scores[:, block] = self.residual_score(rank[:, block], gain[block], unseen)
            scores[alone, block] = self.absolute.residual_score(
                rank[alone, block], gain[block], 1.0
            )
        return scores

    def scores_given_each(self, judged_set: JudgedSet) -> Iterator[FloatArray]:
        rank = truncate_ranks(judged_set.rank, self["cutoff"])
        gain = self.gain(judged_set.judgments)
        seen_at = self.browsing_weights(int(rank.max(initial=0)))
        for prior in rank:
            scores = np.empty(rank.shape[:2])
            for block in slices(rank.shape[1], rank.shape[0] * rank.shape[2]):
                unseen = 1.0 - seen_at[prior[block]]
                scores[:, block] = self.residual_score(rank[:, block], gain[block], unseen)
            yield scores

    def scores_alone(self, judged_set: JudgedSet) -> FloatArray:
        rank, gain = (
            truncate_ranks(judged_set.rank, self["cutoff"]),
            self.gain(judged_set.judgments),
        )
        scores = np.empty(rank.shape[:2])
        for block in slices(rank.shape[1], rank.shape[0] * rank.shape[2]):
            scores[:, block] = self.absolute.residual_score(rank[:, block], gain[block], 1.0)
        return scores

    @property
    def absolute(self) -> _ResidualMeasure:
        """The measure of a run without priors."""
        return self(prior=None)


class NormalizedResidualGain(_ResidualMeasure):
    r"""Normalized Residual Gain: the gain of a run beyond the documents that prior runs found.

    Eq. 4 of the paper:
    ``S(R|P) = (1/N) sum_{i <= k} G(d_i|P) seen(i)``, with the residual gain of Eq. 3,
    ``G(d|P) = G(d) prod_{R' in P} (1 - seen(rank of d in R'))``. The product covers the priors with
    d in their top k. ``seen(i)`` is ``1 / log2(i + 1)`` (nDCG), 1 (P), ``phi^(i - 1)`` (RBP) or
    ``1 / i`` (RR); N is the same sum over the ideal order of the residual gains (nDCG), k (P),
    ``1 / (1 - phi)`` (RBP) or 1 (RR).

    Returns
    -------
    float
        In [0, 1] for each query; 0 if no gain remains.

    Notes
    -----
    - Without a prior, NRG equals the base measure.
    - A run that is its own only prior has no score, because no other run remains to compare it
      with. `evaluate` and `irx_measures.Experiment` return NaN. ``calc_aggregate`` and
      ``pt.Experiment`` do not accept NaN: they get the base measure's scores, with a warning.
    - The run and the priors are cut at the cutoff.
    - A document at rank 1 of any prior has no residual gain, whatever the base.
    - RR counts only the first relevant document of the run, with its residual gain.
    - ``ideal='all'`` sums N over all judged documents, as the authors' code does, so that a
      perfect ranking may score below 1. The ideal ranking of the paper stops at k. If no prior
      counts, the score is the base measure's for both values of `ideal`.
    - ``select='best-per-group'`` compares means over the evaluated queries, so the score of a query
      then depends on the other evaluated queries.
    - The run is recognised among the priors by its name if it is known, else as the first run with
      the same ranking down to the cutoff. An identical run under another name still counts as
      a prior.

    Examples
    --------
    Table 1 of the paper. The relevant documents are A, E, F and J.

    >>> import ir_measures, irx_measures
    >>> def run(order):
    ...     return {"q": {doc: float(-rank) for rank, doc in enumerate(order)}}
    >>> qrels = {"q": {"A": 4, "E": 4, "F": 4, "J": 4}}
    >>> r1, r2, r3 = run("ABCDEFGHIJ"), run("EDCBAFGHIJ"), run("JIHGFEDCBA")
    >>> round((ir_measures.nDCG @ 10).calc_aggregate(qrels, r1), 4)
    0.7933
    >>> round((irx_measures.NRG(prior=[r2]) @ 10).calc_aggregate(qrels, r1), 4)
    0.7361
    >>> round((irx_measures.NRG(prior=[r2, r3]) @ 10).calc_aggregate(qrels, r1), 4)
    0.8417
    """

    NAME = "NRG"
    PAPERS = (NRG_PAPER,)
    PARAMS = {
        "prior": PRIOR,
        "base": BASE,
        "dcg": DCG,
        "rel": REL,
        "phi": RBP_PHI,
        "ideal": IDEAL,
        "select": SELECT,
        "exclude_self": EXCLUDE_SELF,
    }

    def validate_params(self) -> None:
        super().validate_params()
        _need_cutoff_of_precision(self)

    def gain(self, judgments: Judgments) -> FloatArray:
        grade = judgments.grade[:, : judgments.positives]
        if self["base"] == "nDCG":
            return gain_of(self, grade)
        return binary_gain(grade, self["rel"])

    def browsing_weights(self, depth: int) -> FloatArray:
        return browsing_weights(self["base"], depth, self["phi"])

    def residual_score(
        self, rank: IntArray, gain: FloatArray, unseen: FloatArray | float
    ) -> FloatArray:
        return kernel.normalized_residual_gain(
            rank,
            gain,
            unseen,
            base=self["base"],
            cutoff=self["cutoff"] or np.inf,
            phi=self["phi"],
            ideal_depth=self._ideal_depth,
        )

    @property
    def _ideal_depth(self) -> int | None:
        return self["cutoff"] if self["ideal"] == "cutoff" else None

    def _normalised(
        self, documents: Documents, gain: FloatArray, residual: FloatArray, weight: FloatArray
    ) -> tuple[FloatArray, dict[str, float], str, dict[str, str]]:
        found = residual * weight
        base = self["base"]
        if base == "RR":
            relevant = np.flatnonzero((gain > 0) & documents.in_top)[:1]
            first = np.isin(np.arange(len(found)), relevant)
            found = np.where(first, found, 0.0)
        terms, legend = {"found": float(found.sum())}, {"found": FOUND}
        if base == "nDCG":
            ideal = kernel.ideal_discounted_gain(residual, self._ideal_depth)
            terms["ideal"] = float(ideal)
            legend["ideal"] = "the same sum for the ideal order of the gains that are left"
            return safe_divide(found, ideal), terms, quotient("found", "ideal", terms), legend
        if base == "RBP":
            terms["phi"] = self["phi"]
            return found * (1.0 - self["phi"]), terms, "found * (1 - phi)", legend
        if base == "P":
            terms["k"] = self["cutoff"]
            return found / self["cutoff"], terms, "found / k", legend
        legend["found"] = "the first relevant document's gain that is left x weight"
        return found, terms, "found", legend

    @property
    def without_prior(self) -> str:
        return _those_of_base(self)

    def base_scores(self, judged_set: JudgedSet) -> FloatArray:
        return judged_set.derived(str(self.absolute), lambda: self.scores_alone(judged_set))

    @property
    def absolute(self) -> NormalizedResidualGain:
        return self(prior=None, ideal="cutoff")


class UniqueRelevant(_ResidualMeasure):
    """Number of relevant documents in a run's top k that no prior run has in its top k.

    It is the normalized residual gain of precision with N = 1 (Appendix B of the paper).

    Returns
    -------
    float
        A whole number of documents for each query.

    Notes
    -----
    - Without a prior, the score is the number of relevant documents that the run returned.
    - A run that is its own only prior has no score, because no other run remains to compare it
      with. `evaluate` and `irx_measures.Experiment` return NaN. ``calc_aggregate`` and
      ``pt.Experiment`` do not accept NaN: they get the base measure's scores, with a warning.
    - The cutoff is the pooling depth. Without a cutoff, whole rankings count.
    - The best run of a group (``select='best-per-group'``) is the one with the highest mean nDCG@k,
      as in the paper.

    Examples
    --------
    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 1, "C": 1}}
    >>> run, prior = {"q": {"A": 3.0, "B": 2.0, "X": 1.0}}, {"q": {"B": 1.0}}
    >>> (irx_measures.UniqueRel(prior=[prior]) @ 10).calc_aggregate(qrels, run)
    1.0
    """

    NAME = "UniqueRel"
    PAPERS = (NRG_PAPER,)
    RANGE = (0.0, np.inf)
    PARAMS = {"prior": PRIOR, "rel": REL, "select": SELECT, "exclude_self": EXCLUDE_SELF}

    def gain(self, judgments: Judgments) -> FloatArray:
        return binary_gain(judgments.grade[:, : judgments.positives], self["rel"])

    def browsing_weights(self, depth: int) -> FloatArray:
        return browsing_weights("P", depth, 0.0)

    def residual_score(
        self, rank: IntArray, gain: FloatArray, unseen: FloatArray | float
    ) -> FloatArray:
        return kernel.gain_found((rank > 0).astype(np.int64), gain * unseen)

    def _normalised(
        self, documents: Documents, gain: FloatArray, residual: FloatArray, weight: FloatArray
    ) -> tuple[FloatArray, dict[str, float], str, dict[str, str]]:
        found = np.where(documents.in_top, residual, 0.0)
        terms = {"found": float(found.sum())}
        return found, terms, "found", {"found": "relevant documents that no prior returned"}

    @property
    def without_prior(self) -> str:
        return "the numbers of relevant documents that the run returned"

    def base_scores(self, judged_set: JudgedSet) -> FloatArray:
        return NRG(cutoff=self["cutoff"]).base_scores(judged_set)


class TaskSubspaceCoverage(PriorMeasure):
    """Task subspace coverage: base score x (1 - best prior's score on that query).

    The score of a query is ``(1 - agg over priors of base(prior)) base(R)``, the form that Appendix
    C of the NRG paper uses.

    Returns
    -------
    float
        In [0, 1] for each query.

    Notes
    -----
    - Without a prior, TaSC equals the base measure.
    - A run that is its own only prior has no score, because no other run remains to compare it
      with. `evaluate` and `irx_measures.Experiment` return NaN. ``calc_aggregate`` and
      ``pt.Experiment`` do not accept NaN: they get the base measure's scores, with a warning.
    - Only scores matter, not documents. A run that finds other documents than a prior with the same
      score is discounted as much as a copy of that prior.
    - ``select='best-per-group'`` compares means over the evaluated queries.

    Examples
    --------
    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 1}}
    >>> run, prior = {"q": {"A": 2.0, "B": 1.0}}, {"q": {"X": 2.0, "A": 1.0}}
    >>> (irx_measures.TaSC(prior=[prior], base="RR") @ 10).calc_aggregate(qrels, run)
    0.5
    """

    NAME = "TaSC"
    PAPERS = (TASC_PAPER,)
    PARAMS = {
        "prior": PRIOR,
        "base": BASE,
        "agg": Param(
            choice("max", "mean"), "max", "The function that combines the scores of several priors."
        ),
        "dcg": DCG,
        "rel": REL,
        "phi": RBP_PHI,
        "select": SELECT,
        "exclude_self": EXCLUDE_SELF,
    }

    @property
    def absolute(self) -> NormalizedResidualGain:
        """The base measure."""
        shared = ("base", "dcg", "rel", "phi", "cutoff")
        return NRG(**{name: self[name] for name in shared})

    def validate_params(self) -> None:
        super().validate_params()
        _need_cutoff_of_precision(self)

    def score(self, judged: JudgedRun) -> FloatArray:
        base_score = self.absolute.score(judged)
        runset = self.runset
        if runset is None:
            return base_score
        judged_set = self.judged_set(runset, judged)
        prior_score = self.base_scores(judged_set)[self.counted(judged, runset, judged_set)]
        return kernel.subspace_coverage(base_score, prior_score, self["agg"])

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        base = self.absolute.reasons(judged, documents)
        terms = {"base": float(self.absolute.score(judged)[documents.row])}
        legend = {name: text for name, text in base.legend.items() if name in base.factors}
        legend["base"] = f"the base score, {_base_name(self)}"
        factors = {**base.factors, "in_base": np.asarray(base.contribution)}
        legend["in_base"] = "what the document adds to the base score"
        runset = self.runset
        covered: FloatArray = np.zeros(0)
        if runset is not None:
            judged_set = self.judged_set(runset, judged)
            counted = self.counted(judged, runset, judged_set)
            covered = self.base_scores(judged_set)[counted, documents.row]
        if not len(covered):
            return Reasons(factors, terms, "base", legend, worth=base.worth)
        terms["covered"] = float(covered.max() if self["agg"] == "max" else covered.mean())
        terms["n_priors"] = len(covered)
        best = judged_set.names[counted[int(covered.argmax())]]
        legend["n_priors"] = RESIDUAL_LEGEND["n_priors"]
        legend["covered"] = (
            f"the highest base score of a prior, {best}"
            if self["agg"] == "max"
            else "the mean base score of the priors"
        )
        return Reasons(factors, terms, "(1 - covered) * base", legend, worth=base.worth)

    def score_set(self, judged_set: JudgedSet) -> FloatArray:
        selection, base_score = self.select(judged_set), self.base_scores(judged_set)
        return np.array(
            [
                kernel.subspace_coverage(own, base_score[selection.against(position)], self["agg"])
                for position, own in enumerate(base_score)
            ]
        )

    def scores_given_each(self, judged_set: JudgedSet) -> Iterator[FloatArray]:
        base_score = self.base_scores(judged_set)
        for prior in base_score:
            yield kernel.subspace_coverage(base_score, prior[np.newaxis], self["agg"])

    @property
    def without_prior(self) -> str:
        return _those_of_base(self)

    def base_scores(self, judged_set: JudgedSet) -> FloatArray:
        return self.absolute.base_scores(judged_set)


def _those_of_base(measure: PriorMeasure) -> str:
    return f"those of {_base_name(measure)}"


def _base_name(measure: PriorMeasure) -> str:
    at = "" if measure["cutoff"] is None else f"@{measure['cutoff']}"
    return f"{measure['base']}{at}"


def _priors_text(names: list[str], ranks: list[int]) -> str:
    """The priors that return a document, with its ranks, by rank."""
    pairs = sorted((rank, place) for place, rank in enumerate(ranks) if rank > 0)
    return ", ".join(f"{names[place]} {rank}" for rank, place in pairs)


def _need_cutoff_of_precision(measure: PriorMeasure) -> None:
    if measure["base"] == "P" and measure["cutoff"] is None:
        raise InputError(
            f"{measure.NAME}: base='P' needs a cutoff, as in {measure.NAME}(base='P')@10"
        )


NRG = register(NormalizedResidualGain())

UniqueRel = register(UniqueRelevant())

TaSC = register(TaskSubspaceCoverage())
