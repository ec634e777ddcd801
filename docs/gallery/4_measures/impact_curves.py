"""
Number of systems
=================

Do a few systems get the same ranking as all of them, if a measure depends on the systems that
are compared?
"""

from irx_measures import SubsetScorer, meta, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
runs = {name: run for name, run in campaign.runs.items() if "reranker" not in name}  # all judged
results = {}
for measure in ("NRG(prior=others)@10", "P_Rareness(systems=others)@10"):
    scorer = SubsetScorer(campaign.qrels, runs, measure)
    results[measure] = meta.system_impact(scorer, scorer.systems, trials=100)
ax = plots.impact_curves(results)
