"""The experiments of the NRG paper: what a run adds to other runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import isnan, nan
from typing import TYPE_CHECKING

import ir_measures
import numpy as np

from ..common.numeric import FloatArray
from ..common.warn import untold
from ..io.frames import frame
from ..measures import residual_gain as measures
from ..meta.correlation import rank_correlation
from ..plots import system_scatter
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix
from ..stats.correlation import coefficient_of
from ..stats.ranks import rounded
from .material import DL19, Material, material_of
from .paper import (
    Claim,
    Draw,
    Reproduction,
    beside,
    chart,
    declared,
    in_rows,
    in_shape,
    judged,
    unknown,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..io.frames import DataFrame

DECLARED = declared("residual_gain")
CLAIMS = DECLARED.claims

# Table 1: three orders of the same documents.
RELEVANT = {"q": dict.fromkeys("AEFJ", 4)}  # any grade does: all four documents have the same
ORDERS = {"R1": "ABCDEFGHIJ", "R2": "EDCBAFGHIJ", "R3": "JIHGFEDCBA"}
OTHER_TWO = "the other two"

# Figure 1: runs in order of release.
RR = "RR@10"
EARLIER = "NRG, earlier runs as priors"
ALL_OTHERS = "NRG, all other runs as priors"
OF_RELEASES = {
    RR: "RR@10",
    EARLIER: "NRG(prior=others, base=RR, select=earlier)@10",
    ALL_OTHERS: "NRG(prior=others, base=RR)@10",
}
NO_HISTORY = "Figure 1 is left out: it needs --dataset and --runs, in order of release"

# Figures 2 to 5: systems by nDCG and by what they add to other systems.
NDCG, NRG, NRG_ALL = "nDCG@10", "NRG@10", "NRG@10, ideal=all"
UNIQUE, RARENESS, TASC = "UniqueRel@10", "P_Rareness@10", "TaSC@10"
FIGURES = {"Figure 2": NRG, "Figure 3": UNIQUE, "Figure 4": RARENESS, "Figure 5": TASC}
BASELINE = "BASELINE"  # the group of the traditional runs of TREC 2019 Deep Learning
ALL_BUT_BASELINE = f"all but {BASELINE}"
TAU = f"tau({NDCG}, {NRG})"
TOPIC_SAMPLES = 500  # a choice: 12 samples lie beyond each end of a 95% interval

# Runs of TREC 2019 Deep Learning.
BEST, RERANKED, BEST_NON_NEURAL = "idst_bert_p1", "idst_bert_pr1", "srchvrs_ps_run3"
PLAIN_BM25 = ("bm25base_p", "bm25tuned_p")  # other BASELINE runs use feedback or axioms
LEADERS = 20  # "all of the top 20 runs under NDCG@10, employ neural methods"


def reproduce(given: Material | None = None, progress: bool | None = None) -> Reproduction:
    """Table 1, the figures and the claims of the NRG paper."""
    material = material_of(DL19, given)
    systems = score_systems(material, progress)
    past = None if given is None else figure_1(material, progress)
    return Reproduction.of(
        DECLARED,
        (material.description, *([NO_HISTORY] if past is None else [])),
        (
            table_1(),
            *([] if past is None else [past]),
            figures_2_to_5(systems),
            correlations(systems),
            by_group(systems),
        ),
        {**({} if past is None else _drawn_history(past)), **_drawn(systems)},
        (_permutation_claim(), *_claims(systems), *_history_claims(past)),
    )


def table_1() -> DataFrame:
    """nDCG@10 of three rankings, and NRG@10 given one or both of the others."""
    places = DECLARED.printed("Table 1")
    here = {place: nan if place[0] == place[1] else _score(*place) for place in places}
    return DECLARED.table("Table 1", here)


def _score(order: str, column: str) -> float:
    """nDCG of a ranking, or its NRG given the rankings of a column."""
    others = [other for other in ORDERS if other != order]
    priors = {OTHER_TWO: others, NDCG: []}.get(column, [column])
    measure = measures.NRG(prior=[_run(prior) for prior in priors]) if priors else ir_measures.nDCG
    return float((measure @ 10).calc_aggregate(RELEVANT, _run(order)))


def _run(order: str) -> dict[str, dict[str, float]]:
    return {"q": {doc: -float(rank) for rank, doc in enumerate(ORDERS[order])}}


def _permutation_claim() -> Claim:
    """Whether NRG depends on the prior rankings where nDCG is equal."""
    shape = in_shape(table_1())
    ndcg, nrg = shape[NDCG], shape[OTHER_TWO]
    different = all(abs(one - other) > 1e-6 for one, other in combinations(nrg, 2))
    shown = ", ".join(f"{order} {value:.4f}" for order, value in nrg.items())
    return judged(
        True,
        CLAIMS["Table 1"]["permutations"],
        bool(np.ptp(ndcg) < 1e-12) and different,
        f"nDCG@10 {ndcg.iloc[0]:.4f}; NRG given the other two: {shown}",
    )


def figure_1(material: Material, progress: bool | None = None) -> DataFrame:
    """RR@10 and NRG of runs in their given order, with two sets of priors."""
    # The first run has no earlier run; the remark says so.
    with untold("no prior counts", "its own only prior"):
        strings = list(OF_RELEASES.values())
        matrix = evaluate(material.runs, material.qrels, strings, progress=progress)
    here = in_rows(OF_RELEASES, dict(zip(matrix.systems, matrix.aggregates.T, strict=True)))
    return DECLARED.table("Figure 1", here, material)


def _drawn_history(table: DataFrame) -> dict[str, Draw]:
    """Both parts of Figure 1."""
    parts = {"Figure 1 (a)": EARLIER, "Figure 1 (b)": ALL_OTHERS}
    return {label: partial(_draw_history, table, column) for label, column in parts.items()}


def _draw_history(table: DataFrame, column: str, width: float | None = None) -> Axes:
    shape = in_shape(table)
    places, styles = range(len(shape)), {RR: "o-", column: "s--"}
    curves = [(places, shape[name], form, name) for name, form in styles.items()]
    ax = chart("", "mean over queries", curves, width=width)
    ax.set_xticks(places, list(map(str, shape.index)), rotation=45, ha="right")
    return ax


def _history_claims(past: DataFrame | None) -> Iterator[Claim]:
    """The claims about Figure 1, which have no verdict: the paper's runs are MS MARCO's."""
    text = CLAIMS["Figure 1"]
    shape = None if past is None else in_shape(past)
    if shape is None or len(shape) < 3:
        yield from unknown("needs at least three runs in order of release", text.values())
        return
    rr, earlier, all_others = shape[list(OF_RELEASES)].to_numpy().T
    rises, falls = np.diff(rr) > 0, np.diff(earlier[1:]) < 0
    (tau,) = coefficient_of("tau_b", rr[np.newaxis], all_others[np.newaxis], nan)
    lower = f"{falls.sum()} of {len(falls)} releases after the second lower it"
    shown = "a measure ties all runs" if isnan(tau) else f"tau_b {tau:.2f} over {len(rr)} runs"
    yield beside(text["rises"], f"{rises.sum()} of {len(rises)} releases raise it")
    yield beside(text["drops"], lower)
    yield beside(text["agrees"], shown)


@dataclass(frozen=True)
class Systems:
    """Systems with their scores by the measures of Figures 2 to 5.

    Attributes
    ----------
    material : Material
    strings : dict
        The measure string of each column.
    matrix : ScoreMatrix
        A row per column, in the order of `strings`.
    """

    material: Material
    strings: dict[str, str]
    matrix: ScoreMatrix

    @property
    def of_paper(self) -> bool:
        """Whether the data is the paper's."""
        return DECLARED.is_of_paper(self.material)

    def scores(self, column: str) -> FloatArray:
        """Scores by one measure: (systems, queries)."""
        return self.matrix[self.strings[column]]

    def means(self, column: str) -> FloatArray:
        """Mean scores by one measure: (systems,)."""
        return self.scores(column).mean(axis=1)

    @property
    def groups(self) -> dict[str, list[int]]:
        """Groups and the positions of their systems."""
        names = self.matrix.groups or ()
        return {
            group: [place for place, other in enumerate(names) if other == group]
            for group in dict.fromkeys(names)
        }

    @property
    def not_baseline(self) -> list[int]:
        """The positions of the systems outside the group BASELINE."""
        inside = set(self.groups.get(BASELINE, ()))
        return [place for place in range(len(self.matrix.systems)) if place not in inside]

    def tau(self, column: str, places: Sequence[int]) -> float:
        """Kendall's tau of some systems' means by nDCG and by a measure; NaN if undefined."""
        first, second = (rounded(self.means(name)[list(places)]) for name in (NDCG, column))
        defined = ~np.isnan(second)
        if np.count_nonzero(defined) < 2:
            return nan
        one, other = first[np.newaxis, defined], second[np.newaxis, defined]
        return float(coefficient_of("tau_b", one, other, nan)[0])

    def correlation(self, column: str) -> tuple[float, float, float]:
        """Tau of nDCG and a measure over all systems, with its 95% interval; NaN if undefined.

        A single query has no interval.
        """
        defined = np.flatnonzero(~np.isnan(self.means(column)))
        if len(defined) < 2 or len(self.matrix.query_ids) < 2:
            return self.tau(column, defined.tolist()), nan, nan
        first, second = (self.scores(name)[defined] for name in (NDCG, column))
        found = rank_correlation(first, second, samples=TOPIC_SAMPLES)
        return found.value, *found.interval


def score_systems(material: Material, progress: bool | None = None) -> Systems:
    """Score all systems by nDCG@10 and by the measures of Figures 2 to 5.

    The priors are the best run of every other group, as in the paper; without groups, all runs.
    """
    grouped = len(set(material.runs.groups or ())) > 1
    priors = "prior=others, select=best-per-group" if grouped else "prior=others"
    strings = {
        NDCG: "nDCG@10",
        NRG: f"NRG({priors})@10",
        NRG_ALL: f"NRG({priors}, ideal=all)@10",
        UNIQUE: f"UniqueRel({priors})@10",
        RARENESS: "P_Rareness(systems=others)@10",
        TASC: f"TaSC({priors})@10",
    }
    matrix = evaluate(material.runs, material.qrels, list(strings.values()), progress=progress)
    return Systems(material, strings, matrix)


def figures_2_to_5(systems: Systems) -> DataFrame:
    """The means of Figures 2 to 5, a row per system, by descending nDCG@10."""
    means = np.transpose([systems.means(column) for column in systems.strings])
    order = np.argsort(-systems.means(NDCG), kind="stable").tolist()
    rows = {systems.matrix.systems[place]: means[place] for place in order}
    priors = "there are no groups, so the priors of a run are all other runs"
    if "best-per-group" in systems.strings[NRG]:
        priors = f"the priors of a run are the best run by {NDCG} of every other group"
    here = in_rows(systems.strings, rows)
    return DECLARED.table("Figures 2 to 5", here, systems.material, fields={"priors": priors})


def correlations(systems: Systems) -> DataFrame:
    """Kendall's tau of the rankings by nDCG@10 and by each measure, with a bootstrap interval."""
    taus = {f"{label}: {name}": systems.correlation(name) for label, name in FIGURES.items()}
    here = in_rows(("tau", "lower", "upper"), taus)
    return DECLARED.table("Figures 2 to 5, correlation", here, systems.material)


def by_group(systems: Systems) -> DataFrame:
    """Mean scores of each group's runs, and the tau of nDCG@10 and NRG@10 within the group."""
    groups = systems.groups or {"all runs": list(range(len(systems.matrix.systems)))}
    if BASELINE in groups:
        groups[ALL_BUT_BASELINE] = systems.not_baseline
    rows = {
        name: (
            len(places),
            *(systems.means(column)[places].mean() for column in systems.strings),
            systems.tau(NRG, places),
        )
        for name, places in groups.items()
    }
    here = in_rows(("runs", *systems.strings, TAU), rows)
    return DECLARED.table("Figures 2 to 5, groups", here, systems.material)


def _drawn(systems: Systems) -> dict[str, Draw]:
    """Figures 2 to 5; without those in which no system has a score."""
    return {
        label: partial(system_scatter, systems.matrix, NDCG, systems.strings[column])
        for label, column in FIGURES.items()
        if np.isfinite(systems.means(column)).any()
    }


def _claims(systems: Systems) -> Iterator[Claim]:
    """The claims about Figures 2 to 5; those about traditional runs need DL 2019."""
    text = CLAIMS["Figures 2 to 5"]
    yield _correlated(systems, NRG, text["not correlated"], expected=False)
    yield _within_groups(systems)
    for column, figure in ((RARENESS, 4), (TASC, 5)):
        about = text["correlated"].format(column=column, figure=figure)
        yield _correlated(systems, column, about, expected=True)
    known = {BEST, RERANKED, BEST_NON_NEURAL, *PLAIN_BM25} <= set(systems.matrix.systems)
    if systems.of_paper and BASELINE in systems.groups and known:
        yield from _on_traditional_runs(systems)
    else:
        reason = "needs the participants' runs of TREC 2019 Deep Learning"
        yield from unknown(reason, CLAIMS["Traditional runs"].values())


def _correlated(systems: Systems, column: str, text: str, *, expected: bool) -> Claim:
    """Whether nDCG and a measure are positively correlated, as expected or not.

    It cannot be told where tau is positive and its interval includes 0.
    """
    tau, lower, upper = systems.correlation(column)
    if isnan(lower):
        reason = "there is no interval of tau: too few systems or queries, or all systems tie"
        return unknown(reason, [text])[0]
    holds = None if lower <= 0 < tau else (tau > 0) == expected
    shown = f"tau {tau:.2f}, 95% interval [{lower:.2f}, {upper:.2f}]"
    return judged(systems.of_paper, text, holds, shown)


def _within_groups(systems: Systems) -> Claim:
    text = CLAIMS["Figures 2 to 5"]["within groups"]
    taus = {name: systems.tau(NRG, places) for name, places in systems.groups.items()}
    known = {name: tau for name, tau in taus.items() if not isnan(tau)}
    if not known:
        return unknown("no group has two runs with different scores", [text])[0]
    rising = sum(tau > 0 for tau in known.values())
    shown = ", ".join(f"{name} {tau:.2f}" for name, tau in known.items())
    evidence = f"tau is positive in {rising} of {len(known)}: {shown}"
    return judged(systems.of_paper, text, rising > len(known) / 2, evidence)


def _on_traditional_runs(systems: Systems) -> Iterator[Claim]:
    """The claims about the BASELINE runs and the other runs of DL 2019."""
    means = frame({column: systems.means(column) for column in systems.strings})
    means = means.set_axis(list(systems.matrix.systems), axis=0)
    inside, outside = systems.groups[BASELINE], systems.not_baseline
    baseline, other = means.iloc[inside], means.iloc[outside]
    mean, of_others, lowest = baseline.mean(), other.mean(), baseline.min()

    def claim(name: str, holds: object, evidence: str) -> Claim:
        return judged(True, CLAIMS["Traditional runs"][name], bool(holds), evidence)

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
    yield claim("feedback leads", not {*PLAIN_BM25} & {*best}, f"the best half: {', '.join(best)}")
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
