"""
Differences by topic
====================

On which topics is a system better than a baseline? The topics are sorted by the difference.
"""

from irx_measures import compare, plots, simulate_campaign

campaign = simulate_campaign(systems=6, queries=50, depth=100)
result = compare(campaign.runs, campaign.qrels, "nDCG@10", baseline="lexical-a")
ax = plots.topic_differences(result, "dense-a")
