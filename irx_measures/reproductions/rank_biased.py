"""The experiments of the paper on RBR and RBA: sets and rankings against a reference ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from math import nan
from typing import Any, NamedTuple

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..common.warn import untold
from ..io.table import Table
from ..judgments.ranking import Ranking
from ..measures.declaring.base import Measure
from ..measures.rank_biased import RBA, RBO, RBR, RBPBound
from ..persistence import phi_for, rba_range
from ..results.frames import DataFrame, frame
from ..runsets.runset import RunSet
from ..scoring.evaluate import evaluate
from ..stats.correlation import coefficient_of
from ..typing import Axes, QrelsLike
from .material import DL19, TREC8, Material, material_of, paper_material
from .paper import Claim, Draw, Reproduction, chart, declared, in_rows, in_shape

DECLARED = declared("rank_biased")

Ranked = list[str] | tuple[str, ...] | Mapping[str, float]  # documents in order, or their scores

BY_NAME: dict[str, Measure] = {"RBR": RBR, "RBA": RBA, "RBO": RBO(bound="lower")}

# Table 1: the paper's reference, without and with ties, and the observed set.
REFERENCE = ("D07", "D04", "D11", "D12", "D10", "D15", "D06", "D22", "D19", "D28")
TIED_REFERENCE = dict(zip(REFERENCE, (5, 5, 5, 4, 3, 3, 2, 1, 1, 1), strict=True))
OBSERVED = ("D06", "D23", "D10", "D07", "D04")

# Table 2: the ranks, in the reference, of the documents of each set.
RECALL = "Recall@3"
HALF = "RBR, phi=0.794"
THIRD = "RBR, phi=0.669"
SETS = {
    "B1": ["1", "2", "3"],
    "B2": ["2", "3", "4"],
    "B3": ["3", "4", "5"],
    "B4": ["4", "5", "6"],
    "B5": ["2", "4", "5", "6"],
    "B6": ["1", "2", "5", "7", "10"],
}

# Table 3: its rows are permutations of the first, which is the reference.
ORDERS = {row: row.split() for row, _ in DECLARED.printed("Table 3")}
IDENTITY, *_ = ORDERS.values()
SWAPPED, REVERSED = [*ORDERS][-2:]
TABLE_3_PHIS = (0.6, 0.7, 0.8)  # of the columns of RBO, and of RBA

# Table 4: "25 random swaps [...] a total of 1000 times" of [1..25].
SIZE = 25
SWAPS = 25
REPEATS = 1000
SEED = 2024  # any number does: the same permutations in every call
PHIS = (0.7, 0.8, 0.9)  # of its columns
TAU_RBO = "tau_b(tau, RBO)"
TAU_RBA = "tau_b(tau, RBA)"
RBO_RBA = "tau_b(RBO, RBA)"

# Figure 3.
PHI = 0.8
WANTED = 10  # the top of the reference
SEEN = 20  # the size of a set
RECALLS = (0.8, 0.9)  # in the panes

FIGURE_5_PHI = 0.7  # its caption

# Figure 6, chosen here: the text does not name its three lengths, and its axis is continuous.
LENGTHS = (10, 30, 100)
SHOWN_PHIS = (0.5, 0.7, 0.9, 0.99)


def reproduce(given: Material | None = None, progress: bool | None = None) -> Reproduction:
    """The tables, figures and claims of the paper; the data is that of Figure 3."""
    used = [material_of(DL19, given)]
    trec8 = None if given else paper_material(TREC8)
    if trec8 is not None:
        used.append(trec8)
    observed = [observe(material, progress) for material in used]
    found = [one for one in observed if one is not None]
    permutations = score_permutations(permute())
    correlations = table_4(permutations)
    panes = {
        f"Figure 3, {one.material.label}, recall {recall}": partial(_draw_pane, one, recall)
        for one in found
        for recall in RECALLS
        if not one.chosen(recall).empty
    }
    return Reproduction.of(
        DECLARED,
        (material.description for material in used),
        (
            table_1(),
            table_2(),
            choices_of_phi(),
            *(figure_3(one, named=len(used) > 1) for one in found),
            table_3(),
            figure_5(),
            figure_6(),
            correlations,
        ),
        {**panes, **_figures(), **_figure_7(permutations)},
        (
            *_claims_of_definitions(),
            *_first_stage_claims(observed[0]),
            *_permutation_claims(permutations, correlations),
        ),
    )


def compare(
    name: str, observed: Ranked, reference: Ranked, phi: float, bound: str = "lower"
) -> float:
    """A rank-biased measure of one set or ranking, given the reference."""
    measure = BY_NAME[name](phi=phi, reference=[{"q": reference}], bound=bound)
    with untold("no document is in the reference"):  # the set may be one document
        return _score(observed, {}, measure)


def _score(ranked: Ranked, qrels: QrelsLike, measure: Measure) -> float:
    runs: Any = {"ranked": {"q": ranked}}
    return float(evaluate(qrels, runs, measure).aggregates[0, 0])


def table_1() -> DataFrame:
    """RBR of a set, its residual, and its score where the reference has ties."""
    contributions = {
        (row, doc): compare("RBR", [doc], reference, 0.6)
        for row, reference in (("R", REFERENCE), ("R with ties", TIED_REFERENCE))
        for doc in OBSERVED
    }
    whole = {
        ("R", "RBR"): compare("RBR", OBSERVED, REFERENCE, 0.6),
        ("R", "residual"): compare("RBR", OBSERVED, REFERENCE, 0.6, "residual"),
        ("R", "RBR + residual"): compare("RBR", OBSERVED, REFERENCE, 0.6, "upper"),
        ("R with ties", "RBR"): compare("RBR", OBSERVED, TIED_REFERENCE, 0.6),
    }
    return DECLARED.table("Table 1", contributions | whole)


def table_2() -> DataFrame:
    """Recall and RBR of six sets, at two values of phi."""
    rows = {
        name: (
            len({"1", "2", "3"} & {*docs}) / 3,
            *(compare("RBR", docs, IDENTITY, phi_for(3, share)) for share in (0.5, 0.3)),
        )
        for name, docs in SETS.items()
    }
    return DECLARED.table("Table 2", in_rows((RECALL, HALF, THIRD), rows))


def choices_of_phi() -> DataFrame:
    """The values of phi for a discount that section 3 gives."""
    choices = ((3, 0.5), (3, 0.3), (10, 0.1), (100, 0.05))
    here = {(f"k={k}, f={f}", "phi"): phi_for(k, f) for k, f in choices}
    return DECLARED.table("Section 3, phi", here)


def table_3() -> DataFrame:
    """Kendall's tau, RBO and RBA of five permutations."""
    here = {}
    for row, docs in ORDERS.items():
        tau = coefficient_of("tau", np.array([docs], float), np.array([IDENTITY], float), nan)
        here[row, "tau"] = float(tau[0])
        for name in ("RBO", "RBA"):
            for phi in TABLE_3_PHIS:
                here[row, f"{name}, phi={phi}"] = compare(name, docs, IDENTITY, phi)
    return DECLARED.table("Table 3", here)


def figure_5() -> DataFrame:
    """RBA of two rankings that only a picture shows, its residual and its tail.

    The rankings are the first pair that fits the text. The text gives the mean rank of each of the
    four documents that one ranking lacks, if it is placed best, and the length of the union. So it
    is known at which ranks these documents stand; the order of the other seven is chosen so that
    RBA has the printed base score.
    """
    rankings = DECLARED.said["Figure 5"]
    first, second = rankings.values()
    observed, reference = first.split(), second.split()
    base = compare("RBA", observed, reference, FIGURE_5_PHI, "lower")
    rest = compare("RBA", observed, reference, FIGURE_5_PHI, "residual")
    tail = FIGURE_5_PHI ** len({*observed, *reference})
    columns = ("base score", "residual of unmatched documents", "tail residual")
    here = in_rows(columns, {"RBA": (base, rest - tail, tail)})
    return DECLARED.table("Figure 5", here, **rankings)


def figure_6() -> DataFrame:
    """The range of RBA over permutations of three lengths."""
    rows = {
        f"k={length}, {name}": [rba_range(length, phi)[place] for phi in SHOWN_PHIS]
        for length in LENGTHS
        for place, name in enumerate(("reversed", "aligned"))
    }
    return DECLARED.table("Figure 6", in_rows([f"phi={phi}" for phi in SHOWN_PHIS], rows))


def _figures() -> dict[str, Draw]:
    """Both panes of Figure 4, and Figure 6."""
    panes = {"Figure 4 (a)": SWAPPED, "Figure 4 (b)": REVERSED}
    drawn: dict[str, Draw] = {}
    for label, row in panes.items():
        points = [(np.array(ORDERS[row], int), np.array(IDENTITY, int), "o", "")]
        drawn[label] = partial(chart, "rank in the reference", "rank in the observation", points)
    grid, curves = np.linspace(0.05, 0.99, 95), []
    for number, length in enumerate(LENGTHS):
        for place, (line, name) in enumerate((("-", "reversed"), ("--", "aligned"))):
            ranges = [rba_range(length, phi)[place] for phi in grid]
            curves.append((grid, ranges, f"C{number}{line}", f"k = {length}, {name}"))
    return {**drawn, "Figure 6": partial(chart, "phi", "RBA", curves)}


def _claims_of_definitions() -> list[Claim]:
    """Claims about RBR and RBA that follow from the definitions, checked on the examples."""
    sets, halves = in_shape(table_2()), in_shape(table_3()).loc[[SWAPPED, REVERSED]]
    # Equation 7, with the set as qrels and the reference as the run.
    rbr = compare("RBR", OBSERVED, REFERENCE, 0.6)
    relevant = {"q": dict.fromkeys(OBSERVED, 1)}
    rbp = _score(REFERENCE, relevant, RBPBound(phi=0.6))
    one = compare("RBA", OBSERVED, REFERENCE, 0.6)
    other = compare("RBA", REFERENCE, OBSERVED, 0.6)
    recall = sets[RECALL]
    half, third = sets[HALF], sets[THIRD]
    lead = halves.loc[SWAPPED] - halves.loc[REVERSED]
    holds = {
        "dual": abs(rbr - rbp) < 1e-12,
        "symmetric": abs(one - other) < 1e-12,
        "nuanced": all(
            abs(recall[small] - recall[large]) < 1e-12 and abs(half[small] - half[large]) > 0.05
            for small, large in (("B3", "B5"), ("B2", "B6"))
        ),
        "steeper": half["B6"] > half["B1"] and third["B6"] < third["B1"],
        "RBO of halves": (np.abs(lead.filter(like="RBO").to_numpy()) < 1e-12).all(),
        "RBA of halves": (lead.filter(like="RBA").to_numpy() > 0).all(),
    }
    return DECLARED.judged(
        "Definitions",
        True,
        holds,
        rbr=rbr,
        rbp=rbp,
        one=one,
        other=other,
        sets=sets,
        swapped=halves.loc[SWAPPED],
        back=halves.loc[REVERSED],
    )


class Observations(NamedTuple):
    """Sets of a first stage (Figure 3)."""

    material: Material
    second_stage: str  # the run that is the reference: the best by nDCG@10
    # A row per run and query of the reference: recall of the reference's top 10; RBR given the
    # top 10 (base), with its upper bound (upper); RBR given the whole reference (full).
    sets: DataFrame

    def chosen(self, recall: float) -> DataFrame:
        """The sets with this recall."""
        return self.sets[np.isclose(self.sets["recall"], recall, atol=1e-9)]


def _spread(sets: DataFrame) -> float:
    """The largest range of full scores among sets with the same base score."""
    of_base = sets["full"].groupby(sets["base"].round(9))
    return float((of_base.max() - of_base.min()).max())


def observe(material: Material, progress: bool | None = None) -> Observations | None:
    """Compare the top 20 of runs, as sets, with the ranking of the best run.

    None if there is only one run, or no query for which the best run returned 10 documents.
    """
    runs = material.runs
    if len(runs) < 2:
        return None
    ndcg = evaluate(material.qrels, runs, ["nDCG@10"], progress=progress).aggregates[0]
    best = int(np.argmax(ndcg))
    top = _top(runs, best)
    if not len(top.value):
        return None
    others = runs.subset(place for place in range(len(runs)) if place != best)
    measures = {
        "recall": f"R@{SEEN}",
        "base": RBR(phi=PHI) @ SEEN,
        "upper": RBR(phi=PHI, bound="upper") @ SEEN,
        "full": RBR(phi=PHI, reference=runs.subset([best])) @ SEEN,
    }
    with untold("judged document"):  # some runs have none of the top 10 of one run
        matrix = evaluate(top, others, list(measures.values()), progress=progress)
    scores = {name: matrix[measure].ravel() for name, measure in measures.items()}
    return Observations(material, runs.names[best], frame(scores))


def _top(runs: RunSet, place: int) -> Table:
    """The top 10 of a run as qrels, graded by rank; queries with fewer documents are left out."""
    run = runs.run(place)
    ranking = Ranking.of(run, run.query.names)
    top = ranking.top(WANTED)
    top = top[ranking.returned[ranking.query[top]] >= WANTED]
    kept = run.at(ranking.row[top])
    return replace(kept, value=WANTED + 1 - ranking.rank[top], label="qrels")


def figure_3(found: Observations, named: bool = False) -> DataFrame:
    """The ranges of RBR over sets with the same recall; `named`: of one of several collections."""
    here = {}
    for recall in RECALLS:
        chosen = found.chosen(recall)
        if chosen.empty:
            continue
        base, full = chosen["base"], chosen["full"]
        ranges = {
            "sets": len(chosen),
            "different base scores": base.round(9).nunique(),
            "lowest base score": base.min(),
            "highest base score": base.max(),
            "lowest full score": full.min(),
            "highest full score": full.max(),
            "largest range of full scores at one base score": _spread(chosen),
            "residual": _residual(recall),
            "best attainable": best_attainable(recall),
        }
        here.update({(f"recall {recall}", column): value for column, value in ranges.items()})
    name = f"Figure 3, {found.material.label}" if named else ""
    best = found.second_stage
    return DECLARED.table("Figure 3", here, found.material, name=name, second_stage=best)


def best_attainable(recall: float) -> float:
    """The highest RBR of an observed set with this recall."""
    return _weight(1, round(WANTED * recall)) + _residual(recall)


def _residual(recall: float) -> float:
    """Equation 9 for the documents of a set that the reference's top 10 lacks."""
    return _weight(WANTED + 1, WANTED + SEEN - round(WANTED * recall))


def _weight(first: int, last: int) -> float:
    """The weight of a range of ranks."""
    return float(PHI ** (first - 1) - PHI**last)


def _first_stage_claims(found: Observations | None) -> list[Claim]:
    """The claims about Figure 3, over the sets with recall .8.

    They have no verdict: the paper's first stages and its second stage are not to be had.
    """
    chosen = None if found is None else found.chosen(RECALLS[0])
    if chosen is None or chosen.empty:
        reason = f"no set of {SEEN} documents holds 8 of the second stage's top {WANTED}"
        return DECLARED.unknown("Figure 3", reason)
    base = chosen["base"].to_numpy()
    full = chosen["full"].to_numpy()
    upper = chosen["upper"].to_numpy()
    without_first = full[np.isclose(base, _weight(3, WANTED))]
    without_last = full[np.isclose(base, _weight(1, WANTED - 2))]
    told = DECLARED.judged(
        "Figure 3",
        False,
        sets=f"{len(chosen)} sets with recall {RECALLS[0]}",
        low=base.min(),
        high=base.max(),
        inside=((base <= full + 1e-12) & (full <= upper + 1e-12)).sum(),
        spread=_spread(chosen),
        highest=without_first.max(initial=-np.inf),
        without_first=len(without_first),
        lowest=without_last.min(initial=np.inf),
        without_last=len(without_last),
    )
    if not len(without_first) or not len(without_last):
        reason = "no set lacks exactly the first two, or exactly the last two documents"
        told[-1] = DECLARED.unknown("Figure 3", reason)[-1]
    return told


def _draw_pane(found: Observations, recall: float, width: float | None = None) -> Axes:
    ordered = found.chosen(recall).sort_values(["base", "full"])
    curves = {"base + residual": "upper", "full score": "full", "base score": "base"}
    ax = chart(
        f"sets of {SEEN} documents, by base score",
        f"RBR, phi = {PHI}",
        [(range(len(ordered)), ordered[column], "", name) for name, column in curves.items()],
        width=width,
    )
    ax.axhline(best_attainable(recall), linestyle="--", label="best attainable")
    ax.legend(fontsize="small")
    return ax


def permute(repeats: int = REPEATS, seed: int = SEED) -> Int64Array:
    """Swap two random elements of the identity, again and again: (permutations, SIZE) ints.

    `repeats` times, the identity is swapped `SWAPS` times. Each swap gives a permutation.
    """
    rng = np.random.default_rng(seed)
    orders = np.empty((repeats * SWAPS, SIZE), np.int64)
    current = np.tile(np.arange(SIZE), (repeats, 1))
    rows = np.arange(repeats)
    for swap in range(SWAPS):
        first = rng.integers(0, SIZE, repeats)
        second = (first + rng.integers(1, SIZE, repeats)) % SIZE
        current[rows, first], current[rows, second] = current[rows, second], current[rows, first]
        orders[swap::SWAPS] = current
    return orders


def score_permutations(orders: Int64Array) -> dict[str, FloatArray]:
    """Kendall's tau, and RBO and RBA at each phi, of permutations and the identity.

    By ``tau``, ``RBO, phi=0.7`` and so on: (permutations,). The permutations are the queries of one
    run, so one call scores them all.
    """
    identity = np.broadcast_to(np.arange(SIZE), orders.shape)
    reference = RunSet({"identity": _run(identity)})
    measures = {
        f"{measure.NAME}, phi={phi}": measure(phi=phi, reference=reference)
        for phi in PHIS
        for measure in (RBO(bound="lower"), RBA)
    }
    matrix = evaluate({}, {"permuted": _run(orders)}, list(measures.values()))
    tau = coefficient_of("tau", orders.astype(float), identity.astype(float), nan)
    return {"tau": tau, **{name: matrix[of][0] for name, of in measures.items()}}


def _run(orders: Int64Array) -> dict[str, list[str]]:
    """A run whose queries are these permutations, in their order."""
    return {
        f"p{number:06}": [f"e{element}" for element in order]
        for number, order in enumerate(orders.tolist())
    }


def table_4(scores: Mapping[str, FloatArray]) -> DataFrame:
    """Kendall's tau_b between the scores of permutations by tau, RBO and RBA."""
    from scipy.stats import kendalltau

    here = {}
    for phi in PHIS:
        tau, rbo, rba = _at(scores, phi)
        here[TAU_RBO, f"phi={phi}"] = kendalltau(tau, rbo).statistic
        here[TAU_RBA, f"phi={phi}"] = kendalltau(tau, rba).statistic
        here[RBO_RBA, f"phi={phi}"] = kendalltau(rbo, rba).statistic
    return DECLARED.table("Table 4", here, permutations=len(scores["tau"]), size=SIZE)


def _at(scores: Mapping[str, FloatArray], phi: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Tau, RBO and RBA of permutations at one phi."""
    return scores["tau"], scores[f"RBO, phi={phi}"], scores[f"RBA, phi={phi}"]


def _permutation_claims(scores: Mapping[str, FloatArray], table: DataFrame) -> list[Claim]:
    """The claims about Table 4 and Figure 7."""
    tau_rbo, tau_rba, rbo_rba = in_shape(table).loc[[TAU_RBO, TAU_RBA, RBO_RBA]].to_numpy()
    closer = np.diff([tau_rbo, tau_rba]) >= 0
    # The cumulative distribution of RBO has larger steps than those of RBA and tau.
    tau, rbo, rba = _at(scores, PHIS[0])
    rough = {"tau": _roughness((tau + 1) / 2), "RBO": _roughness(rbo), "RBA": _roughness(rba)}
    # The emptiest of the inner 18 twentieths of [0, 1] touches 0.5.
    counts = np.histogram(rbo, 20, (0.0, 1.0))[0][1:-1]
    least = int(counts.argmin()) + 1
    holds = {
        "correlated": (np.concatenate([tau_rbo, tau_rba, rbo_rba]) > 0).all(),
        "between": ((tau_rba > tau_rbo) & (rbo_rba > tau_rbo)).all(),
        "closer to tau": closer.all(),
        "less smooth": rough["RBO"] > max(rough["tau"], rough["RBA"]),
        "rare": least in (9, 10),
    }
    shown = (
        f"tau_b with RBO {_listed(tau_rbo)}, with RBA {_listed(tau_rba)}; "
        f"of RBO and RBA {_listed(rbo_rba)}"
    )
    return DECLARED.judged(
        "Table 4 and Figure 7",
        True,
        holds,
        shown=shown,
        rough=rough,
        low=least / 20,
        high=(least + 1) / 20,
        fewest=counts.min(),
        average=counts.mean(),
    )


def _listed(taus: FloatArray) -> str:
    return ", ".join(f"{tau:.3f}" for tau in taus)


def _roughness(values: FloatArray, bins: int = 25) -> float:
    share = np.histogram(values, bins)[0] / len(values)
    return float(np.abs(np.diff(share, 2)).mean() / share.mean())


def _figure_7(scores: Mapping[str, FloatArray]) -> dict[str, Draw]:
    """Both panes: RBA against RBO, and the cumulative distributions of tau, RBO and RBA."""
    phi, (tau, rbo, rba) = PHIS[0], _at(scores, PHIS[0])
    points = [(rbo, rba, ".", "")]
    top = partial(chart, f"RBO, phi = {phi}", f"RBA, phi = {phi}", points, markersize=1)
    share, parts = np.linspace(0, 1, len(rbo)), {"tau": tau, "RBO": rbo, "RBA": rba}
    curves = [(np.sort(values), share, "", name) for name, values in parts.items()]
    return {
        "Figure 7, top": top,
        "Figure 7, bottom": partial(chart, "score", "share of permutations", curves),
    }
