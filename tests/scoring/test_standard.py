"""Errors for input with which ir_measures' native providers return wrong scores or crash."""

import numpy as np
import pytest

from irx_measures import NRG, evaluate
from tests.doubts import MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS

pytestmark = [MISSED_QUERIES, NO_PRIOR, NO_SYSTEMS]

QRELS = {"q1": {"A": 1, "B": 0}}
RUN = {"q1": {"A": 2.0, "B": 1.0}}


@pytest.mark.parametrize("odd", ["a\0b", "\udc80"], ids=["null", "surrogate"])
@pytest.mark.parametrize(
    ("runs", "qrels", "what"),
    [
        (lambda odd: {"q1": {odd: 1.0}}, lambda odd: QRELS, "run 'a'"),
        (lambda odd: RUN, lambda odd: {"q1": {odd: 1}}, "qrels"),
        (lambda odd: RUN, lambda odd: {**QRELS, odd: {"A": 1}}, "qrels"),
    ],
    ids=["run", "document", "query"],
)
def test_ids_that_are_no_c_strings_are_told(odd, runs, qrels, what):
    told = rf"{what}: ids must be text without null characters for Compat\(p=0.8\); got "
    with pytest.raises(ValueError, match=told):
        evaluate(qrels(odd), {"a": runs(odd)}, ["nDCG@10", "NRG@10", "Compat(p=0.8)"])
    both = {"q0": {"A": 1.0}}
    scores = evaluate(qrels(odd) | both, {"a": runs(odd) | both}, ["nDCG@10", "AP"]).scores
    assert scores.min() >= 0.0
    assert evaluate({"q1": {odd: 1}}, {"a": {"q1": {odd: 1.0}}}, "nDCG@10").scores.item() == 1.0
    assert evaluate({"q1": {odd: 1, "A": 1}}, {"a": RUN}, "P_Rareness@1").scores.item() == 1.0


def test_odd_queries_outside_the_qrels_are_told_where_a_provider_would_read_them():
    runs = {"a": {**RUN, "q1\0": {"A": 1.0}}}
    assert evaluate(QRELS, runs, "AP").scores.item() == 1.0
    with pytest.raises(ValueError, match="run 'a': ids must be text without null characters"):
        evaluate(QRELS, runs, ["AP", "Compat(p=0.8)"])


def test_grades_that_trec_eval_cannot_count_are_told():
    highest = 1 << 24
    run = {"q1": {"B": 2.0, "A": 1.0}}
    assert evaluate({"q1": {"A": highest}}, {"a": run}, "AP").scores.item() == 0.5
    with pytest.raises(ValueError, match=f"at most {highest} for AP, RR; got {highest + 1}"):
        evaluate({"q1": {"A": highest + 1}}, {"a": run}, ["AP", "RR", "NRG"])
    assert evaluate({"q1": {"A": 2**31 - 1}}, {"a": run}, "NRG(base=RR)").scores.item() == 0.5


@pytest.mark.parametrize("measure", ["nDCG(dcg='exp-log2')@10", "ERR@10"])
def test_grades_that_gdeval_refuses_are_told(measure):
    with pytest.raises(ValueError, match=r"grades must be at most 4 for (nDCG|ERR)\S+; got 5"):
        evaluate({"q1": {"A": 5}}, {"a": RUN}, ["AP", measure])


def test_a_provider_that_fails_is_one_error_with_its_reason():
    with pytest.raises(ValueError, match="run 'a': ir_measures failed at Accuracy: Zero"):
        evaluate(QRELS, {"a": {"q1": {"A": 1.0}}}, "Accuracy")


def test_a_score_that_a_provider_leaves_out_is_told(monkeypatch):
    monkeypatch.setattr("ir_measures.providers.Evaluator.iter_calc", lambda self, run: iter(()))
    with pytest.raises(ValueError, match=r"run 'a': Compat.* has no score for query 'q1'"):
        evaluate(QRELS, {"a": RUN}, "Compat(p=0.8)")


def test_a_score_that_a_measure_fails_to_give_is_told(monkeypatch):
    monkeypatch.setattr(type(NRG), "score", lambda self, judged: np.full(1, np.nan))
    with pytest.raises(ValueError, match="run 'a': NRG@10 has no score for query 'q1'"):
        evaluate(QRELS, {"a": RUN}, "NRG@10")
