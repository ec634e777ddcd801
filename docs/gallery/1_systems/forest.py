"""
Differences by collection
=========================

In which collections is a system better than a baseline, and does this hold for all of them, and for
other collections like these? A square is the mean difference in a collection.
"""

from irx_measures import GroupedScores, evaluate, plots, simulate_campaign

scores = {}
for name, seed in [("news", 1), ("law", 2), ("health", 3), ("patents", 4), ("tweets", 5)]:
    made = simulate_campaign(systems=6, queries=20 * seed, seed=seed)
    scores[name] = evaluate(made.qrels, made.runs, "nDCG@10")
result = GroupedScores.of(scores).compare(macro="queries", baseline="lexical-a")
ax = plots.forest(result, "dense-a")
