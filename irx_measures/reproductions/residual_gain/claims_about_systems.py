"""The claims of the NRG paper about the systems of TREC 2019 Deep Learning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

import numpy as np

from ...common.arrays import FloatArray
from ..results import Claim
from .permuted import DECLARED
from .systems import (
    ALL_BUT_BASELINE,
    BASELINE,
    NDCG,
    NRG,
    NRG_ALL,
    RARENESS,
    TASC,
    UNIQUE,
    Systems,
    correlation_of,
    others_than_baseline,
)

BEST, RERANKED, BEST_NON_NEURAL = "idst_bert_p1", "idst_bert_pr1", "srchvrs_ps_run3"

PLAIN_BM25 = ("bm25base_p", "bm25tuned_p")

NO_FEEDBACK = frozenset(PLAIN_BM25)  # the other BASELINE runs use feedback or axiomatic expansion

LEADERS = 20  # "all of the top 20 runs under NDCG@10, employ neural methods"

OF_FIGURES = DECLARED.claims["Figures 2 to 5"]

NOT_CORRELATED = OF_FIGURES["not correlated"]

ON_TRADITIONAL_RUNS = tuple(DECLARED.claims["Traditional runs"].values())


def claims(systems: Systems) -> tuple[Claim, ...]:
    """The claims about Figures 2 to 5, computed; those about traditional runs need DL 2019."""
    return (*_of_any_systems(systems), *_of_traditional_runs(systems))


def _of_any_systems(systems: Systems) -> Iterator[Claim]:
    yield _correlated(systems, NRG, NOT_CORRELATED, expected=False)
    yield _within_groups(systems)
    for column, figure in ((RARENESS, 4), (TASC, 5)):
        text = OF_FIGURES["correlated"].format(column=column, figure=figure)
        yield _correlated(systems, column, text, expected=True)


def _correlated(systems: Systems, column: str, text: str, *, expected: bool) -> Claim:
    """Whether nDCG and a measure are positively correlated, as expected or not.

    It cannot be told where tau is positive and its interval includes 0.
    """
    tau, lower, upper = correlation_of(systems, column)
    if isnan(lower):
        reason = "there is no interval of tau: too few systems or queries, or all systems tie"
        return Claim(text, "cannot be told", reason)
    evidence = f"tau {tau:.2f}, 95% interval [{lower:.2f}, {upper:.2f}]"
    if lower <= 0 < tau:
        return Claim(text, "cannot be told", evidence)
    return Claim.of(text, (tau > 0) == expected, evidence)


def _within_groups(systems: Systems) -> Claim:
    text = OF_FIGURES["within groups"]
    groups = dict.fromkeys(systems.matrix.groups or ())
    taus = {name: systems.tau(NRG, systems.members(name)) for name in groups}
    known = {name: tau for name, tau in taus.items() if not isnan(tau)}
    if not known:
        return Claim(text, "cannot be told", "no group has two runs with different scores")
    rising = sum(tau > 0 for tau in known.values())
    evidence = ", ".join(f"{name} {tau:.2f}" for name, tau in known.items())
    return Claim.of(
        text, rising > len(known) / 2, f"tau is positive in {rising} of {len(known)}: {evidence}"
    )


def _of_traditional_runs(systems: Systems) -> Iterator[Claim]:
    inside = systems.members(BASELINE)
    known = {BEST, RERANKED, BEST_NON_NEURAL, *PLAIN_BM25} <= set(systems.names)
    if systems.material.origin != "paper" or not inside or not known:
        reason = "needs the participants' runs of TREC 2019 Deep Learning"
        yield from Claim.unknown(reason, *ON_TRADITIONAL_RUNS)
        return
    both = _Both(systems, inside, others_than_baseline(systems))
    verdicts = (
        both.bm25_is_unique(),
        both.neural_lead(),
        both.lower_ndcg_and_higher_nrg(),
        both.clear_split(),
        both.correlated_outside_baseline(),
        both.feedback_leads(),
        both.best_non_neural(),
        both.reranked_is_lowest(NRG),
        both.reranked_is_lowest(NRG_ALL),
        both.most_unique(),
        both.no_advantage(RARENESS),
        both.no_advantage(TASC),
    )
    for text, (holds, evidence) in zip(ON_TRADITIONAL_RUNS, verdicts, strict=True):
        yield Claim.of(text, holds, evidence)


@dataclass(frozen=True)
class _Both:
    """The BASELINE runs and the other runs of DL 2019; each method: a verdict and its numbers."""

    systems: Systems
    inside: list[int]
    outside: list[int]

    def halves(self, column: str) -> tuple[FloatArray, FloatArray]:
        """The means of the BASELINE runs, and of the other runs."""
        means = self.systems.means(column)
        return means[self.inside], means[self.outside]

    def of(self, name: str, column: str) -> float:
        return float(self.systems.means(column)[self.systems.names.index(name)])

    def bm25_is_unique(self) -> tuple[bool, str]:
        found = {name: self.of(name, UNIQUE) for name in PLAIN_BM25}
        return min(found.values()) > 0, (
            "relevant documents per query that no group's best run has in its top 10: "
            + ", ".join(f"{name} {value:.2f}" for name, value in found.items())
        )

    def neural_lead(self) -> tuple[bool, str]:
        order = np.argsort(-self.systems.means(NDCG))[:LEADERS]
        leaders = {self.systems.names[place] for place in order.tolist()}
        traditional = {self.systems.names[place] for place in self.inside} | {BEST_NON_NEURAL}
        baseline, other = self.halves(NDCG)
        return not leaders & traditional, (
            f"{len(leaders & traditional)} BASELINE runs or {BEST_NON_NEURAL} among the top "
            f"{LEADERS}; mean {baseline.mean():.3f} (BASELINE), {other.mean():.3f} (other runs)"
        )

    def lower_ndcg_and_higher_nrg(self) -> tuple[bool, str]:
        (ndcg, other_ndcg), (nrg, other_nrg) = self.halves(NDCG), self.halves(NRG)
        holds = ndcg.mean() < other_ndcg.mean() and nrg.mean() > other_nrg.mean()
        return bool(holds), (
            f"mean {NDCG} {ndcg.mean():.3f} and {other_ndcg.mean():.3f} (other runs); "
            f"mean NRG {nrg.mean():.3f} and {other_nrg.mean():.3f}"
        )

    def clear_split(self) -> tuple[bool, str]:
        nrg, other = self.halves(NRG)
        above = int((nrg > np.median(other)).sum())
        return above == len(nrg), (
            f"{above} of {len(nrg)} BASELINE runs lie above the median of the other runs; "
            f"{self._leading()} of the best {len(nrg)} runs by NRG are BASELINE"
        )

    def _leading(self) -> int:
        best = np.argsort(-self.systems.means(NRG))[: len(self.inside)]
        return len(set(best.tolist()) & set(self.inside))

    def correlated_outside_baseline(self) -> tuple[bool, str]:
        outside, inside = (self.systems.tau(NRG, places) for places in (self.outside, self.inside))
        return outside > 0, f"tau {outside:.2f} ({ALL_BUT_BASELINE}), {inside:.2f} ({BASELINE})"

    def feedback_leads(self) -> tuple[bool, str]:
        nrg = self.systems.means(NRG)
        order = sorted(self.inside, key=lambda place: -nrg[place])
        best = [self.systems.names[place] for place in order[: len(order) // 2]]
        return not NO_FEEDBACK & set(best), f"the best half: {', '.join(best)}"

    def best_non_neural(self) -> tuple[bool, str]:
        ndcg, nrg = self.of(BEST_NON_NEURAL, NDCG), self.of(BEST_NON_NEURAL, NRG)
        most, least = self.halves(NDCG)[0].max(), self.halves(NRG)[0].min()
        return bool(ndcg > most and nrg < least), (
            f"{NDCG} {ndcg:.4f}, of the best BASELINE run {most:.4f}; "
            f"NRG {nrg:.4f}, lowest of BASELINE {least:.4f}"
        )

    def reranked_is_lowest(self, column: str) -> tuple[bool, str]:
        reranked, least = self.of(RERANKED, column), float(self.halves(column)[0].min())
        return reranked < least, (
            f"{RERANKED} {reranked:.4f}, {BEST} {self.of(BEST, column):.4f}, "
            f"lowest of BASELINE {least:.4f}"
        )

    def most_unique(self) -> tuple[bool, str]:
        baseline, other = self.halves(UNIQUE)
        return bool(baseline.max() > other.max()), (
            f"per query at most {baseline.max():.2f} (BASELINE), {other.max():.2f} (other runs); "
            f"on average {baseline.mean():.2f} and {other.mean():.2f}"
        )

    def no_advantage(self, column: str) -> tuple[bool, str]:
        baseline, other = self.halves(column)
        return bool(baseline.mean() <= other.mean()), (
            f"mean {baseline.mean():.3f} (BASELINE), {other.mean():.3f} (other runs)"
        )
