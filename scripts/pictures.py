#!/usr/bin/env python3
"""Rewrite the pictures of the README and of the documentation's pages.

Run ``python -m scripts.pictures`` in the root of the repository after a change to a plot. Those
of tasks show the campaign that ``irx simulate`` writes.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from matplotlib.axes import Axes

from irx_measures import (
    JudgingPlan,
    compare,
    evaluate,
    plots,
    register_runs,
    simulate_campaign,
)
from irx_measures.meta import pareto_front, residual_gain_matrix, unjudged_by_rank

from .measure_pictures import PICTURES

ROOT = Path(__file__).resolve().parent.parent

FOLDER = Path("irx_measures/pt_docs/pictures")


def main(root: Path = ROOT) -> None:
    """Write the pictures into their folder under `root`, and print their paths."""
    argparse.ArgumentParser(prog="python -m scripts.pictures", description=__doc__).parse_args()
    draw(root)


def draw(root: Path) -> None:
    """Write the pictures into their folder under `root`, and print their paths."""
    for name, picture in (OF_CAMPAIGN | PICTURES).items():
        target = root / FOLDER / f"{name}.svg"
        target.parent.mkdir(parents=True, exist_ok=True)
        plots.save(picture(), target)
        print(target.relative_to(root))


def _leaderboard() -> Axes:
    campaign = simulate_campaign()
    return plots.leaderboard(compare(campaign.runs, campaign.qrels, "nDCG@10"))


def _topic_differences() -> Axes:
    campaign = simulate_campaign()
    result = compare(campaign.runs, campaign.qrels, "nDCG@10", baseline="dense-a")
    return plots.topic_differences(result, "hybrid-a", "dense-a")


def _unjudged_by_rank() -> Axes:
    campaign = simulate_campaign()
    return plots.unjudged_by_rank(unjudged_by_rank(campaign.runs, campaign.qrels))


def _residual_gain_matrix() -> Axes:
    campaign = simulate_campaign()
    measure = "NRG(prior=others)@10"
    return plots.residual_gain_matrix(residual_gain_matrix(campaign.runs, campaign.qrels, measure))


def _pareto_front() -> Axes:
    campaign = simulate_campaign()
    costs = {"lexical-a": 1, "lexical-b": 2, "dense-a": 3, "reranker-a": 4, "reranker-b": 4.5}
    register_runs("hybrid-a", {"hybrid-a": campaign.runs["hybrid-a"]}, replace=True)
    measure = "RBR(phi=0.9, reference=hybrid-a)@20"
    matrix = evaluate({name: campaign.runs[name] for name in costs}, {}, measure)
    front = pareto_front(list(costs.values()), matrix.aggregates[0], list(costs))
    return plots.pareto_front(front, measure=matrix.measures[0])


def _system_scatter() -> Axes:
    campaign = simulate_campaign()
    measures = "nDCG@10", "NRG(prior=others)@10"
    matrix = evaluate(campaign.runs, campaign.qrels, measures)
    return plots.system_scatter(matrix, *measures)


def _judging_progress() -> Axes:
    campaign = simulate_campaign()
    runs = {name: run for name, run in campaign.runs.items() if name.endswith("-a")}
    plan = JudgingPlan(runs, question="best", grades=(0, 1, 2, 3))
    while not plan.state().settled:
        batch = plan.next(100)
        pairs = zip(batch["query_id"], batch["doc_id"], strict=True)
        plan.update(
            batch.assign(relevance=[campaign.qrels[query].get(doc, 0) for query, doc in pairs])
        )
    return plots.judging_progress(plan.history)


OF_CAMPAIGN = {
    "leaderboard": _leaderboard,
    "topic_differences": _topic_differences,
    "unjudged_by_rank": _unjudged_by_rank,
    "residual_gain_matrix": _residual_gain_matrix,
    "pareto_front": _pareto_front,
    "system_scatter": _system_scatter,
    "judging_progress": _judging_progress,
}


if __name__ == "__main__":
    main()
