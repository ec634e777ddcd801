"""
Leaderboard
===========

Which systems share the top? Means with intervals, and the ranks that each system may have.
Systems in dark blue may be the best. :func:`irx_measures.plots.leaderboard`
"""

from irx_measures import compare, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
result = compare(campaign.runs, campaign.qrels, "nDCG@10", baseline="family1-a")
ax = plots.leaderboard(result)
