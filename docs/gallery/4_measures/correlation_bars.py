"""
Correlations between rankings
=============================

Which measures rank the systems as nDCG does? The lines are intervals.
"""

from irx_measures import evaluate, meta, plots, simulate_campaign

campaign = simulate_campaign(systems=12, queries=50, depth=100)
names = ["nDCG@10", "AP", "P@10", "RR", "NRG(prior=others)@10"]
first, *others = evaluate(campaign.runs, campaign.qrels, names).scores
results = {
    name: meta.rank_correlation(first, scores)
    for name, scores in zip(names[1:], others, strict=True)
}
ax = plots.correlation_bars(results, reference="nDCG@10")
