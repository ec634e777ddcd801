"""
Scores by query
===============

Are a system's scores alike on all queries, or good on some and bad on others?
"""

from irx_measures import evaluate, plots, simulate_campaign

campaign = simulate_campaign(systems=3, queries=100, depth=100)
matrix = evaluate(campaign.qrels, campaign.runs, "nDCG@10")
ax = plots.score_histogram(matrix, "nDCG@10", "lexical-a")
