"""ScoreMatrix: scores by name, and as DataFrames."""

from dataclasses import replace

import ir_measures
import numpy as np
import pandas as pd
import pytest
from ir_measures import P, nDCG
from pandas.testing import assert_frame_equal

from irx_measures import NRG, InputError, RunSet, ScoreMatrix, UniqueRel, evaluate
from irx_measures.measures.naming.named_score import NamedScore
from tests.campaigns import random_campaign
from tests.doubts import MISSED_QUERIES, NO_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR]

MEASURES = (NRG(prior="others", base="RR") @ 10, ir_measures.NumRel, UniqueRel @ 5)
SYSTEMS = ("b", "a")
QUERIES = ("q10", "q9", "q1", "q2")
SCORES = np.arange(24.0).reshape(3, 2, 4)
ONE = np.ones((1, 1, 1))


@pytest.fixture
def matrix():
    return ScoreMatrix(MEASURES, SYSTEMS, QUERIES, SCORES)


@pytest.mark.parametrize("scores", [np.zeros((2, 3, 4)), np.zeros((3, 2, 4, 1)), [[[1.0]]]])
def test_scores_must_have_a_row_for_every_name(scores):
    with pytest.raises(InputError, match=r"\(measures, systems, queries\) = \(3, 2, 4\); got [(<]"):
        ScoreMatrix(MEASURES, SYSTEMS, QUERIES, scores)


def test_a_measure_finds_its_scores_however_it_is_spelled(matrix):
    for place, measure in enumerate(MEASURES):
        for named in (measure, str(measure), f" {measure} ".replace(",", " , ")):
            np.testing.assert_array_equal(matrix[named], SCORES[place])


NAMED = (  # two of the same name without parameters
    NRG(prior="others") @ 10,
    NRG(prior="others") @ 5,
    UniqueRel(prior=RunSet({"bm25": {"q": {"A": 1.0}}})) @ 5,
    UniqueRel(prior="a") @ 5,
    P(rel=2) @ 5,
    nDCG @ 10,
    nDCG(dcg="exp-log2") @ 10,
    NamedScore("NRG (dev)"),
)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("NRG@10", 0),  # as a terminal shows it
        ("NRG(prior=others)@10", 0),
        (" NRG@5 ", 1),
        ("UniqueRel(prior=bm25)@5", 2),  # without the digest
        (f"{NAMED[2]}", 2),
        ("UniqueRel(prior=a)@5", 3),
        ("UniqueRel@5 #1", 2),
        ("P@5", 4),
        ("nDCG@10", 5),  # the measure of this string, though another one is shown so
        ("ndcg@10", 5),
        ("nDCG(dcg='exp-log2')@10", 6),
        ("ndcg_burges@10", 6),
        ("NRG (dev)", 7),
    ],
)
def test_a_measure_is_found_by_the_label_that_tables_show(name, place):
    scores = np.arange(len(NAMED) * 3.0).reshape(len(NAMED), 1, 3)
    labelled = ScoreMatrix(NAMED, ("a",), ("q1", "q2", "q3"), scores)
    np.testing.assert_array_equal(labelled[name], scores[place])
    assert labelled.select(name).measures == (NAMED[place],)
    assert labelled.select([name, NAMED[place]]).measures == (NAMED[place],)


def test_a_label_of_several_measures_names_them():
    labelled = ScoreMatrix(NAMED, ("a",), ("q",), np.ones((len(NAMED), 1, 1)))
    several = r"UniqueRel@5 may be UniqueRel\(prior=bm25\)@5 or UniqueRel\(prior=a\)@5: name"
    for find in (labelled.__getitem__, labelled.select):
        with pytest.raises(InputError, match=several):
            find("UniqueRel@5")
    for unknown in ("NRG@20", "NRG(rel=2)@10", "hits@5", "P@", NRG @ 10, "P_5,10"):
        with pytest.raises(KeyError, match=r"is not among NRG\(prior=others\)@10, NRG\(prior=oth"):
            labelled[unknown]
    for unknown, hint in (("nDCG@100", "; did you mean nDCG@10[?]"), ("DCG@10", "[^?][\"']$")):
        with pytest.raises(KeyError, match=hint):
            labelled[unknown]
    both = ScoreMatrix((P @ 5, P @ 10), ("a",), ("q",), np.ones((2, 1, 1)))
    assert both.select("P_5,10").measures == (P @ 5, P @ 10)
    with pytest.raises(InputError, match="P_5,10 stands for P@5, P@10: name one of them"):
        both["P_5,10"]


@pytest.mark.parametrize("measure", ["NRG(base=RR)@10", NRG(prior="others", base="RR") @ 5])
def test_a_measure_that_was_not_asked_is_a_key_error(matrix, measure):
    with pytest.raises(KeyError, match=r"not among NRG\(prior=others,base=RR\)@10, NumRel, Uniqu"):
        matrix[measure]


def test_select_keeps_the_order_asked_for(matrix):
    chosen = matrix.select(["UniqueRel@5", MEASURES[0]])
    assert chosen.measures == (MEASURES[2], MEASURES[0])
    np.testing.assert_array_equal(chosen.scores, SCORES[[2, 0]])
    assert (chosen.systems, chosen.query_ids) == (SYSTEMS, QUERIES)
    assert matrix.select("UniqueRel@5").measures == chosen.measures[:1]
    assert matrix.select(["UniqueRel@5", "UniqueRel@5"]).measures == chosen.measures[:1]
    with pytest.raises(InputError, match="a measure is missing"):
        matrix.select([])


def test_means_are_systems_by_measures_in_the_order_asked(matrix):
    means = matrix.means()
    assert means.index.tolist() == ["b", "a"]
    assert means.columns.tolist() == ["NRG(prior=others,base=RR)@10", "NumRel", "UniqueRel@5"]
    assert (means.index.name, means.columns.name) == ("system", "measure")
    np.testing.assert_array_equal(means["UniqueRel@5"], [17.5, 21.5])


def test_aggregates_are_those_of_ir_measures():
    qrels, runs, _ = random_campaign(21, ties=True)
    measures = [ir_measures.parse_measure(m) for m in ("NumRel", "NumQ", "NumRet", "NumRet(rel=1)")]
    measures += [ir_measures.nDCG @ 10, NRG @ 10, UniqueRel @ 5]
    known = {name: {q: run[q] for q in run if q in qrels} for name, run in runs.items()}
    means = evaluate(qrels, known, measures).means()
    for name, run in known.items():
        expected = ir_measures.calc_aggregate(measures, qrels, run)
        for measure in measures:
            assert means.loc[name, str(measure)] == pytest.approx(expected[measure], rel=1e-12)
    assert means.loc["run0", "NumQ"] == len(qrels)


def test_to_frame_has_a_row_per_score(matrix):
    frame = matrix.to_frame()
    expected = pd.DataFrame(
        [
            (system, query, str(measure), SCORES[m, s, q])
            for m, measure in enumerate(MEASURES)
            for s, system in enumerate(SYSTEMS)
            for q, query in enumerate(QUERIES)
        ],
        columns=["system", "query_id", "measure", "value"],
    )
    assert_frame_equal(frame, expected)
    assert_frame_equal(pd.DataFrame(matrix.to_columns()), expected)


def test_undefined_scores_have_no_row(matrix):
    scores = matrix.scores.copy()
    scores[1, 0] = np.nan
    part = ScoreMatrix(MEASURES, SYSTEMS, QUERIES, scores).to_frame()
    undefined = (part.system == SYSTEMS[0]) & (part.measure == str(MEASURES[1]))
    assert (len(part), undefined.any()) == (scores.size - len(QUERIES), False)


def test_a_matrix_without_queries_has_frames():
    empty = ScoreMatrix(MEASURES, SYSTEMS, (), np.zeros((3, 2, 0)))
    assert empty.to_frame().empty
    assert empty.to_frame().columns.tolist() == ["system", "query_id", "measure", "value"]
    assert empty.means().shape == (2, 3)


# Equality and display


def test_equal_content_is_equal_and_hashes_alike():
    scores = np.where(SCORES < 4, np.nan, SCORES)  # undefined scores are equal, too
    one, other = (ScoreMatrix(MEASURES, SYSTEMS, QUERIES, scores.copy()) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one.undefined.tolist() == [[True, False], [False, False], [False, False]]


@pytest.mark.parametrize(
    "change",
    [
        {"scores": SCORES + 1},
        {"systems": ("b", "c")},
        {"query_ids": ("q10", "q9", "q1", "q3")},
        {"measures": (*MEASURES[:2], UniqueRel @ 6)},
        {"groups": ("x", "x")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_other_content_is_not_equal(matrix, change):
    assert matrix != replace(matrix, **change)
    assert matrix != "ScoreMatrix"


def test_the_repr_is_the_sizes_and_the_means(matrix):
    said, *table = repr(matrix).splitlines()
    assert said == "ScoreMatrix: 3 measures x 2 systems x 4 queries"
    means = matrix.means().set_axis([*map(str, matrix.measures)], axis=1)
    assert table == repr(means).splitlines()


def test_the_repr_has_labels_and_the_table_has_strings():
    one, other = (RunSet({"a": {"q": {doc: 1.0}}}) for doc in "AB")
    both = tuple(UniqueRel(prior=prior) @ 5 for prior in (one, other))
    assert "UniqueRel(prior=a)@5" in repr(ScoreMatrix(both[:1], ("a",), ("q",), ONE))
    two = ScoreMatrix(both, ("a",), ("q",), np.ones((2, 1, 1)))
    assert two.means().columns.tolist() == list(map(str, both))
