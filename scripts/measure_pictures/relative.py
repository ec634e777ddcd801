"""Pictures of NRG, UniqueRel and TaSC."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from irx_measures import evaluate, explain, simulate_campaign
from irx_measures.plots.style import hide_frame

from .canvas import ABOVE, BELOW, MUTED, PALE, legend_above, names_below, panels, say
from .examples import OF_SYSTEMS, OF_TABLE_1, R1, R2, R3, RELEVANT, SYSTEMS


def nrg() -> Axes:
    """What is left of each document of R1 after R2, and after R3."""
    with panels(2.5, 2) as axes:
        for ax, name, prior in zip(axes, ("R2", "R3"), (R2, R3), strict=True):
            why = explain("R1", OF_TABLE_1, "NRG(prior=others)@10", {"R1": R1, name: prior})
            gain, left, weight = (
                np.array(why.factors[factor]) for factor in ("gain", "residual_gain", "weight")
            )
            ranks = np.arange(1, len(gain) + 1)
            ax.bar(ranks, gain * weight, color=PALE, label="gain, discounted by rank")
            ax.bar(ranks, left * weight, color=ABOVE, label="of it, residual gain")
            names_below(ax, why.doc_ids)
            ax.set_xlabel(f"R1, given {name}: NRG@10 = {why.score:.3f}")
    legend_above(axes[0], 2)
    return axes[0]


def unique_rel() -> Axes:
    """Which relevant documents each system has in its top 5."""
    matrix = evaluate(SYSTEMS, OF_SYSTEMS, "UniqueRel(prior=others)@5")
    found = np.array([[doc in run["q"] for doc in RELEVANT] for run in SYSTEMS.values()])
    with panels(2.1) as (ax,):
        for system, document in np.argwhere(found).tolist():
            alone = found[:, document].sum() == 1
            ax.scatter(document, system, s=90, marker="s", color=BELOW if alone else PALE)
        for system, score in enumerate(matrix.aggregates[0].tolist()):
            say(ax, len(RELEVANT), system, f"{score:.0f}", va="center", fontsize=9)
        say(ax, len(RELEVANT), -0.9, "UniqueRel@5", va="center")
        ax.set_xticks(range(len(RELEVANT)), list(RELEVANT))
        ax.set_yticks(range(len(SYSTEMS)), list(SYSTEMS))
        ax.set(xlim=(-0.6, len(RELEVANT) + 0.9), ylim=(len(SYSTEMS) - 0.4, -0.6))
        ax.set_xlabel("relevant documents")
        hide_frame(ax)
    return ax


def tasc() -> Axes:
    """Base score, prior's score and TaSC of ten queries."""
    campaign = simulate_campaign(systems=6, queries=10, depth=50)
    systems = {name: campaign.runs[name] for name in ("lexical-a", "dense-a")}
    matrix = evaluate(systems, campaign.qrels, ["nDCG@10", "TaSC(prior=others)@10"])
    (prior, base), (_, discounted) = matrix.scores
    order = np.argsort(prior)
    places = np.arange(1, len(order) + 1)
    with panels(2.5) as (ax,):
        ax.bar(places, base[order], color=PALE, label="nDCG@10 of the run")
        ax.bar(places, discounted[order], color=ABOVE, width=0.5, label="TaSC@10 of the run")
        ax.plot(
            places, prior[order], linestyle="", marker="_", markersize=14, color=BELOW,
            markeredgewidth=2, label="nDCG@10 of the prior",
        )  # fmt: skip
        names_below(ax, [matrix.query_ids[query] for query in order.tolist()])
        ax.set_xlabel("queries, by the prior's score", color=MUTED)
        legend_above(ax, 3)
    return ax
