"""
Progress of judging
===================

How probable is the claim after each batch of judgments, and when is it enough?
"""

from irx_measures import JudgingPlan, plots, simulate_campaign

campaign = simulate_campaign()
runs = {name: run for name, run in campaign.runs.items() if name.endswith("-a")}
plan = JudgingPlan(None, runs, question="best", grades=(0, 1, 2, 3))
while not plan.state().settled:
    batch = plan.next(100)
    pairs = zip(batch["query_id"], batch["doc_id"], strict=True)
    grades = [campaign.qrels[query].get(doc, 0) for query, doc in pairs]
    plan.update(batch.assign(relevance=grades))
ax = plots.judging_progress(plan.history)
