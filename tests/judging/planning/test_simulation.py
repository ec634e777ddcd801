"""Judged collections that are judged once more."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import JudgingPlan, RunSet, evaluate, simulate_campaign
from irx_measures.io.trec import read_qrels
from irx_measures.judging import simulate_judging
from irx_measures.judging.planning.pool import JudgingPool, read_pooled
from irx_measures.judging.planning.scorers import scorer_of

CAMPAIGN = simulate_campaign(systems=8, queries=10, depth=30, seed=3)
NAMES = list(CAMPAIGN.runs)
COLUMNS = ["judged", "pool", "claimed", "wrong", "wrong_on_all"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "question"),
    [("nDCG@10", "ranking"), ("nDCG@10", (NAMES[0], NAMES[6])), ("P@10", (NAMES[0], NAMES[6]))],
)
def test_a_campaign_is_that_of_a_plan(measure, question):
    """Also where documents are unjudged: they get grade 0."""
    runs = CAMPAIGN.runs
    table = simulate_judging(CAMPAIGN.qrels, runs, measure, question, seeds=1, systems=8, topics=10)
    plan = JudgingPlan(None, runs, measure, question, grades=(0, 1, 2, 3), seed=0)
    while len(batch := plan.next(max(5, plan.state().pool // 20))):
        pairs = zip(batch["query_id"], batch["doc_id"], strict=True)
        grades = [CAMPAIGN.qrels[query].get(doc, 0) for query, doc in pairs]
        plan.update(batch.assign(relevance=grades))
    state = plan.state()
    assert list(table) == COLUMNS
    assert table.values.tolist()[0][:3] == [state.judged, state.pool, state.claimed]
    assert state.claimed


@pytest.mark.slow
def test_campaigns_draw_systems_and_topics():
    of = {"systems": 4, "topics": 6}
    table = simulate_judging(CAMPAIGN.qrels, CAMPAIGN.runs, "P@5", "best", seeds=3, **of)
    assert len({*table["pool"]}) > 1
    assert (table["judged"] <= table["pool"]).all()
    again = simulate_judging(CAMPAIGN.qrels, CAMPAIGN.runs, "P@5", "best", seeds=2, **of)
    assert again.equals(table[:2])


@pytest.mark.parametrize("seed", range(3))
def test_truth_is_evaluate_on_the_judgments_of_the_pool_and_on_all(seed):
    scorer = scorer_of("nDCG@10", range(4), 4)
    runset = RunSet(CAMPAIGN.runs)
    whole = read_pooled(read_qrels(CAMPAIGN.qrels), runset, range(4))
    rng = np.random.default_rng(seed)
    systems, queries = (np.sort(rng.permutation(of)[:n]) for of, n in ((8, 4), (10, 6)))
    pool, grade = JudgingPool.of(whole, 10, range(4), systems, queries)
    runs = {name: CAMPAIGN.runs[name] for name in pool.names}
    of_all = {query: CAMPAIGN.qrels[query] for query in pool.query_ids}
    of_pool = {
        query: {doc: grade for doc, grade in judged.items() if (query, doc) in pool.position}
        for query, judged in of_all.items()
    }
    alone = replace(pool, others=[np.zeros(0, np.int64)] * 6)
    for one, qrels in ((alone, of_pool), (pool, of_all)):
        expected = evaluate(qrels, runs, "nDCG@10").scores[0].mean(axis=1)
        assert_allclose(scorer.means(one, grade.clip(0)[:, np.newaxis])[:, 0], expected, rtol=1e-12)


@pytest.mark.slow
def test_claims_are_wrong_in_both_columns_or_in_one():
    of = {"systems": 8, "topics": 4, "seeds": 12, "level": 0.5}
    linear = simulate_judging(CAMPAIGN.qrels, CAMPAIGN.runs, "RBP@3", **of)
    assert 0 < linear["wrong"].sum() < linear["claimed"].sum()
    assert linear["wrong"].equals(linear["wrong_on_all"])
    normalised = simulate_judging(CAMPAIGN.qrels, CAMPAIGN.runs, "nDCG@3", **of)
    assert (normalised["wrong"] != normalised["wrong_on_all"]).any()


def test_everything_judged_is_no_claim():
    runs = {"a": {"q": {"d": 1.0}}, "b": {"q": {"e": 1.0}}, "c": {"q": {"f": 1.0}}}
    table = simulate_judging({"q": {"d": 1, "e": 0}}, runs, seeds=2)
    assert table.values.tolist() == [[3, 3, False, False, False]] * 2


@pytest.mark.whole
def test_claims_are_seldom_wrong_on_real_runs(data):
    """A small version of simulations.judging."""
    folder = data / "trec-dl-2019-passage"
    runs, qrels = sorted(folder.glob("runs/*")), read_qrels(folder / "qrels.txt.gz")
    table = simulate_judging(qrels, runs, question="ranking", seeds=2)
    assert not table["wrong"].any()
    assert 0.35 < np.mean(table["judged"] / table["pool"]) < 0.75
