"""
Stability
=========

Does the better of two systems stay better on other topics?
"""

from irx_measures import evaluate, meta, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
matrix = evaluate(campaign.qrels, runs, ["nDCG@10", "P@10", "RR"])
results = {
    str(measure): meta.stability(scores, matrix.systems)
    for measure, scores in zip(matrix.measures, matrix.scores, strict=True)
}
ax = plots.stability_curves(results)
