"""
Groups of queries
=================

In which groups of queries is a system better? A dot is a system's mean over the queries of a group,
a line its interval. A dot is filled if no system is significantly better in the group.
"""

from irx_measures import evaluate, plots, simulate_campaign

campaign = simulate_campaign(systems=6, queries=50, depth=100)
scores = evaluate(campaign.qrels, campaign.runs, "nDCG@10")
groups = {query: "short" if query < "q21" else "long" for query in scores.query_ids}
result = scores.by(groups).compare(baseline="lexical-a")
ax = plots.leaderboard(result)
