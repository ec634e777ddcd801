"""
Correlation by a parameter
==========================

How much does a parameter of a measure change the ranking of systems?
"""

from irx_measures import evaluate, meta, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
alphas = [0.0, 0.25, 0.5, 0.75, 1.0]
names = [f"P_Rareness(systems=others, alpha={alpha})@10" for alpha in alphas]
first, *others = evaluate(campaign.qrels, runs, ["P@10", *names]).scores
results = {
    "P_Rareness@10 and P@10": {
        alpha: meta.rank_correlation(first, scores)
        for alpha, scores in zip(alphas, others, strict=True)
    }
}
ax = plots.correlation_curves(results)
