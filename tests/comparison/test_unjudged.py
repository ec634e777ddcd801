"""compare(unjudged='learned'): P(A > B) and intervals over topics and unjudged documents."""

import numpy as np
import pytest
from ir_measures import AP, RBP, P, nDCG
from numpy.testing import assert_allclose

import irx_measures
from irx_measures import BootNDCG, RunSet, ScoreMatrix, compare, evaluate
from irx_measures.comparison.unjudged import filling_measure
from irx_measures.io.trec import read_qrels
from irx_measures.measures.bootstrap import tilted_scores
from irx_measures.measures.naming.named_score import NamedScore
from tests.campaigns import random_campaign
from tests.doubts import DEEPER_THAN_POOL, MISSED_QUERIES, NEW_SYSTEMS

pytestmark = [MISSED_QUERIES, NEW_SYSTEMS, DEEPER_THAN_POOL]

CAMPAIGN = random_campaign(6, ties=False)

MEASURES = ["nDCG@10", "AP@12", "P(rel=2)@5", "RBP(p=0.7)@10"]

COLUMNS = ["p_better", "lower_unjudged", "upper_unjudged"]


@pytest.fixture(scope="module")
def result():
    return compare(CAMPAIGN.qrels, CAMPAIGN.runs, MEASURES, unjudged="learned", level=0.9)


def test_the_numbers_are_those_of_a_loop_over_samples(result):
    table = result.to_frame().set_index(["measure", "system", "baseline"])
    topics = len(CAMPAIGN.qrels)
    drawn = np.random.default_rng(42).multinomial(topics, [1 / topics] * topics, size=1000)
    runset, qrels = RunSet(CAMPAIGN.runs), read_qrels(CAMPAIGN.qrels)
    for measure in result.matrix.measures:
        scores = dict(
            zip(
                runset.names,
                tilted_scores(filling_measure(measure, 42), qrels, runset),
                strict=True,
            )
        )
        for one, other in [("run0", "run1"), ("run2", "run4")]:
            differences = []
            for sample in range(1000):
                each = np.repeat(np.arange(topics), drawn[sample])
                difference = scores[one][each, sample] - scores[other][each, sample]
                differences.append(difference.mean())
            row = table.loc[(str(measure), one, other)]
            signs = np.sign(np.round(differences, 12))
            assert row.p_better == pytest.approx(np.mean((1 + signs) / 2), abs=1e-12)
            ends = np.quantile(differences, [0.05, 0.95])
            assert_allclose([row.lower_unjudged, row.upper_unjudged], ends, atol=1e-9)


def test_the_tests_stay_and_the_summary_says_what_is_added(result):
    plain = compare(CAMPAIGN.qrels, CAMPAIGN.runs, MEASURES, level=0.9)
    table = result.to_frame()
    assert list(table)[-3:] == COLUMNS
    assert table.drop(columns=COLUMNS).equals(plain.to_frame())
    assert result.summary.startswith(plain.summary)
    assert "learned prior" in result.summary
    assert "learned prior" not in plain.summary
    assert result != plain
    assert result == compare(CAMPAIGN.qrels, CAMPAIGN.runs, MEASURES, unjudged="learned", level=0.9)


def test_p_better_of_a_run_against_its_copy_is_one_half():
    runs = {**CAMPAIGN.runs, "copy": CAMPAIGN.runs["run0"]}
    table = compare(CAMPAIGN.qrels, runs, "nDCG@10", baseline="run0", unjudged="learned").to_frame()
    row = table.set_index("system").loc["copy"]
    assert row[COLUMNS].tolist() == [0.5, 0.0, 0.0]


@pytest.mark.parametrize("rising", [True, False])
def test_systems_that_are_the_best_of_a_world_together_share_it(rising):
    means = np.array([[0.5, 0.5, 0.3, 0.2], [0.5, 0.4, 0.3, 0.6], [0.1, 0.4, 0.3, 0.6 + 1e-15]])
    best = [[1 / 2, 1, 1 / 3, 0], [1 / 2, 0, 1 / 3, 1 / 2], [0, 0, 1 / 3, 1 / 2]]
    measure, sign = NamedScore("score", rising), 1 if rising else -1
    scores = sign * np.random.default_rng(0).random((1, 3, 9))
    matrix = ScoreMatrix((measure,), ("a", "b", "c"), tuple(map(str, range(9))), scores)
    board = matrix.compare().with_worlds({measure: sign * means}).leaderboard()
    expected = dict(zip("abc", np.mean(best, axis=1).tolist(), strict=True))
    assert dict(zip(board.system, board.p_best, strict=True)) == pytest.approx(expected)


def test_scores_in_worlds_are_those_of_the_measure():
    """A measure of ir_measures has the parameters of the measure that is scored in worlds."""
    qrels = {
        query: {**dict.fromkeys((f"doc{number}" for number in range(40)), 0), **grades}
        for query, grades in CAMPAIGN.qrels.items()
    }
    peers = {
        nDCG(dcg="exp-log2") @ 7: irx_measures.nDCGBound(dcg="exp-log2") @ 7,
        **{m: m for m in (nDCG @ 5, AP(rel=2) @ 9, P(rel=2) @ 4, RBP(p=0.6, rel=1) @ 8)},
    }
    for measure, peer in peers.items():
        scores = tilted_scores(
            filling_measure(measure, 1), read_qrels(qrels), RunSet(CAMPAIGN.runs)
        )
        expected = evaluate(qrels, CAMPAIGN.runs, peer).scores[0]
        for got, of_run in zip(scores, expected, strict=True):
            assert_allclose(got, np.repeat(of_run[:, np.newaxis], 1000, axis=1), rtol=1e-12)


def test_a_measure_with_a_learned_prior_keeps_its_parameters():
    measure = BootNDCG(prior="learned", stat="mean", b=300) @ 10
    assert filling_measure(measure, 5) is measure
    result = compare(CAMPAIGN.qrels, CAMPAIGN.runs, measure, unjudged="learned")
    assert result.worlds[measure].shape == (5, 300)
