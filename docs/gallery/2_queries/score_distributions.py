"""
Bootstrapped scores
===================

Which score may a run have if its unjudged documents were judged? A line is the distribution of
a query's bootstrapped nDCG; the marks are nDCG and its upper bound.
"""

from irx_measures import bootstrap_ndcg, evaluate, plots, simulate_campaign

campaign = simulate_campaign(systems=6, queries=16, depth=100)
run = campaign.runs["dense-a"]
samples = bootstrap_ndcg(campaign.qrels, run, 10)
marks = evaluate(campaign.qrels, {"run": run}, ["nDCG@10", "nDCGBound(bound=upper)@10"])
ax = plots.score_distributions(samples, marks, measure="BootNDCG@10")
