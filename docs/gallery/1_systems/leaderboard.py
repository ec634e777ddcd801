"""
Leaderboard
===========

Which systems may be the best? A dot is a system's mean, a line its interval. The numbers on the
right are the ranks that the tests cannot rule out.
"""

from irx_measures import compare, plots, simulate_campaign

campaign = simulate_campaign()
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
result = compare(campaign.qrels, runs, "nDCG@10")
ax = plots.leaderboard(result)
