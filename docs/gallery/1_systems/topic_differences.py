"""
Differences by topic
====================

On which topics is a system better than a baseline? The topics are sorted by the difference.
"""

from irx_measures import compare, plots, simulate_campaign

campaign = simulate_campaign()
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
result = compare(campaign.qrels, runs, "nDCG@10", baseline="dense-a")
ax = plots.topic_differences(result, "hybrid-a", "dense-a")
