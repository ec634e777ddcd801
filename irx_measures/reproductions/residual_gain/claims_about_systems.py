"""The claims of the NRG paper about the systems of TREC 2019 Deep Learning."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from ...io.frames import frame
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

TRADITIONAL_RUNS = DECLARED.claims["Traditional runs"]

ON_TRADITIONAL_RUNS = tuple(TRADITIONAL_RUNS.values())


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
    evidence = f"tau {tau:.2f}, 95% interval [{lower:.2f}, {upper:.2f}]"
    holds = None if lower <= 0 < tau else (tau > 0) == expected
    reason = "there is no interval of tau: too few systems or queries, or all systems tie"
    return systems.judge.if_defined(text, [lower], holds, evidence, reason)


def _within_groups(systems: Systems) -> Claim:
    text = OF_FIGURES["within groups"]
    groups = dict.fromkeys(systems.matrix.groups or ())
    taus = {name: systems.tau(NRG, systems.members(name)) for name in groups}
    known = {name: tau for name, tau in taus.items() if not isnan(tau)}
    if not known:
        return Claim.unknown("no group has two runs with different scores", text)[0]
    rising = sum(tau > 0 for tau in known.values())
    shown = ", ".join(f"{name} {tau:.2f}" for name, tau in known.items())
    evidence = f"tau is positive in {rising} of {len(known)}: {shown}"
    return systems.judge.claim(text, rising > len(known) / 2, evidence)


def _of_traditional_runs(systems: Systems) -> Iterator[Claim]:
    known = {BEST, RERANKED, BEST_NON_NEURAL, *PLAIN_BM25} <= set(systems.names)
    if not systems.judge.of_paper or not systems.members(BASELINE) or not known:
        reason = "needs the participants' runs of TREC 2019 Deep Learning"
        yield from Claim.unknown(reason, *ON_TRADITIONAL_RUNS)
        return
    yield from _on_traditional_runs(systems)


def _on_traditional_runs(systems: Systems) -> Iterator[Claim]:
    """The claims about the BASELINE runs and the other runs of DL 2019."""
    means = frame({column: systems.means(column) for column in systems.strings})
    means = means.set_axis(list(systems.names), axis=0)
    inside, outside = systems.members(BASELINE), others_than_baseline(systems)
    baseline, other = means.iloc[inside], means.iloc[outside]
    mean, of_others, lowest = baseline.mean(), other.mean(), baseline.min()

    def claim(name: str, holds: object, evidence: str) -> Claim:
        return systems.judge.claim(TRADITIONAL_RUNS[name], bool(holds), evidence)

    def both_means(column: str) -> str:
        return f"mean {mean[column]:.3f} (BASELINE), {of_others[column]:.3f} (other runs)"

    unique = means.loc[list(PLAIN_BM25), UNIQUE]
    yield claim(
        "BM25 is unique",
        unique.min() > 0,
        "relevant documents per query that no group's best run has in its top 10: "
        + ", ".join(f"{name} {value:.2f}" for name, value in unique.items()),
    )
    leaders = {*means[NDCG].nlargest(LEADERS).index} & {*baseline.index, BEST_NON_NEURAL}
    yield claim(
        "neural runs lead",
        not leaders,
        f"{len(leaders)} BASELINE runs or {BEST_NON_NEURAL} among the top {LEADERS}; "
        f"{both_means(NDCG)}",
    )
    yield claim(
        "higher NRG",
        mean[NDCG] < of_others[NDCG] and mean[NRG] > of_others[NRG],
        f"mean {NDCG} {mean[NDCG]:.3f} and {of_others[NDCG]:.3f} (other runs); "
        f"mean NRG {mean[NRG]:.3f} and {of_others[NRG]:.3f}",
    )
    size, above = len(baseline), int((baseline[NRG] > other[NRG].median()).sum())
    leading = means[NRG].nlargest(size).index.isin(baseline.index).sum()
    yield claim(
        "split",
        above == size,
        f"{above} of {size} BASELINE runs lie above the median of the other runs; "
        f"{leading} of the best {size} runs by NRG are BASELINE",
    )
    tau, tau_inside = systems.tau(NRG, outside), systems.tau(NRG, inside)
    shown = f"tau {tau:.2f} ({ALL_BUT_BASELINE}), {tau_inside:.2f} ({BASELINE})"
    yield claim("correlated outside", tau > 0, shown)
    best = baseline[NRG].nlargest(size // 2).index
    shown = f"the best half: {', '.join(best)}"
    yield claim("feedback leads", not NO_FEEDBACK & {*best}, shown)
    run, highest = means.loc[BEST_NON_NEURAL], baseline[NDCG].max()
    yield claim(
        "best non-neural",
        run[NDCG] > highest and run[NRG] < lowest[NRG],
        f"{NDCG} {run[NDCG]:.4f}, of the best BASELINE run {highest:.4f}; "
        f"NRG {run[NRG]:.4f}, lowest of BASELINE {lowest[NRG]:.4f}",
    )
    for name, column in (("re-ranking", NRG), ("re-ranking, all judged", NRG_ALL)):
        reranked, before = means.loc[[RERANKED, BEST], column]
        yield claim(
            name,
            reranked < lowest[column],
            f"{RERANKED} {reranked:.4f}, {BEST} {before:.4f}, "
            f"lowest of BASELINE {lowest[column]:.4f}",
        )
    most, most_of_others = baseline[UNIQUE].max(), other[UNIQUE].max()
    yield claim(
        "most unique",
        most > most_of_others,
        f"per query at most {most:.2f} (BASELINE), {most_of_others:.2f} (other runs); "
        f"on average {mean[UNIQUE]:.2f} and {of_others[UNIQUE]:.2f}",
    )
    for name, column in (("no advantage by rareness", RARENESS), ("no advantage by TaSC", TASC)):
        yield claim(name, mean[column] <= of_others[column], both_means(column))
