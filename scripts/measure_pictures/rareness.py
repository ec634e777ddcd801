"""Pictures of P_Rareness and AP_Rareness."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from irx_measures import evaluate, explain

from .canvas import ABOVE, BELOW, PALE, legend_above, names_below, panels, say
from .examples import OF_SYSTEMS, SYSTEMS


def p_rareness() -> Axes:
    """What each document of two systems is worth."""
    with panels(2.5, 2) as axes:
        for ax, system in zip(axes, ("dense", "rerank"), strict=True):
            measure = "P_Rareness(systems=others)@5"
            why = explain(system, OF_SYSTEMS, measure, SYSTEMS)
            assert why.contribution is not None
            worth = why.contribution * why.top
            relevant = np.array(why.grade) > 0
            ranks = np.arange(1, why.top + 1)
            ax.bar(ranks, relevant, color=PALE, label="relevance")
            ax.bar(
                ranks, worth - relevant, bottom=relevant, color=BELOW, label="reward for rareness"
            )
            for rank, height, finders in zip(ranks, worth, why.factors["finders"], strict=True):
                if height:
                    say(ax, rank, height, f"{finders} of 4")
            names_below(ax, why.doc_ids)
            ax.set_xlabel(f"{system}: P_Rareness@5 = {why.score:.2f}")
        axes[0].set_ylim(0, 2)
    legend_above(axes[0], 2)
    return axes[0]


def ap_rareness() -> Axes:
    """Precision at each rank of a system, with and without the reward."""
    cutoffs = range(1, 6)
    plain = [f"P@{k}" for k in cutoffs]
    rewarded = [f"P_Rareness(systems=others, depth=5)@{k}" for k in cutoffs]
    summary = ["AP@5", "AP_Rareness(systems=others)@5"]
    matrix = evaluate(SYSTEMS, OF_SYSTEMS, [*plain, *rewarded, *summary])
    scores = matrix.aggregates[:, matrix.systems.index("rerank")]
    docs = list(SYSTEMS["rerank"]["q"])
    hits = [k for k in cutoffs if OF_SYSTEMS["q"][docs[k - 1]] > 0]
    with panels(2.5) as (ax,):
        for values, score, colour, label in (
            (scores[5:10], scores[11], BELOW, "P_Rareness@i: AP_Rareness@5"),
            (scores[:5], scores[10], ABOVE, "P@i: AP@5"),
        ):
            ax.plot(cutoffs, values, color=colour, marker="", label=f"{label} = {score:.3f}")
            ax.plot(hits, values[np.array(hits) - 1], color=colour, linestyle="", marker="o")
        names_below(ax, [f"{rank}: {doc}" for rank, doc in zip(cutoffs, docs, strict=True)])
        ax.set(ylim=(0, 2), xlabel="ranks of rerank; dots: relevant documents")
        legend_above(ax, 2)
    return ax
