"""
What systems add to each other
==============================

What does each system (row) add to each other system (column)? The systems are ordered so that
systems that add little to each other are neighbours.
"""

from irx_measures import meta, plots, simulate_campaign

campaign = simulate_campaign()
result = meta.residual_gain_matrix(campaign.runs, campaign.qrels, "NRG(prior=others)@10")
ax = plots.residual_gain_matrix(result)
