"""A learned score does not depend on the other systems of the call."""

from itertools import islice

import numpy as np
import pytest

from irx_measures import BootNDCG, RunSet, evaluate
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judgments.judgments import Judgments
from irx_measures.meta import leave_group_out
from irx_measures.unjudged.pooled_runs import PooledRuns
from simulations.unjudged import Coverage
from tests.doubts import MISSED_QUERIES, OUTSIDE

MEASURE = BootNDCG(prior="learned", stat="mean", b=300) @ 10


def foreign_runs(run, query_ids):
    """Six variants of a run; a quarter of their documents are new ones, which the six share."""
    rankings = {}
    for query, doc, score in zip(run.query.all(), run.doc.all(), run.value, strict=True):
        rankings.setdefault(query, []).append((-score, doc))
    rng = np.random.default_rng(0)

    def variant(query):
        docs = [doc for _, doc in sorted(rankings[query])[:60]]
        order = np.argsort(np.arange(len(docs)) + rng.normal(0, 3, len(docs)))
        names = [docs[place] for place in order]
        for new, place in enumerate(np.flatnonzero(rng.random(len(names)) < 0.25)):
            names[place] = f"new{new}"
        return {name: -float(rank) for rank, name in enumerate(names)}

    return {f"foreign{number}": {q: variant(q) for q in query_ids} for number in range(6)}


@pytest.mark.slow
@MISSED_QUERIES
@OUTSIDE
@pytest.mark.parametrize("like", ["idst_bert_p1", "UNH_exDL_bm25"])
def test_foreign_runs_in_the_call_do_not_move_other_means(data, like):
    folder = data / "trec-dl-2019-passage"
    pooled = RunSet(f"{folder}/runs/*.gz", groups=folder / "groups.csv")
    qrels = read_qrels(folder / "qrels.txt.gz")
    runs = {name: pooled.run(place) for place, name in enumerate(pooled.names)}
    foreign = foreign_runs(read_run(runs[like]), qrels.query_ids)
    groups = {**pooled.group_of, **dict.fromkeys(foreign, "foreign")}
    together = RunSet({**runs, **foreign}, groups=groups)
    for _, left in islice(leave_group_out(pooled, qrels, 10), 1):
        alone, in_company = (
            evaluate(runset, read_qrels(left), MEASURE).scores[0].mean(axis=1)[: len(runs)]
            for runset in (pooled, together)
        )
        assert np.abs(in_company - alone).max() < 0.003
    coverage = Coverage.of(PooledRuns.of(together, Judgments(qrels)), None, 100)
    assert coverage.calibrated >= 0.8  # .86 without them; one system is .03
