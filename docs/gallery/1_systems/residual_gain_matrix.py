"""
What systems add to each other
==============================

What does each system (row) add to each other system (column)? The systems are ordered so that
systems that add little to each other are neighbours.
"""

from irx_measures import meta, plots, simulate_campaign

campaign = simulate_campaign()
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
result = meta.residual_gain_matrix(campaign.qrels, runs, "NRG(prior=others)@10")
ax = plots.residual_gain_matrix(result)
