"""How much of a run is judged."""

import pytest

from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judgments.judged_run import JudgedRun
from irx_measures.judgments.judged_share import JudgedShare
from irx_measures.judgments.judgments import Judgments

QRELS = {"q1": {"x": 1, "a": 1}, "q2": {"y": 1}, "q3": {"j1": 1, "j2": 0, "j11": 1}}


def share_of(run):
    return JudgedShare.of(JudgedRun(Judgments(read_qrels(QRELS)), read_run(run)))


def ranking(*docs):
    return {doc: -float(place) for place, doc in enumerate(docs)}


def test_documents_are_counted_in_all_and_down_to_rank_10():
    docs = ["j1", *(f"n{number}" for number in range(9)), "j11", "n10"]
    found = share_of({"q2": ranking("n"), "q3": ranking(*docs), "unknown": ranking("j1")})
    assert found == JudgedShare(returned=13, judged=2, top=11, judged_in_top=1)
    assert found.plus(found) == JudgedShare(26, 4, 22, 2)


@pytest.mark.parametrize(
    ("judged", "top", "few", "many"),
    [(0, 100, True, False), (1, 100, False, False), (5, 10, False, False), (6, 10, False, True)],
)
def test_few_and_many(judged, top, few, many):
    found = JudgedShare(top, judged, top, judged)
    assert (found.has_few, found.has_many) == (few, many)


def test_where_nothing_is_judged_a_document_of_each_side_is_named():
    found = share_of({"q2": ranking("b", "c"), "q3": ranking("d")})
    assert found.has_none
    assert found.ids == ("b", "y")
    assert share_of({"unknown": ranking("b")}).has_none is False
    assert JudgedShare(1, 0, 1, 0).plus(found).ids == ("b", "y")
