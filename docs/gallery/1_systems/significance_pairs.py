"""
Pairs of systems
================

Which systems differ significantly? A cell is a pair. Its colour is the p-value after the
correction for the number of pairs.
"""

from irx_measures import compare, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
result = compare(campaign.qrels, runs, "nDCG@10")
ax = plots.significance_pairs(result)
