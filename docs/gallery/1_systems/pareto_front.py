"""
Cost and effectiveness
======================

Which systems have no other system that is cheaper and at least as good? Only these are named.
"""

from irx_measures import evaluate, meta, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
matrix = evaluate(campaign.runs, campaign.qrels, "nDCG@10")
milliseconds = [4, 6, 9, 3, 30, 14, 50, 80, 20, 120, 65, 12]
front = meta.pareto_front(milliseconds, matrix.aggregates[0], matrix.systems)
ax = plots.pareto_front(front, measure="nDCG@10", cost="milliseconds per query")
