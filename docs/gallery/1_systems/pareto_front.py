"""
Cost and effectiveness
======================

Which systems have no other system that is cheaper and at least as good? Only these are named.
Here "good" is a first stage that finds what a better system ranks high: its rank-biased recall.
"""

from irx_measures import evaluate, meta, plots, register_runs, simulate_campaign

campaign = simulate_campaign()
register_runs("hybrid-a", {"hybrid-a": campaign.runs["hybrid-a"]}, replace=True)
costs = {"lexical-a": 1, "lexical-b": 2, "dense-a": 3, "reranker-a": 4, "reranker-b": 4.5}
runs = {name: campaign.runs[name] for name in costs}
matrix = evaluate({}, runs, "RBR(phi=0.9, reference=hybrid-a)@20")
front = meta.pareto_front(list(costs.values()), matrix.aggregates[0], list(costs))
ax = plots.pareto_front(front, measure=matrix.measures[0])
