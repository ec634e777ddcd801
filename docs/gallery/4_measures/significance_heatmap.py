"""
Pairs that a measure distinguishes
==================================

Which pairs of systems does one measure distinguish?
"""

from irx_measures import evaluate, meta, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
matrix = evaluate(campaign.runs, campaign.qrels, "nDCG@10")
result = meta.discriminative_power(matrix.scores[0], matrix.systems)
ax = plots.significance_heatmap(result)
