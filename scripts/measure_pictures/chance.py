"""Pictures of nDCG_UE, AP_UE, UE, Expected and UpperBound."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from matplotlib.axes import Axes

from irx_measures import evaluate, explain, simulate_campaign
from irx_measures.common.numeric import FloatArray
from irx_measures.plots import score_histogram
from irx_measures.plots.canvas import figure_of

from .canvas import ABOVE, BELOW, MUTED, PALE, WIDTH, legend_above, panels, say
from .examples import EIGHT, OF_EIGHT, ranking

BASES = ("nDCG", "AP", "P", "RBP", "ERR", "RR")


def ndcg_ue() -> Axes:
    """The run between chance and the ideal order, on four queries."""
    measures = ["nDCG@8", "Expected(normalized=True)@8", "nDCG_UE@8"]
    matrix = evaluate({"run": EIGHT}, OF_EIGHT, measures)
    names = [f"{query} relevant" for query in matrix.query_ids]
    with panels(2.3) as (ax,):
        _chance_and_score(ax, names, *matrix.scores[:, 0], "nDCG_UE")
        ax.set_xlabel("nDCG@8 of one run on four queries")
    return ax


def ue() -> Axes:
    """The run between chance and the ideal order, on one query in six base measures."""
    query = "3 of 8"
    rows = [
        explain(EIGHT, OF_EIGHT, f"UE(base={base}, expectation=exact)@3", query_id=query)
        for base in BASES
    ]
    ideal = np.array([why.terms["IUB"] for why in rows])
    score, chance = (np.array([why.terms[name] for why in rows]) / ideal for name in ("A", "REB"))
    with panels(2.7) as (ax,):
        _chance_and_score(ax, BASES, score, chance, np.array([why.score for why in rows]), "UE")
        ax.set_xlabel("share of the ideal order's score @3, on a query with 3 of 8 relevant")
    return ax


def _chance_and_score(
    ax: Axes,
    names: tuple[str, ...] | list[str],
    score: FloatArray,
    chance: FloatArray,
    corrected: FloatArray,
    measure: str,
) -> None:
    """A row per name, from chance to the ideal order, with the corrected score at the right."""
    rows = np.arange(len(names))
    ax.hlines(rows, 0, chance, color=PALE, linewidth=5)
    ax.plot(
        chance, rows, linestyle="", marker="|", markersize=12, color=BELOW, markeredgewidth=2,
        label="mean of all orders",
    )  # fmt: skip
    ax.plot(score, rows, linestyle="", marker="o", color=ABOVE, clip_on=False, label="the run")
    for row, value in enumerate(corrected):
        say(ax, 1.04, row, f"{value:.2f}", ha="left", va="center", fontsize=8)
    say(ax, 1.04, -0.75, measure, ha="left", va="center")
    ax.set_yticks(rows, names)
    ax.set(xlim=(0, 1), ylim=(len(names) - 0.5, -0.5))
    ax.grid(visible=False, axis="y")
    legend_above(ax, 2)


def ap_ue() -> Axes:
    """AP of all orders of 10 documents, 3 of them relevant."""
    orders = list(combinations(range(10), 3))
    qrels = {"q": {str(doc): int(doc < 3) for doc in range(10)}}
    runs = {str(places): ranking(_order(places)) for places in orders}
    expected = [
        f"Expected(base=AP, normalized=True, expectation={by})@10"
        for by in ("independent", "exact")
    ]
    matrix = evaluate(runs, qrels, ["AP@10", *expected])
    ap, independent, exact = matrix.aggregates
    with panels(2.4) as (ax,):
        ax.hist(ap, bins=20, range=(0, 1), color=PALE)
        for value, colour, label in (
            (independent[0], BELOW, "REB of the paper (independent)"),
            (exact[0], ABOVE, "REB, exact: the mean"),
        ):
            ax.axvline(value, color=colour, label=f"{label}: {value:.2f}", linewidth=2)
        ax.set(xlabel="AP@10 of an order", ylabel="orders", xlim=(0, 1), yticks=range(0, 21, 5))
        ax.grid(visible=False, axis="x")
        legend_above(ax, 2)
    return ax


def _order(places: tuple[int, ...]) -> list[int]:
    """The documents 0 to 9 in an order that has 0, 1 and 2 at the places."""
    rest = iter(range(3, 10))
    return [places.index(rank) if rank in places else next(rest) for rank in range(10)]


def expected() -> Axes:
    """What a random order scores on each query of a simulated campaign."""
    campaign = simulate_campaign(systems=6, queries=200, depth=50)
    matrix = evaluate(campaign.runs, campaign.qrels, "Expected(normalized=True)@10")
    ax = score_histogram(matrix, "Expected(normalized=True)@10")
    figure_of(ax).set_size_inches(WIDTH, 2.6)
    return ax


def upper_bound() -> Axes:
    """DCG of the ideal order, of a random order and of a run, by cutoff."""
    campaign = simulate_campaign(systems=6, queries=1, depth=50)
    cutoffs = range(1, 21)
    why = [explain(campaign.runs["lexical-a"], campaign.qrels, f"UE@{k}") for k in cutoffs]
    with panels(2.5) as (ax,):
        for term, label, colour in (
            ("IUB", "UpperBound@k: the ideal order", MUTED),
            ("A", "DCG@k: the run", ABOVE),
            ("REB", "Expected@k: a random order", BELOW),
        ):
            values = [step.terms[term] for step in why]
            ax.plot(cutoffs, values, marker="", color=colour, label=label)
        ax.set(xlabel="k", ylabel="DCG@k", xlim=(1, 20), ylim=(0, None), xticks=range(2, 21, 2))
        ax.legend()
    return ax
