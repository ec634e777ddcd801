"""Names of measures that other tools write."""

import re

import pytest
import pytrec_eval

from irx_measures import InputError, evaluate, parse_measure, simulate_campaign
from irx_measures.cli.main import main
from irx_measures.measures.naming.other_names import NOT_THERE
from irx_measures.measures.naming.strings import parse_measures

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
    "success@5": "success_5",
    "mrr": "recip_rank",
    "MRR": "recip_rank",
    "ndcg": "ndcg",
    "map": "map",
    "r-precision": "Rprec",
}


@pytest.mark.parametrize("name", TREC)
def test_values_are_those_of_trec_eval(name):
    campaign = simulate_campaign(systems=3, queries=6, depth=40, seed=2)
    run = next(iter(campaign.runs.values()))
    evaluator = pytrec_eval.RelevanceEvaluator(campaign.qrels, {TREC[name]})
    expected = [scores[TREC[name]] for scores in evaluator.evaluate(run).values()]
    assert evaluate(campaign.qrels, run, name).scores[0, 0].tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("mrr@10", "RR@10"),
        ("MRR@10", "RR@10"),
        ("mrr_at_10", "RR@10"),
        ("map-l2", "AP(rel=2)"),
        ("map@100-l2", "AP(rel=2)@100"),
        ("MAP@100-l2", "AP(rel=2)@100"),
        ("mrr_at_10-l3", "RR(rel=3)@10"),
        ("precision@5-l2", "P(rel=2)@5"),
        ("hit_rate@5-l2", "Success(rel=2)@5"),
        ("r-precision-l2", "Rprec(rel=2)"),
        ("recall@5-l1", "R@5"),
        ("ndcg@10-l2", "nDCG(gains={1:0})@10"),
        ("ndcg-l3", "nDCG(gains={1:0,2:0})"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp.8", "RBP"),
        ("rbp.p=.95", "RBP(p=0.95)"),
        ("rbp_p=0.95", "RBP(p=0.95)"),
        ("RBP@95", "RBP@95"),
        ("ndcg_burges@10", "nDCG(dcg='exp-log2')@10"),
        ("P.5", "P@5"),
        ("ndcg_cut.10", "nDCG@10"),
    ],
)
def test_names_stand_for_measures(name, measure):
    assert str(parse_measure(name)) == measure


WITHOUT = (
    "HitRate hitrate@10 hit@5 hit hit_ratio@5 "
    "f1@5 F1@5 f1 hits@5 hits_at_5 hits rbp rbp@95 rbp_95 RBP95 rbp_p rbp_p@10 accuracy@1 accuracy "
    "gmap GMAP dcg@10 R_cap@10 recall_cap_at_10 Hole@10 pmrr gm_map Rndcg ndcg_rel Rprec_mult_0.20 "
    "11pt_avg unj_10 unj.5,10 dcg_5 relative_P_5 relstring utility.1.0,-1.0,0,0 rbp_resid.p=.95 "
    "hits@5-l2 f1-l2 gmap-l2 rbp.95-l2 bpref-l2 ndcg_burges@10-l2 P@5-l2 map_cut_10-l2"
)

UNKNOWN = (
    "recip_rank@10 recip_rank_10 mrr_cut.10 auc top_1_accuracy@1 "
    "average_precision p-MRR nauc_map_at_3_max cosine_ndcg@10 precision@5-l0 ndcg@10-l100 "
    "cosine-NDCG@10 dot_score-MAP@100 prefs_pair_imp gm_ap prel udcg"
)

# Names that other tools complete, or that they do not have, and what is said.
INCOMPLETE = {
    "precision": "precision needs a cutoff, as in precision@10",
    "hit_rate": "hit_rate needs a cutoff, as in hit_rate@10",
    "recall-l2": "recall needs a cutoff, as in recall@10",
    "ndcg_burges": "ndcg_burges needs a cutoff, as in ndcg_burges@10",
    "recall": "'recall' stands for 9 measures",  # those of trec_eval
    "r-precision@5": "r-precision has no cutoff; got r-precision@5",
    "mrr@0": "RR: `cutoff` must be a whole number of at least 1; got 0",
}


@pytest.mark.parametrize("name", [*WITHOUT.split(), *UNKNOWN.split()])
def test_names_that_no_measure_means_are_refused_without_another_name(name):
    why = f"no measure means {name}" if name in WITHOUT.split() else "cannot read|not found"
    with pytest.raises(InputError, match=why) as error:
        parse_measure(name)
    assert "did you mean" not in str(error.value)


@pytest.mark.parametrize(("name", "said"), INCOMPLETE.items())
def test_names_need_the_cutoff_that_their_measure_needs(name, said):
    with pytest.raises(InputError, match=re.escape(said)):
        parse_measure(name)


def test_from_a_least_grade_graded_gains_stay():
    """As ranx, which drops the judgments below the grade, and gives no gain for them."""
    qrels = {"q": {"A": 1, "B": 2, "C": 3}}
    run = {"q": {"A": 3.0, "C": 2.0, "B": 1.0}}
    dropped = {"q": {"B": 2, "C": 3}}
    for name in ("ndcg", "map", "mrr", "precision@3", "recall@2", "hit_rate@1", "r-precision"):
        expected = evaluate(dropped, run, name).scores
        found = evaluate(qrels, run, f"{name}-l2").scores
        assert found.tolist() == pytest.approx(expected)


MISSING = (
    "11pt_avg G Rndcg Rprec_mult binG gm_bpref gm_map ndcg_rel num_nonrel_judged_ret relative_P "
    "relstring runid utility"
)


def test_every_measure_of_trec_eval_is_read_or_missing():
    known, missing = set(pytrec_eval.supported_measures), set(MISSING.split())
    assert missing < known
    assert all(parse_measures(name) for name in known - missing)
    for name in missing:
        with pytest.raises(InputError, match=f"^no measure means {name}: {NOT_THERE}$"):
            parse_measures(name)


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("map_cut_10", "AP is a measure of ir_measures"),
        ("ndcg@10", "nDCG is a measure of ir_measures"),
        ("NRG(prior=others)@10", "NRG("),
        ("P_5,10", "P is a measure of ir_measures"),
        ("mrr", "RR is a measure of ir_measures"),
        ("precision@5-l2", "P is a measure of ir_measures"),
        ("P", "P is a measure of ir_measures"),
        (" ndcg@10  ndcg ", "nDCG is a measure of ir_measures"),
    ],
)
def test_pages_of_measures_are_found_by_the_names_that_are_evaluated(name, begin, capsys):
    assert main(["measures", name]) == 0
    page = capsys.readouterr().out
    assert page.startswith(begin)
    assert page.count("is a measure of ir_measures") == ("ir_measures" in begin)
