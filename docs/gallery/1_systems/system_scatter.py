"""
Systems by two measures
=======================

Which systems are effective, and which of them add something to the others? If the scores have
groups of systems, each group has its own marker.
"""

from irx_measures import evaluate, plots, simulate_campaign

campaign = simulate_campaign()
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
measures = "nDCG@10", "NRG(prior=others)@10"
matrix = evaluate(campaign.qrels, runs, measures)
ax = plots.system_scatter(matrix, *measures)
