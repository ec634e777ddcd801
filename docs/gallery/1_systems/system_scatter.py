"""
Systems by two measures
=======================

Which systems are effective, and which of them add something to the others? The groups have
their own markers.
"""

from irx_measures import evaluate, plots, simulate_campaign

campaign = simulate_campaign(systems=15, queries=50, depth=100)
matrix = evaluate(
    campaign.runs, campaign.qrels, ["nDCG@10", "NRG(prior=others)@10"], groups=campaign.groups
)
ax = plots.system_scatter(matrix, "nDCG@10", "NRG(prior=others)@10")
