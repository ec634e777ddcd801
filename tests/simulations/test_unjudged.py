"""The parts of the simulation of unpooled groups, against the measures and the definition."""

import numpy as np
from numpy.testing import assert_allclose

from irx_measures import RunSet, evaluate, simulate_campaign
from irx_measures.meta import leave_group_out
from irx_measures.unjudged.model import pool
from tests.simulations import unjudged


def scores_of(made, measures, runs=None, qrels=None):
    return evaluate(runs or made.runs, qrels or made.qrels, measures).scores


def test_scores_without_unjudged_documents_equal_the_measures():
    made = simulate_campaign(systems=12, queries=5, depth=40, seed=2)
    pooled = pool(made.runs, made.qrels, made.groups)
    assert_allclose(unjudged.truth_of(pooled), scores_of(made, ["nDCG@10"])[0], atol=1e-12)
    judged_only = {
        name: {
            query: {doc: score for doc, score in docs.items() if doc in made.qrels[query]}
            for query, docs in run.items()
        }
        for name, run in made.runs.items()
    }
    runs = np.arange(len(made.runs))
    expected = scores_of(made, ["nDCG@10"], runs=judged_only)[0]
    assert_allclose(unjudged.condensed(pooled, runs)[:, :, 0], expected, atol=1e-12)


def test_documents_of_a_group_are_those_that_leave_group_out_takes_away():
    made = simulate_campaign(systems=12, queries=5, depth=40, seed=2)
    pooled = pool(made.runs, made.qrels, made.groups)
    for group, qrels in leave_group_out(RunSet(made.runs, groups=made.groups), made.qrels, 10):
        left = set(zip(qrels["query_id"], qrels["doc_id"], strict=True))
        hidden = unjudged.found_only_by(pooled, pooled.group_names.index(group))
        assert {
            (pooled.query_ids[pooled.doc_query[doc]], pooled.doc_ids[doc]) for doc in hidden
        } == {(query, doc) for query, judged in made.qrels.items() for doc in judged} - left


def test_errors_count_where_the_truth_is_known():
    scores = np.array([[[0.2, 0.4], [0.5, 0.5]], [[0.1, 0.3], [0.6, 0.8]]])
    truth = np.array([[0.3, 0.4], [0.5, 0.7]])
    known = np.ones((2, 2), bool)
    errors = unjudged.Errors.of(scores, truth, known, np.array([0, 0]))
    assert_allclose(errors.rmse, np.sqrt((0.1**2 + 0.3**2) / 4))
    assert_allclose(errors.systems, np.sqrt((0.05**2 + 0.15**2) / 2))
    assert_allclose(errors.bias, -0.05)
    assert_allclose(errors.covered, 2 / 3)
    assert errors.signs == 1.0
    assert np.isnan(unjudged.Errors.of(scores, truth, known, np.array([0, 1])).signs)
    known[1, 0] = False
    errors = unjudged.Errors.of(scores, truth, known, np.array([0, 0]))
    assert_allclose(errors.rmse, np.sqrt(0.1**2 / 3))
    assert_allclose(errors.systems, np.sqrt(0.05**2 / 2))
    assert_allclose(errors.signs, 1.0)  # on the second topic, on which both are known


def test_calibrated_intervals_hold_more_means(data):
    folder = data / "trec-dl-2019-passage"
    full = pool(f"{folder}/runs/*.gz", folder / "qrels.txt.gz", folder / "groups.csv")
    coverage = unjudged.Coverage.of(full, None, 100)
    assert coverage.systems == 35  # two runs of a group have no document of their own
    assert coverage.tilts < coverage.calibrated
    assert coverage.calibrated >= 0.85
    assert coverage.width <= 1.25
