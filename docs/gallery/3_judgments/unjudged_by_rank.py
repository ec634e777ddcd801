"""
Unjudged documents by rank
==========================

How much of each system's ranking was judged, and down to which rank?
"""

from irx_measures import meta, plots, simulate_campaign

campaign = simulate_campaign()
result = meta.unjudged_by_rank(campaign.qrels, campaign.runs)
ax = plots.unjudged_by_rank(result)
