"""The experiments of the NRG paper: what a run adds to other runs."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import isnan, nan
from typing import NamedTuple

import numpy as np

from ..common.warn import untold
from ..meta.correlation import rank_correlation
from ..plots import system_scatter
from ..results.frames import DataFrame, frame
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix
from ..stats.correlation import coefficient_of
from ..stats.pairs import join_ties
from ..typing import Axes
from .material import DL19, Material, material_of
from .paper import Claim, Draw, Reproduction, chart, declared, in_rows, in_shape, means_of

DECLARED = declared("residual_gain")

# Table 1: three orders of the same documents.
RELEVANT = {"q": dict.fromkeys("AEFJ", 4)}  # any grade does: all four documents have the same
ORDERS = {
    "R1": {"q": [*"ABCDEFGHIJ"]},
    "R2": {"q": [*"EDCBAFGHIJ"]},
    "R3": {"q": [*"JIHGFEDCBA"]},
}
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
NO_HISTORY = "Figure 1 is left out: it needs qrels and runs in order of their release"

# Figures 2 to 5: systems by nDCG and by what they add to other systems.
NDCG = "nDCG@10"
NRG = "NRG@10"
NRG_ALL = "NRG@10, ideal=all"
UNIQUE = "UniqueRel@10"
RARENESS = "P_Rareness@10"
TASC = "TaSC@10"
FIGURES = {"Figure 2": NRG, "Figure 3": UNIQUE, "Figure 4": RARENESS, "Figure 5": TASC}
BASELINE = "BASELINE"  # the group of the traditional runs of TREC 2019 Deep Learning
ALL_BUT_BASELINE = f"all but {BASELINE}"
TAU = f"tau({NDCG}, {NRG})"
TOPIC_SAMPLES = 500  # a choice: 12 samples lie beyond each end of a 95% interval

# Runs of TREC 2019 Deep Learning.
BEST = "idst_bert_p1"
RERANKED = "idst_bert_pr1"
BEST_NON_NEURAL = "srchvrs_ps_run3"
PLAIN_BM25 = ("bm25base_p", "bm25tuned_p")  # other BASELINE runs use feedback or axioms
LEADERS = 20  # "all of the top 20 runs under NDCG@10, employ neural methods"


def reproduce(given: Material | None = None, progress: bool | None = None) -> Reproduction:
    """Table 1, the figures and the claims of the NRG paper."""
    material = material_of(DL19, given)
    systems = score_systems(material, progress)
    taus = correlations(systems)
    data = [material.description]
    tables = [table_1()]
    figures: dict[str, Draw] = {}
    past = None
    if given is None:
        data.append(NO_HISTORY)
    else:
        past = figure_1(material, progress)
        tables.append(past)
        figures |= _drawn_history(past)
    tables += [figures_2_to_5(systems), taus, by_group(systems)]
    figures |= _drawn(systems)
    claims = [*_permutation_claim(), *_claims(systems, taus), *_history_claims(past)]
    return Reproduction.of(DECLARED, data, tables, figures, claims)


def table_1() -> DataFrame:
    """nDCG@10 of three rankings, and NRG@10 given one or both of the others."""
    measures = {
        NDCG: "nDCG@10",
        **{name: f"NRG(prior={name})@10" for name in ORDERS},
        OTHER_TWO: "NRG(prior=others)@10",
    }
    with untold("its own only prior"):
        matrix = evaluate(RELEVANT, ORDERS, list(measures.values()))
    return DECLARED.table("Table 1", means_of(matrix, measures))


def _permutation_claim() -> list[Claim]:
    """Whether NRG depends on the prior rankings where nDCG is equal."""
    shape = in_shape(table_1())
    ndcg, nrg = shape[NDCG], shape[OTHER_TWO]
    different = all(abs(one - other) > 1e-6 for one, other in combinations(nrg, 2))
    holds = {"permutations": bool(np.ptp(ndcg) < 1e-12) and different}
    return DECLARED.judged("Table 1", True, holds, ndcg=ndcg.iloc[0], nrg=nrg)


def figure_1(material: Material, progress: bool | None = None) -> DataFrame:
    """RR@10 and NRG of runs in their given order, with two sets of priors."""
    # The first run has no earlier run; the remark says so.
    with untold("no prior counts", "its own only prior"):
        strings = list(OF_RELEASES.values())
        matrix = evaluate(material.qrels, material.runs, strings, progress=progress)
    return DECLARED.table("Figure 1", means_of(matrix, OF_RELEASES), material)


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


def _history_claims(past: DataFrame | None) -> list[Claim]:
    """The claims about Figure 1, which have no verdict: the paper's runs are MS MARCO's."""
    topic = "Figure 1"
    shape = None if past is None else in_shape(past)
    if shape is None or len(shape) < 3:
        return DECLARED.unknown(topic, "needs at least three runs in order of release")
    rr, earlier, all_others = shape[list(OF_RELEASES)].to_numpy().T
    (tau,) = coefficient_of("tau_b", rr[np.newaxis], all_others[np.newaxis], nan)
    return DECLARED.judged(
        topic,
        False,
        rises=(np.diff(rr) > 0).sum(),
        falls=(np.diff(earlier[1:]) < 0).sum(),
        pairs=len(rr) - 1,
        later_pairs=len(rr) - 2,
        tau=tau,
        runs=len(rr),
    )


class Systems(NamedTuple):
    """Systems with their scores by the measures of Figures 2 to 5."""

    material: Material
    strings: dict[str, str]  # the measure string of each column
    matrix: ScoreMatrix  # a row per column, in the order of `strings`
    means: DataFrame  # mean scores: a row per system

    @property
    def groups(self) -> dict[str, DataFrame]:
        """The mean scores of each group's systems."""
        names = np.array(self.matrix.groups or (), object)
        return {group: self.means[names == group] for group in dict.fromkeys(names)}

    def correlation(self, column: str) -> tuple[float, float, float]:
        """Tau of nDCG and a measure over all systems, with its 95% interval; NaN if undefined.

        A single query has no interval.
        """
        defined = self.means[column].notna().to_numpy()
        if defined.sum() < 2 or len(self.matrix.query_ids) < 2:
            return _tau(self.means, column), nan, nan
        first = self.matrix[self.strings[NDCG]][defined]
        second = self.matrix[self.strings[column]][defined]
        found = rank_correlation(first, second, samples=TOPIC_SAMPLES)
        return found.value, *found.interval


def _tau(means: DataFrame, column: str) -> float:
    """Kendall's tau of some systems' means by nDCG and by a measure; NaN if undefined."""
    defined = means[[NDCG, column]].dropna().to_numpy()
    if len(defined) < 2:
        return nan
    one, other = join_ties(defined.T)
    return float(coefficient_of("tau_b", one[np.newaxis], other[np.newaxis], nan)[0])


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
    matrix = evaluate(material.qrels, material.runs, list(strings.values()), progress=progress)
    means = {name: matrix[of].mean(axis=1) for name, of in strings.items()}
    return Systems(material, strings, matrix, frame(means).set_axis([*matrix.systems], axis=0))


def figures_2_to_5(systems: Systems) -> DataFrame:
    """The means of Figures 2 to 5, a row per system, by descending nDCG@10."""
    ordered = systems.means.sort_values(NDCG, ascending=False, kind="stable")
    rows = dict(zip(ordered.index, ordered.to_numpy(), strict=True))
    priors = "there are no groups, so the priors of a run are all other runs"
    if "best-per-group" in systems.strings[NRG]:
        priors = f"the priors of a run are the best run by {NDCG} of every other group"
    here = in_rows(systems.strings, rows)
    return DECLARED.table("Figures 2 to 5", here, systems.material, priors=priors)


def correlations(systems: Systems) -> DataFrame:
    """Kendall's tau of the rankings by nDCG@10 and by each measure, with a bootstrap interval."""
    taus = {f"{label}: {name}": systems.correlation(name) for label, name in FIGURES.items()}
    here = in_rows(("tau", "lower", "upper"), taus)
    return DECLARED.table("Figures 2 to 5, correlation", here, systems.material)


def by_group(systems: Systems) -> DataFrame:
    """Mean scores of each group's runs, and the tau of nDCG@10 and NRG@10 within the group."""
    groups = systems.groups or {"all runs": systems.means}
    if BASELINE in groups:
        groups[ALL_BUT_BASELINE] = systems.means.drop(index=groups[BASELINE].index)
    rows = {
        name: (len(means), *means.mean(skipna=False), _tau(means, NRG))
        for name, means in groups.items()
    }
    here = in_rows(("runs", *systems.strings, TAU), rows)
    return DECLARED.table("Figures 2 to 5, groups", here, systems.material)


def _drawn(systems: Systems) -> dict[str, Draw]:
    """Figures 2 to 5; without those in which no system has a score."""
    return {
        label: partial(system_scatter, systems.matrix, NDCG, systems.strings[column])
        for label, column in FIGURES.items()
        if systems.means[column].notna().any()
    }


def _claims(systems: Systems, taus: DataFrame) -> list[Claim]:
    """The claims about Figures 2 to 5; those about traditional runs need DL 2019."""
    shape = in_shape(taus)
    nrg = shape.loc[f"Figure 2: {NRG}"].to_dict()
    rareness = shape.loc[f"Figure 4: {RARENESS}"].to_dict()
    tasc = shape.loc[f"Figure 5: {TASC}"].to_dict()
    within = {name: _tau(means, NRG) for name, means in systems.groups.items()}
    known = {name: tau for name, tau in within.items() if not isnan(tau)}
    rising = sum(tau > 0 for tau in known.values())
    of_paper = DECLARED.is_of_paper(systems.material)
    correlated = _is_positive(nrg["tau"], nrg["lower"])
    not_correlated = None if correlated is None else not correlated
    within_groups = rising > len(known) / 2 if known else None
    found = DECLARED.judged(
        "Figures 2 to 5",
        of_paper,
        {
            "not correlated": not_correlated,
            "within groups": within_groups,
            "rareness correlated": _is_positive(rareness["tau"], rareness["lower"]),
            "TaSC correlated": _is_positive(tasc["tau"], tasc["lower"]),
        },
        nrg=nrg,
        rareness=rareness,
        tasc=tasc,
        rising=rising,
        groups=len(known),
        taus=", ".join(f"{name} {tau:.2f}" for name, tau in known.items()) or "none",
    )
    known_runs = {BEST, RERANKED, BEST_NON_NEURAL, *PLAIN_BM25} <= set(systems.matrix.systems)
    if of_paper and BASELINE in systems.groups and known_runs:
        return [*found, *_on_traditional_runs(systems)]
    reason = "needs the participants' runs of TREC 2019 Deep Learning"
    return [*found, *DECLARED.unknown("Traditional runs", reason)]


def _is_positive(tau: float, lower: float) -> bool | None:
    """Whether tau is above 0; None: its interval includes 0, or it has none."""
    return None if isnan(lower) or lower <= 0 < tau else bool(tau > 0)


def _on_traditional_runs(systems: Systems) -> list[Claim]:
    """The claims about the BASELINE runs and the other runs of DL 2019."""
    means, baseline = systems.means, systems.groups[BASELINE]
    other = means.drop(index=baseline.index)
    inside = baseline.agg(["min", "mean", "max"])
    outside = other.agg(["min", "mean", "max"])
    tau, tau_inside = _tau(other, NRG), _tau(baseline, NRG)
    leaders = {*means[NDCG].nlargest(LEADERS).index} & {*baseline.index, BEST_NON_NEURAL}
    size, above = len(baseline), int((baseline[NRG] > other[NRG].median()).sum())
    best = baseline[NRG].nlargest(size // 2).index
    run, reranked = means.loc[BEST_NON_NEURAL], means.loc[RERANKED]
    lowest = inside.loc["min"]
    holds = {
        "BM25 is unique": means.loc[list(PLAIN_BM25), UNIQUE].min() > 0,
        "neural runs lead": not leaders,
        "higher NRG": inside[NDCG]["mean"] < outside[NDCG]["mean"]
        and inside[NRG]["mean"] > outside[NRG]["mean"],
        "split": above == size,
        "correlated outside": tau > 0,
        "feedback leads": not {*PLAIN_BM25} & {*best},
        "best non-neural": run[NDCG] > inside[NDCG]["max"] and run[NRG] < lowest[NRG],
        "re-ranking": reranked[NRG] < lowest[NRG],
        "re-ranking, all judged": reranked[NRG_ALL] < lowest[NRG_ALL],
        "most unique": inside[UNIQUE]["max"] > outside[UNIQUE]["max"],
        "no advantage by rareness": inside[RARENESS]["mean"] <= outside[RARENESS]["mean"],
        "no advantage by TaSC": inside[TASC]["mean"] <= outside[TASC]["mean"],
    }
    return DECLARED.judged(
        "Traditional runs",
        True,
        holds,
        runs=means.T,
        inside=inside,
        outside=outside,
        leaders=len(leaders),
        above=above,
        size=size,
        leading=means[NRG].nlargest(size).index.isin(baseline.index).sum(),
        tau=tau,
        tau_inside=tau_inside,
        best=", ".join(best),
    )
