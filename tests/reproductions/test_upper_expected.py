"""The upper-expected reproduction: on LETOR data, and on small data of a user."""

import sys
from itertools import combinations

import numpy as np
import pytest

from irx_measures import InputError, simulate_campaign
from irx_measures.measures.naming.strings import parse_measure
from irx_measures.reproductions import load_data, reproduce
from irx_measures.reproductions.paper import in_shape
from irx_measures.reproductions.upper_expected import (
    BASES,
    CUTOFFS,
    Scores,
    table,
)


def scores_of(qrels, runs):
    return Scores.of(load_data(qrels, runs))


@pytest.fixture(scope="module")
def campaign():
    found = simulate_campaign(systems=6, queries=20, depth=50, seed=3)
    return scores_of(found.qrels, found.runs)


def test_a_file_of_letor_that_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    (tmp_path / "mq2008-fold1").mkdir()
    with pytest.raises(InputError, match=r"must hold the LETOR file letor-train\.txt\.gz or train"):
        reproduce("upper-expected")


@pytest.mark.slow
def test_without_lightgbm_the_error_names_the_extra(data, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(data))
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(ImportError, match=r"irx-measures\[reproduce\]"):
        reproduce("upper-expected")


def test_the_original_ndcg_is_dcg_over_that_of_the_ideal_order():
    qrels = {"q": {"A": 2, "B": 1, "C": 0, "D": 1}}
    run = {"q": {"B": 4.0, "C": 3.0, "A": 2.0, "D": 1.0}}
    scores = scores_of(qrels, {"a": run, "b": run})
    dcg = sum(
        gain / np.log2(rank + 1) for rank, gain in zip((1, 2, 3, 4), (1, 0, 3, 1), strict=True)
    )
    ideal = sum(g / np.log2(rank + 1) for rank, g in zip((1, 2, 3), (3, 1, 1), strict=True))
    expected = dcg / ideal
    assert scores.at("nDCG", "original", 5)[0, 0] == pytest.approx(expected)


def test_the_original_ap_divides_by_the_cutoff_if_more_documents_are_relevant():
    qrels = {"q": {f"d{n}": int(n != 1) for n in range(9)}}  # 8 relevant documents
    run = {"q": {f"d{n}": float(-n) for n in range(9)}}
    scores = scores_of(qrels, {"a": run, "b": run})
    expected = (1 + 2 / 3 + 3 / 4 + 4 / 5) / 5
    assert scores.at("AP", "original", 5)[0, 0] == pytest.approx(expected)


def test_query_sets_are_disjoint_and_ideal_queries_beat_chance_by_more(campaign):
    for base in BASES:
        sets = campaign.query_sets[base]
        assert len(sets["Uninformative"]) == len(sets["Ideal"]) == round(20 * 500 / 1700)
        means = [
            campaign.over_cutoffs(base, "original")[:, sets[name]].mean()
            for name in ("Uninformative", "Ideal")
        ]
        assert means[0] < means[1]


def test_broad_queries_have_half_of_their_documents_at_half_of_the_highest_grade():
    grades = {
        "broad": [2, 2, 0, 1],
        "narrow": [1, 1, 1, 4],
        "half": [2, 4, 0, 1],
        "none": [0, 0, 0, 0],
    }
    qrels = {q: {f"d{n}": grade for n, grade in enumerate(of)} for q, of in grades.items()}
    run = {q: {f"d{n}": float(n) for n in range(4)} for q in qrels}
    scores = scores_of(qrels, {"a": run, "b": run})
    broad, focused = scores.broad_and_focused
    assert [scores.matrix.query_ids[place] for place in broad] == ["broad", "half"]
    assert [scores.matrix.query_ids[place] for place in focused] == ["narrow", "none"]


def test_halves_hold_each_judgment_and_each_result_once(campaign):
    halves = campaign.halves
    both = campaign.material
    assert sum(len(half.material.qrels) for half in halves) == len(both.qrels)
    for place, whole in enumerate(both.runs.each()):
        parts = [half.material.runs.run(place) for half in halves]
        assert sum(map(len, parts)) == len(whole)
        assert not set(parts[0].doc.all()) & set(parts[1].doc.all())


def test_halves_are_scored_as_if_the_other_documents_did_not_exist():
    docs = [f"d{n}" for n in range(40)]
    qrels = {"q": {doc: n % 3 for n, doc in enumerate(docs)}}
    runs = {
        name: {"q": {doc: float((n * step) % 41) for n, doc in enumerate(docs)}}
        for name, step in (("a", 3), ("b", 7))
    }
    for half in scores_of(qrels, runs).halves:
        kept = set(half.material.qrels.doc.all())
        assert 0 < len(kept) < 40
        only = {"q": {doc: score for doc, score in runs["a"]["q"].items() if doc in kept}}
        left = {"q": {doc: grade for doc, grade in qrels["q"].items() if doc in kept}}
        expected = parse_measure("nDCG_UE@10").calc_aggregate(left, only)
        assert half.at("nDCG", "V2", 10)[0, 0] == pytest.approx(expected)


def test_a_users_runs_are_the_rankers(campaign):
    shape = in_shape(table(6, campaign, "AP"))
    assert tuple(shape.index) == campaign.matrix.systems
    expected = campaign.matrix["AP_UE@20"].mean(axis=1)
    assert shape["V2@20"].to_numpy() == pytest.approx(expected)


def test_significant_differences_are_counted_over_pairs_and_cutoffs(campaign):
    from scipy.stats import ttest_rel

    queries = campaign.query_sets["nDCG"]["Ideal"]
    expected = 0
    for k in CUTOFFS:
        scores = campaign.matrix[f"nDCG_UE@{k}"][:, queries]
        expected += sum(ttest_rel(one, two).pvalue < 0.05 for one, two in combinations(scores, 2))
    found = in_shape(table(9, campaign, "nDCG"))
    assert found.loc["V2", "Ideal"] == expected > 0


def test_taus_are_means_over_the_cutoffs(campaign):
    from scipy.stats import kendalltau

    expected = np.mean(
        [
            kendalltau(
                campaign.at("AP", "original", k).mean(axis=1),
                campaign.at("AP", "V2", k).mean(axis=1),
            ).statistic
            for k in CUTOFFS
        ]
    )
    assert in_shape(table(7, campaign, "AP")).loc["MAP vs V2", "All"] == pytest.approx(expected)
