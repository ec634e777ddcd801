"""The simulation of the guaranteed stop, on a made-up collection."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from irx_measures import RunSet, evaluate, simulate_campaign
from irx_measures.io.trec import read_qrels
from irx_measures.judging.planning.pool import JudgingPool
from tests.simulations import judging_guarantee as simulation

MADE = simulate_campaign(systems=20, queries=30, depth=40, seed=2)
STRATA = ((0.01, 0.03), (0.03, 0.08), (0.08, 1.0))


@pytest.fixture(scope="module")
def pooled():
    complete = {
        query: {doc: grades.get(doc, 0) for run in MADE.runs.values() for doc in run[query]}
        for query, grades in MADE.qrels.items()
    }
    return JudgingPool.of(RunSet(MADE.runs), read_qrels(complete), 10, [0, 1, 2, 3])


def test_weights_are_those_of_the_measure(pooled):
    """A weighted sum of grades is nDCG x ideal; with all grades 1 it is 1."""
    pool, _ = pooled
    weight = simulation.scores(pool)
    assert_allclose(weight.sum(axis=1), 1)
    one = MADE.qrels[pool.query_ids[0]]
    only = pool.doc_query == 0
    grade = np.array([one.get(doc, 0) for doc in pool.doc_ids]) * only
    found = evaluate(MADE.runs, {pool.query_ids[0]: one}, "nDCG@10").scores[0, :, 0]
    assert_allclose(*(score / score.max() for score in (weight @ grade, found)))


@pytest.mark.slow
def test_more_is_judged_where_systems_are_close(pooled):
    """Wrong decisions: 0 of these 12; the bound is a twentieth."""
    shares, wrong = [], 0
    for stratum in STRATA:
        found = [
            simulation.judge(campaign, seed)
            for seed, campaign in simulation.campaigns(*pooled, 1, stratum, 4)
        ]
        assert len(found) == 4
        shares.append(np.mean([outcome.share for outcome in found]))
        wrong += sum(outcome.wrong for outcome in found)
    assert wrong <= 1
    assert 0.9 > shares[0] > shares[1] > shares[2]
