"""
Swap rates
==========

How large must a difference be before another set of topics confirms it?
"""

from irx_measures import evaluate, meta, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
matrix = evaluate(campaign.qrels, runs, ["nDCG@10", "P@10"])
results = {
    str(measure): meta.split_swap_rate(scores, matrix.systems)
    for measure, scores in zip(matrix.measures, matrix.scores, strict=True)
}
ax = plots.swap_curves(results)
