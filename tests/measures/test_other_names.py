"""Names of measures that other tools write."""

import pytest
import pytrec_eval

import irx_measures
from irx_measures import InputError, evaluate, parse_measure, simulate_campaign

# BEIR and mteb take these values from pytrec_eval.
TREC = {
    "ndcg@10": "ndcg_cut_10",
    "NDCG@10": "ndcg_cut_10",
    "ndcg_at_10": "ndcg_cut_10",
    "map@100": "map_cut_100",
    "MAP@5": "map_cut_5",
    "recall@10": "recall_10",
    "precision@5": "P_5",
    "precision_at_5": "P_5",
    "hit_rate@5": "success_5",
}


@pytest.mark.parametrize("name", TREC)
def test_values_are_those_of_trec_eval(name):
    campaign = simulate_campaign(systems=3, queries=6, depth=40, seed=2)
    run = next(iter(campaign.runs.values()))
    evaluator = pytrec_eval.RelevanceEvaluator(campaign.qrels, {TREC[name]})
    expected = [scores[TREC[name]] for scores in evaluator.evaluate(run).values()]
    assert evaluate(run, campaign.qrels, name).scores[0, 0].tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("mrr@10", "RR@10"),
        ("MRR@10", "RR@10"),
        ("mrr_at_10", "RR@10"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp.8", "RBP"),
        ("P.5", "P@5"),
        ("ndcg_cut.10", "nDCG@10"),
    ],
)
def test_names_stand_for_measures(name, measure):
    assert str(parse_measure(name)) == measure


def test_the_reciprocal_rank_ends_at_the_cutoff():
    run = {"q": {f"d{rank}": -float(rank) for rank in range(20)}}
    scores = evaluate(run, {"q": {"d4": 1}}, ["mrr@5", "mrr@4"]).scores
    assert scores.ravel().tolist() == [0.2, 0.0]


@pytest.mark.parametrize("name", ["f1@5", "F1@5", "hits@5", "hits_at_5"])
def test_names_that_no_measure_means_are_refused_without_another_name(name):
    with pytest.raises(InputError, match=f"no measure means {name}") as error:
        parse_measure(name)
    assert "did you mean" not in str(error.value)


@pytest.mark.parametrize("name", ["ndcg@0", "map_at_0"])
def test_cutoffs_are_checked(name):
    with pytest.raises(InputError, match="`cutoff` must be a whole number of at least 1; got 0"):
        parse_measure(name)


def test_every_name_stands_for_a_measure():
    from irx_measures.measures.other_names import MEANT

    for name in MEANT:
        assert parse_measure(f"{name}@3")["cutoff"] == 3
    assert irx_measures.parse_measure("Recall@3") == irx_measures.parse_measure("R@3")
