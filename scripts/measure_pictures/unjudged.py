"""Pictures of BootNDCG, Boot and nDCGBound."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from irx_measures import bootstrap_ndcg, evaluate, simulate_campaign

from .canvas import ABOVE, BELOW, MUTED, PALE, legend_above, panels
from .examples import ranking

SYSTEM, QUERY = "reranker-a", "q01"

BASES = ("nDCG", "AP", "P", "RBP")


def _partly_judged() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """One query of a simulated campaign, and a run that did not take part in the pooling."""
    campaign = simulate_campaign(systems=12, queries=50, depth=200)
    return {QUERY: campaign.runs[SYSTEM][QUERY]}, {QUERY: campaign.qrels[QUERY]}


def boot_ndcg() -> Axes:
    """The samples of one query, and the scores that summarise them."""
    run, qrels = _partly_judged()
    samples = bootstrap_ndcg(qrels, run, 10)[QUERY]
    measures = {
        "nDCG": ("nDCG@10", BELOW),
        "mode": ("BootNDCG@10", ABOVE),
        "naive upper bound": ("nDCGBound(bound=upper)@10", MUTED),
    }
    scores = evaluate({"run": run}, qrels, [text for text, _ in measures.values()]).aggregates
    with panels(2.5) as (ax,):
        ax.hist(samples, bins=25, color=PALE)
        ax.axvspan(*np.quantile(samples, (0.05, 0.95)), color=PALE, alpha=0.25, linewidth=0)
        for (name, (_, colour)), (score,) in zip(measures.items(), scores, strict=True):
            ax.axvline(score, color=colour, linewidth=2, label=f"{name}: {score:.2f}")
        ax.set(xlabel="nDCG@10", ylabel="samples of 1000")
        ax.grid(visible=False, axis="x")
        legend_above(ax, 3)
    return ax


def boot() -> Axes:
    """The range, the mode and the score without unjudged documents, of four base measures."""
    run, qrels = _partly_judged()
    lowest = ["nDCG@10", "AP@10", "P@10", "RBPBound(phi=0.8)@10"]
    stats = [
        f"Boot(base={base}, stat={stat})@10" for stat in ("q05", "q95", "mode") for base in BASES
    ]
    scores = evaluate({"run": run}, qrels, [*lowest, *stats]).aggregates[:, 0]
    naive, low, high, mode = scores.reshape(4, len(BASES))
    rows = np.arange(len(BASES))
    with panels(2.2) as (ax,):
        ax.hlines(rows, low, high, color=PALE, linewidth=6, label="5% to 95% of the samples")
        ax.plot(mode, rows, linestyle="", marker="o", color=ABOVE, label="mode")
        ax.plot(
            naive, rows, linestyle="", marker="|", markersize=12, markeredgewidth=2, color=BELOW,
            label="unjudged = not relevant",
        )  # fmt: skip
        ax.set_yticks(rows, BASES)
        ax.set(xlim=(0, 1), ylim=(len(BASES) - 0.5, -0.5), xlabel="score@10")
        ax.grid(visible=False, axis="y")
        legend_above(ax, 3)
    return ax


def ndcg_bound() -> Axes:
    """The bounds of three kinds, and the score that full judgments give (Table 1 of the paper)."""
    cases = {"[1, ?], ? is 2": ("AX", 2), "[?, 1], ? is 2": ("XA", 2)}
    kinds = ("rbp", "naive", "guaranteed")
    with panels(2.0, 2) as axes:
        for ax, (name, (order, grade)) in zip(axes, cases.items(), strict=True):
            run = {"run": ranking(order)}
            measures = [
                f"nDCGBound(kind={kind}, bound={bound}, dcg=exp-log2, max_grade=3)@2"
                for kind in kinds
                for bound in ("lower", "upper")
            ]
            bounds = evaluate(run, {"q": {"A": 1}}, measures).aggregates.reshape(len(kinds), 2)
            (truth,) = evaluate(
                run, {"q": {"A": 1, "X": grade}}, ["nDCGBound(dcg=exp-log2)@2"]
            ).scores
            for row, (low, high) in enumerate(bounds):
                ax.hlines(row, low, high, color=PALE, linewidth=5)
            rows = range(len(kinds))
            for side, marker in enumerate("><"):
                ax.plot(
                    bounds[:, side], rows, linestyle="", marker=marker, color=ABOVE,
                    label=("lower bound", "upper bound")[side],
                )  # fmt: skip
            ax.axvline(truth.item(), color=BELOW, linewidth=2, label="nDCG if judged", zorder=1.5)
            ax.set_yticks(rows, kinds)
            ax.set(xlim=(0, 1.08), ylim=(len(kinds) - 0.5, -0.5), xlabel=f"{name}: nDCG@2")
            ax.grid(visible=False, axis="y")
        legend_above(axes[0], 3)
    return axes[0]
