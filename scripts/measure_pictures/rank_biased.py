"""Pictures of RBR, RBA, RBO and RBPBound."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from irx_measures import explain, rbo, simulate_campaign
from irx_measures.plots.style import INK, hide_frame

from .canvas import ABOVE, BELOW, MUTED, PALE, legend_above, names_below, panels, say
from .examples import (
    OBSERVED,
    OF_PARTLY_JUDGED,
    PARTLY_JUDGED,
    REARRANGED,
    REFERENCE,
    TEN,
    ranking,
)


def rbr() -> Axes:
    """The weights of the reference's ranks, and those that the observed set contains."""
    grades = {"q": {doc: len(REFERENCE) - place for place, doc in enumerate(REFERENCE)}}
    why = explain(ranking(OBSERVED), grades, "RBR(phi=0.6)", missing=True)
    rank, weight = (np.array(why.factors[name]) for name in ("reference_rank", "reference_weight"))
    contained = np.asarray(why.contribution) > 0
    with panels(2.5) as (ax,):
        for inside, colour, label in (
            (True, ABOVE, f"in the observed set: RBR = {why.score:.3f}"),
            (False, PALE, "not in the observed set"),
        ):
            shown = (contained == inside) & (rank > 0)
            ax.bar(rank[shown], weight[shown], color=colour, label=label)
        for place, height in zip(rank[contained], weight[contained], strict=True):
            say(ax, place, height, f"{height:.3f}")
        names_below(ax, REFERENCE)
        ax.set(ylabel="weight", xlabel="reference ranking")
        legend_above(ax, 2)
    return ax


def rba() -> Axes:
    """Two rearrangements of a reference that have the same overlap with it."""
    reference = {"q": {str(doc): len(TEN) - place for place, doc in enumerate(TEN)}}
    with panels(3.0, 2) as axes:
        for ax, (name, order) in zip(axes, REARRANGED.items(), strict=True):
            why = explain(ranking(order), reference, "RBA(phi=0.8)")
            overlap = rbo(order, TEN, 0.8, bound="lower")
            ranks = zip(why.rank, why.factors["reference_rank"], strict=True)
            for both, part in zip(ranks, np.asarray(why.contribution), strict=True):
                ax.plot((0, 1), both, marker="", color=ABOVE, linewidth=60 * part)
            for place, doc in enumerate(TEN, start=1):
                say(ax, -0.04, place, why.doc_ids[place - 1], ha="right", va="center")
                say(ax, 1.04, place, str(doc), ha="left", va="center")
            ax.set(xlim=(-0.2, 1.2), ylim=(10.6, 0.2), yticks=[])
            ax.set_xticks((0, 1), ("run", "reference"))
            ax.set_xlabel(f"{name}: RBA = {why.score:.3f}, RBO = {overlap:.3f}")
            hide_frame(ax)
    return axes[0]


def rbo_by_depth() -> Axes:
    """Agreement by depth, and the bounds by the depth to which both lists are known."""
    campaign = simulate_campaign(systems=6, queries=1, depth=30)
    (query,) = campaign.qrels
    x, y = (list(campaign.runs[name][query]) for name in ("lexical-a", "dense-a"))
    depths = range(1, len(x) + 1)
    agreement = [len({*x[:depth]} & {*y[:depth]}) / depth for depth in depths]
    bounds = {
        bound: [rbo(x[:depth], y[:depth], 0.9, bound=bound) for depth in depths]
        for bound in ("lower", "ext", "upper")
    }
    with panels(2.5, 2) as (left, right):
        left.step(depths, agreement, where="mid", color=ABOVE, marker="", label="overlap / depth")
        left.set(xlabel="depth", xlim=(1, len(x)), ylim=(0, 1))
        right.fill_between(
            depths, bounds["lower"], bounds["upper"], color=PALE, alpha=0.6, linewidth=0
        )
        for (bound, values), colour in zip(bounds.items(), (ABOVE, BELOW, MUTED), strict=True):
            right.plot(depths, values, color=colour, marker="", label=f"{bound}: {values[-1]:.3f}")
        right.set(xlabel="RBO if lists are known to this depth", xlim=(1, len(x)))
        left.legend()
        right.legend()
    return left


def rbp_bound() -> Axes:
    """The weight of each rank of a run, and what is known about it."""
    why = explain(PARTLY_JUDGED, OF_PARTLY_JUDGED, "RBPBound(phi=0.7, bound=upper)")
    weight = [*why.factors["weight"], why.terms["tail"]]
    states = [
        "unjudged" if grade is None else "relevant" if grade > 0 else "not relevant"
        for grade in why.grade
    ] + ["after the run"]
    colours = {"relevant": ABOVE, "not relevant": PALE, "unjudged": BELOW, "after the run": MUTED}
    ends = np.cumsum([0.0, *(weight[place] for place in _by_state(states, colours))])
    with panels(1.7) as (ax,):
        labelled: set[str] = set()
        for place, (start, end) in zip(_by_state(states, colours), pairwise(ends), strict=True):
            state = states[place]
            label = "" if state in labelled else state
            labelled.add(state)
            ax.barh(
                0, end - start, left=start, color=colours[state], label=label, edgecolor="white",
                linewidth=1,
            )  # fmt: skip
            name = [*why.doc_ids, "tail"][place]
            ink = INK if colours[state] == PALE else "white"
            say(ax, (start + end) / 2, 0, name, color=ink, va="center", fontsize=8)
        lower, upper = why.terms["lower"], why.score
        ax.set(yticks=[], xlim=(0, 1))
        legend_above(ax, 4)
        ax.set_xlabel(f"weight of the ranks; RBP lies from {lower:.3f} to {upper:.3f}")
        hide_frame(ax)
    return ax


def _by_state(states: list[str], order: dict[str, str]) -> list[int]:
    """Places of the ranks, those of the same state side by side."""
    kinds = list(order)
    return sorted(range(len(states)), key=lambda place: kinds.index(states[place]))
