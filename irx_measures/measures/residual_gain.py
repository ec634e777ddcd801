"""NRG, UniqueRel and TaSC: the contribution of a run beyond the results of other runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..common.numeric import FloatArray, IntArray, safe_divide, slices
from ..common.validators import choice
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
from .declaring.base import register
from .declaring.explained import Documents, Reasons, quotient
from .declaring.paper import paper
from .declaring.params import DCG, RBP_PHI, REL, Param, gain_of
from .declaring.relative import EXCLUDE_SELF, PRIOR, SELECT, PriorMeasure

BASE = Param(choice(*BASES), "nDCG", "The base measure. P needs a cutoff.")

IDEAL = Param(
    choice("cutoff", "all"),
    "cutoff",
    "The depth of nDCG's ideal ranking. 'cutoff': the cutoff (the paper). 'all': all judged "
    "documents (the authors' code).",
)


FOUND = "the sum of the gain that is left x weight, over the top k"

IDEAL_ORDER = "the same sum for the ideal order of the gains that are left"


class _ResidualMeasure(PriorMeasure):
    """A measure of the gain that remains after the priors."""

    def gain(self, judgments: Judgments) -> FloatArray:
        """The gain of documents of positive grade without priors: (queries, documents)."""
        raise NotImplementedError

    def browsing_weights(self, depth: int) -> FloatArray:
        """The probability that a user sees each rank: (depth + 1,)."""
        raise NotImplementedError

    def parts(self, rank: IntArray, gain: FloatArray, unseen: FloatArray | float) -> kernel.Parts:
        """What documents add to scores, given the probability that no prior showed them."""
        raise NotImplementedError

    def score(self, judged: JudgedRun) -> FloatArray:
        rank = truncate_ranks(judged.rank[:, : judged.judgments.positives], self["cutoff"])
        gain, priors = self.gain(judged.judgments), self.priors(judged)
        if priors is None:
            return self.absolute.parts(rank, gain, 1.0).score
        judged_set, counted = priors
        return self.parts(rank, gain, self._unseen(judged_set, counted)).score

    def _unseen(self, judged_set: JudgedSet, counted: IntArray) -> FloatArray:
        """The probability that no prior showed each document: (queries, documents)."""
        counts = np.zeros(len(judged_set), bool)
        counts[counted] = True
        every = judged_set.rank_entries(self["cutoff"])
        counted_here = counts[every.run]
        prior = RankEntries(
            every.run[counted_here], every.cell[counted_here], every.rank[counted_here]
        )
        seen_at = self.browsing_weights(int(prior.rank.max(initial=0)))
        return kernel.survival(prior, seen_at, judged_set.rank.shape[1:])

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        row, priors = documents.row, self.priors(judged)
        gain = documents.of_columns(self.gain(judged.judgments)[row])
        factors: dict[str, Any] = {"gain": gain}
        if priors is None:
            parts, counts = self.absolute.parts(documents.rank, gain, 1.0), {}
        else:
            judged_set, counted = priors
            unseen = documents.of_columns(self._unseen(judged_set, counted)[row], others=1.0)
            parts = self.parts(documents.rank, gain, unseen)
            ranks = self._prior_ranks(documents, judged_set, counted)
            factors |= {"priors": ranks, "unseen": unseen, "residual_gain": parts.residual}
            counts = {"n_priors": len(counted)}
        found = parts.weight * parts.residual
        seen_at = self.browsing_weights(int(documents.rank.max(initial=0)))
        terms, formula, meaning = self._formula(float(found.sum()), parts.divisor)
        return Reasons(
            {**factors, "weight": seen_at[documents.rank]},
            {**terms, **counts},
            formula,
            parts.residual,
            safe_divide(found, parts.divisor),
            {"found": meaning, "ideal": IDEAL_ORDER},
        )

    def _prior_ranks(
        self, documents: Documents, judged_set: JudgedSet, counted: IntArray
    ) -> list[str]:
        """The priors that return each document, with its ranks, by rank."""
        rank = truncate_ranks(judged_set.rank[counted, documents.row], self["cutoff"])
        names = [judged_set.names[position] for position in counted.tolist()]
        found = [
            sorted((rank, place) for place, rank in enumerate(ranks) if rank)
            for ranks in documents.of_columns(rank.T).tolist()
        ]
        return [", ".join(f"{names[place]} {rank}" for rank, place in pairs) for pairs in found]

    def _formula(
        self, found: float, divisor: FloatArray | float
    ) -> tuple[dict[str, float], str, str]:
        """Terms, formula, and the meaning of `found`."""
        raise NotImplementedError

    def score_set(self, judged_set: JudgedSet) -> FloatArray:
        selection = self.select(judged_set)
        rank = truncate_ranks(judged_set.rank, self["cutoff"])
        seen_at = self.browsing_weights(int(rank.max(initial=0)))

        def unseen(block: slice) -> FloatArray:
            if selection.earlier:
                return kernel.survival_before(rank[:, block], seen_at)
            priors = rank[selection.members, block]
            survival = kernel.survival_without_block(
                priors, seen_at, selection.block, selection.blocks
            )
            return survival[selection.left_out]

        gain = self.gain(judged_set.judgments)
        scores = self._by_block(rank, gain, unseen)
        alone = self._runs_without_prior(judged_set)
        if alone:
            without_prior = self.absolute._by_block(rank[alone], gain)
            scores[alone] = without_prior if len(scores) > 1 else np.nan
        return scores

    def scores_given_each(self, judged_set: JudgedSet) -> Iterator[FloatArray]:
        rank = truncate_ranks(judged_set.rank, self["cutoff"])
        gain = self.gain(judged_set.judgments)
        seen_at = self.browsing_weights(int(rank.max(initial=0)))
        for prior in rank:
            unseen = 1.0 - seen_at[prior]
            yield self._by_block(rank, gain, unseen.__getitem__)

    def _by_block(
        self,
        rank: IntArray,
        gain: FloatArray,
        unseen: Callable[[slice], FloatArray | float] = lambda block: 1.0,
    ) -> FloatArray:
        """Scores from (runs, queries, documents) ranks, a block of queries at a time."""
        scores = np.empty(rank.shape[:2])
        for block in slices(rank.shape[1], rank.shape[0] * rank.shape[2]):
            scores[:, block] = self.parts(rank[:, block], gain[block], unseen(block)).score
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

    Notes
    -----
    - Without a prior, NRG equals the base measure.
    - A run that is its own only prior has no score, because no other run remains to compare it
      with. `evaluate` and `irx_measures.Experiment` return NaN. ``calc_aggregate`` and
      ``pt.Experiment`` do not accept NaN: they get the base measure's scores, with a warning.
    - The run and the priors are cut at the cutoff.
    - A document at rank 1 of any prior has no residual gain, whatever the base.
    - RR counts only the first relevant document of the run, with its residual gain.
    - With ``ideal='all'``, a perfect ranking may score below 1. If no prior counts, the score is
      the base measure's for both values of `ideal`.
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
    RANGE_NOTE = "; 0 if no gain remains"
    PAPERS = (paper("nrg2024"),)
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

    def gain(self, judgments: Judgments) -> FloatArray:
        return gain_of(self, judgments.grade[:, : judgments.positives], self["base"])

    def browsing_weights(self, depth: int) -> FloatArray:
        return browsing_weights(self["base"], depth, self["phi"])

    def parts(self, rank: IntArray, gain: FloatArray, unseen: FloatArray | float) -> kernel.Parts:
        ideal_depth = self["cutoff"] if self["ideal"] == "cutoff" else None
        return kernel.residual_parts(
            rank,
            gain,
            unseen,
            base=self["base"],
            cutoff=self["cutoff"] or np.inf,
            phi=self["phi"],
            ideal_depth=ideal_depth,
        )

    def _formula(
        self, found: float, divisor: FloatArray | float
    ) -> tuple[dict[str, float], str, str]:
        terms = {"found": found}
        if self["base"] == "nDCG":
            terms["ideal"] = float(divisor)
            return terms, quotient("found", "ideal", terms), FOUND
        if self["base"] == "RBP":
            return {**terms, "phi": self["phi"]}, "found * (1 - phi)", FOUND
        if self["base"] == "P":
            return {**terms, "k": self["cutoff"]}, "found / k", FOUND
        return terms, "found", "the first relevant document's gain that is left x weight"

    def base_scores(self, judged_set: JudgedSet) -> FloatArray:
        def scores() -> FloatArray:
            rank = truncate_ranks(judged_set.rank, self["cutoff"])
            return self.absolute._by_block(rank, self.gain(judged_set.judgments))

        return judged_set.derived(str(self.absolute), scores)

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
    - A run that is its own only prior has no score; `NRG` says what each call then returns.
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
    PAPERS = (paper("nrg2024"),)
    RANGE = (0.0, np.inf)
    PARAMS = {"prior": PRIOR, "rel": REL, "select": SELECT, "exclude_self": EXCLUDE_SELF}

    def gain(self, judgments: Judgments) -> FloatArray:
        return binary_gain(judgments.grade[:, : judgments.positives], self["rel"])

    def browsing_weights(self, depth: int) -> FloatArray:
        return browsing_weights("P", depth, 0.0)

    def parts(self, rank: IntArray, gain: FloatArray, unseen: FloatArray | float) -> kernel.Parts:
        return kernel.Parts((rank > 0).astype(np.float64), gain * unseen, 1.0)

    def _formula(
        self, found: float, divisor: FloatArray | float
    ) -> tuple[dict[str, float], str, str]:
        return {"found": found}, "found", "relevant documents that no prior returned"

    @property
    def without_prior(self) -> str:
        return "the numbers of relevant documents that the run returned"

    def base_scores(self, judged_set: JudgedSet) -> FloatArray:
        return NRG(cutoff=self["cutoff"]).base_scores(judged_set)


class TaskSubspaceCoverage(PriorMeasure):
    """Task subspace coverage: base score x (1 - best prior's score on that query).

    The score of a query is ``(1 - agg over priors of base(prior)) base(R)``, the form that Appendix
    C of the NRG paper uses.

    Notes
    -----
    - Without a prior, TaSC equals the base measure.
    - A run that is its own only prior has no score; `NRG` says what each call then returns.
    - Only scores matter, not documents. A run that finds other documents than a prior with the same
      score is discounted as much as a copy of that prior.

    Examples
    --------
    >>> import irx_measures
    >>> qrels = {"q": {"A": 1, "B": 1}}
    >>> run, prior = {"q": {"A": 2.0, "B": 1.0}}, {"q": {"X": 2.0, "A": 1.0}}
    >>> measure = irx_measures.TaSC(prior=[prior], base="RR") @ 10
    >>> measure.calc_aggregate(qrels, run)
    0.5
    """

    NAME = "TaSC"
    PAPERS = (paper("arabzadeh2023"),)
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

    def score(self, judged: JudgedRun) -> FloatArray:
        base_score, priors = self.absolute.score(judged), self.priors(judged)
        if priors is None:
            return base_score
        judged_set, counted = priors
        return kernel.subspace_coverage(
            base_score, self.base_scores(judged_set)[counted], self["agg"]
        )

    def reasons(self, judged: JudgedRun, documents: Documents) -> Reasons:
        base, priors = self.absolute.reasons(judged, documents), self.priors(judged)
        terms = {"base": float(self.absolute.score(judged)[documents.row])}
        meanings = {"base": f"the base score, {self.base_name}"}
        factors = {**base.factors, "in_base": np.asarray(base.contribution)}
        if priors is None:
            return Reasons(factors, terms, "base", base.worth, meanings=meanings)
        judged_set, counted = priors
        covered = self.base_scores(judged_set)[counted, documents.row]
        if self["agg"] == "max":
            best = judged_set.names[counted[int(covered.argmax())]]
            terms["covered"] = float(covered.max())
            meanings["covered"] = f"the highest base score of a prior, {best}"
        else:
            terms["covered"] = float(covered.mean())
            meanings["covered"] = "the mean base score of the priors"
        terms["n_priors"] = len(covered)
        return Reasons(factors, terms, "(1 - covered) * base", base.worth, meanings=meanings)

    def score_set(self, judged_set: JudgedSet) -> FloatArray:
        selection, base_score = self.select(judged_set), self.base_scores(judged_set)
        if len(judged_set) == 1 and self._runs_without_prior(judged_set):
            return np.full_like(base_score, np.nan)
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

    def base_scores(self, judged_set: JudgedSet) -> FloatArray:
        return self.absolute.base_scores(judged_set)


NRG = register(NormalizedResidualGain())

UniqueRel = register(UniqueRelevant())

TaSC = register(TaskSubspaceCoverage())
