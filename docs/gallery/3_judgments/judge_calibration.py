"""
Labels of a machine
===================

What does a machine's label mean? A column shows which human grades the documents with this
label have.
"""

import numpy as np

from irx_measures import judging, plots, simulate_campaign

campaign = simulate_campaign(systems=6, queries=20, depth=50)
rng = np.random.default_rng(0)
machine = {
    query: {doc: int(np.clip(grade + rng.integers(-1, 2), 0, 3)) for doc, grade in grades.items()}
    for query, grades in campaign.qrels.items()
}
audit = judging.audit_judges(campaign.qrels, {"a machine": machine})
ax = plots.judge_calibration(audit["a machine"])
