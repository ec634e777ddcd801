"""The pictures of the papers' pages, one for each paper: functions that return Axes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from matplotlib.axes import Axes

from irx_measures import bootstrap_ndcg, evaluate, explain, rbo, simulate_campaign
from irx_measures.plots.style import ABOVE, BELOW, LINES, MUTED, P_RAMP, package_style, part_of

WIDTH = 5.4  # inches: text stays readable where a phone scales the picture down

PALE = P_RAMP[0]


def nrg() -> Axes:
    """Table 1 of the paper: what is left of each document of R1 after R2, and after R3."""
    first, *priors = (_ranking(docs) for docs in ("ABCDEFGHIJ", "EDCBAFGHIJ", "JIHGFEDCBA"))
    qrels = {"q": dict.fromkeys("AEFJ", 4)}
    with _panels(2.5, 2) as axes:
        for ax, name, prior in zip(axes, ("R2", "R3"), priors, strict=True):
            why = explain(qrels, "R1", "NRG(prior=others)@10", {"R1": first, name: prior})
            gain, left, weight = (
                np.array(why.factors[factor]) for factor in ("gain", "residual_gain", "weight")
            )
            ranks = np.arange(1, len(gain) + 1)
            ax.bar(ranks, gain * weight, color=PALE, label="gain, discounted by rank")
            ax.bar(ranks, left * weight, color=ABOVE, label="of it, residual gain")
            _names_below(ax, why.doc_ids)
            ax.set_xlabel(f"R1, given {name}: NRG@10 = {why.score:.3f}")
    _legend_above(axes[0], 2)
    return axes[0]


def ap_rareness() -> Axes:
    """Precision at each rank of a system of the page's example, with and without the reward."""
    tops = {"bm25": "ABHXD", "dense": "ABCEY", "sparse": "ABDEZ", "rerank": "ACFGW"}
    qrels = {"q": {**dict.fromkeys("ABCDEFGH", 1), **dict.fromkeys("WXYZ", 0)}}
    cutoffs = range(1, 6)
    plain = [f"P@{k}" for k in cutoffs]
    rewarded = [f"P_Rareness(systems=others, depth=5)@{k}" for k in cutoffs]
    summary = ["AP@5", "AP_Rareness(systems=others)@5"]
    runs = {name: _ranking(docs) for name, docs in tops.items()}
    matrix = evaluate(qrels, runs, [*plain, *rewarded, *summary])
    scores = matrix.aggregates[:, matrix.systems.index("rerank")]
    docs = tops["rerank"]
    hits = [k for k in cutoffs if qrels["q"][docs[k - 1]] > 0]
    with _panels(2.5) as (ax,):
        for values, score, colour, line, label in (
            (scores[5:10], scores[11], BELOW, LINES[1], "P_Rareness@i: AP_Rareness@5"),
            (scores[:5], scores[10], ABOVE, LINES[0], "P@i: AP@5"),
        ):
            said = f"{label} = {score:.3f}"
            ax.plot(cutoffs, values, color=colour, linestyle=line, marker="", label=said)
            ax.plot(hits, values[np.array(hits) - 1], color=colour, linestyle="", marker="o")
        _names_below(ax, [f"{rank}: {doc}" for rank, doc in zip(cutoffs, docs, strict=True)])
        ax.set(ylim=(0, 2), xlabel="ranks of rerank; dots: relevant documents")
        _legend_above(ax, 2)
    return ax


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
    with _panels(2.5, 2) as (left, right):
        left.step(depths, agreement, where="mid", color=ABOVE, marker="", label="overlap / depth")
        left.set(xlabel="depth", xlim=(1, len(x)), ylim=(0, 1))
        right.fill_between(
            depths, bounds["lower"], bounds["upper"], color=PALE, alpha=0.6, linewidth=0
        )
        looks = zip((ABOVE, BELOW, MUTED), LINES[:3], strict=True)
        for (bound, values), (colour, line) in zip(bounds.items(), looks, strict=True):
            label = f"{bound}: {values[-1]:.3f}"
            right.plot(depths, values, color=colour, linestyle=line, marker="", label=label)
        right.set(xlabel="RBO if lists are known to this depth", xlim=(1, len(x)))
        left.legend()
        right.legend()
    return left


def ndcg_ue() -> Axes:
    """A run between chance and the ideal order, on the four queries of the page's example."""
    relevant = {"1 of 8": "B", "3 of 8": "ACF", "5 of 8": "ABDFG", "7 of 8": "ABCDFGH"}
    qrels = {
        query: {doc: int(doc in docs) for doc in "ABCDEFGH"} for query, docs in relevant.items()
    }
    run = {query: _ranking("ABCDEFGH")["q"] for query in qrels}
    measures = ["nDCG@8", "Expected(normalized=True)@8", "nDCG_UE@8"]
    matrix = evaluate(qrels, {"run": run}, measures)
    score, chance, corrected = matrix.scores[:, 0]
    rows = np.arange(len(qrels))
    with _panels(2.3) as (ax,):
        ax.hlines(rows, 0, chance, color=PALE, linewidth=5)
        ax.plot(
            chance, rows, linestyle="", marker="|", markersize=12, color=BELOW, markeredgewidth=2,
            label="mean of all orders",
        )  # fmt: skip
        ax.plot(score, rows, linestyle="", marker="o", color=ABOVE, clip_on=False, label="the run")
        for row, value in [(-0.75, "nDCG_UE"), *enumerate(f"{value:.2f}" for value in corrected)]:
            ax.text(1.04, row, value, va="center", fontsize=8, color=MUTED)
        ax.set_yticks(rows, [f"{query} relevant" for query in matrix.query_ids])
        ax.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
        ax.set_xlabel("nDCG@8 of one run on four queries")
        ax.grid(visible=False, axis="y")
        _legend_above(ax, 2)
    return ax


def boot_ndcg() -> Axes:
    """The samples of a run that was not pooled, on one query, and scores that summarise them."""
    campaign = simulate_campaign(systems=12, queries=50, depth=200)
    run, qrels = {"q01": campaign.runs["reranker-a"]["q01"]}, {"q01": campaign.qrels["q01"]}
    samples = bootstrap_ndcg(qrels, run, 10)["q01"]
    measures = {
        "nDCG": ("nDCG@10", BELOW),
        "mode": ("BootNDCG@10", ABOVE),
        "naive upper bound": ("nDCGBound(bound=upper)@10", MUTED),
    }
    scores = evaluate(qrels, {"run": run}, [text for text, _ in measures.values()]).aggregates
    with _panels(2.5) as (ax,):
        ax.hist(samples, bins=25, color=PALE)
        ax.axvspan(*np.quantile(samples, (0.05, 0.95)), color=PALE, alpha=0.25, linewidth=0)
        for (name, (_, colour)), (score,) in zip(measures.items(), scores, strict=True):
            ax.axvline(score, color=colour, linewidth=2, label=f"{name}: {score:.2f}")
        ax.set(xlabel="nDCG@10", ylabel="samples of 1000")
        ax.grid(visible=False, axis="x")
        _legend_above(ax, 3)
    return ax


def _ranking(docs: Iterable[str]) -> dict[str, dict[str, float]]:
    """A run that returns documents in this order for the query q."""
    return {"q": {doc: -float(rank) for rank, doc in enumerate(docs)}}


@contextmanager
def _panels(height: float, count: int = 1) -> Iterator[list[Axes]]:
    """Axes side by side in the package's style; `height` is in inches."""
    with package_style() as new_figure:
        figure = new_figure(figsize=(WIDTH, height), layout="constrained")
        yield list(figure.subplots(1, count, sharey=True, squeeze=False).flat)
        figure.draw_without_rendering()  # makes the ticks in this style


def _legend_above(ax: Axes, columns: int) -> None:
    """A legend in one row above all axes of the figure."""
    handles, labels = ax.get_legend_handles_labels()
    part_of(ax).legend(
        handles, labels, loc="outside upper left", ncols=columns, frameon=False, fontsize=7.5
    )


def _names_below(ax: Axes, names: Sequence[str]) -> None:
    """Names at 1, 2, ... of the x axis, and no lines upwards from them."""
    ax.set_xticks(range(1, len(names) + 1), list(names))
    ax.grid(visible=False, axis="x")


PICTURES: dict[str, Callable[[], Axes]] = {
    "NRG": nrg,
    "AP_Rareness": ap_rareness,
    "RBO": rbo_by_depth,
    "nDCG_UE": ndcg_ue,
    "BootNDCG": boot_ndcg,
}
