"""Qrels as arrays, by hand and against dictionaries: levels, masks, look-ups, references."""

import numpy as np
import pytest
from hypothesis import given
from ir_measures import ScoredDoc
from numpy.testing import assert_array_equal

from irx_measures.io.containers import qrels_table, run_table
from irx_measures.judgments.judgments import Judgments, reference_judgments
from tests.campaigns import qrels
from tests.oracles.ranking import ranking

QRELS = {"q1": {"A": 0, "B": 2, "C": 1, "D": -1}, "q2": {"E": 5, "A": 1}}


def as_dicts(judgments):
    """Grades by query and document, read from the arrays alone."""
    columns = judgments.where(judgments.is_judged)
    grades = {query: {} for query in judgments.query_ids}
    rows = zip(columns.query.all(), columns.doc.all(), columns.value.tolist(), strict=True)
    for query, doc, grade in rows:
        grades[query][doc] = grade
    return grades


def test_levels_are_places_among_all_grades_and_0():
    grades, of = Judgments(qrels_table(QRELS)).levels
    assert grades.tolist() == [0, 1, 2, 5]
    assert of.tolist() == [[2, 1, 0, 0], [3, 1, 0, 0]]


@pytest.mark.parametrize(
    ("judged", "grades"), [({"q": {"A": 3}}, [0, 3]), ({"q": {"A": -2}}, [0]), ({}, [0])]
)
def test_grade_0_is_always_a_level(judged, grades):
    assert Judgments(qrels_table(judged)).levels.grades.tolist() == grades


@given(qrels)
def test_levels_give_the_grades_back(judged):
    judgments = Judgments(qrels_table(judged))
    grades, of = judgments.levels
    assert (np.diff(grades) > 0).all()
    assert_array_equal(grades[of], np.maximum(judgments.grade, 0))


@given(qrels)
def test_the_arrays_have_the_grades_of_the_qrels_the_highest_first(judged):
    judgments = Judgments(qrels_table(judged))
    assert as_dicts(judgments) == judged
    for row, (docs, number) in enumerate(zip(judged.values(), judgments.judged, strict=True)):
        assert number == len(docs)
        best_first = sorted(docs.values(), reverse=True)
        assert judgments.grade[row].tolist() == best_first + [0] * (
            judgments.grade.shape[1] - number
        )
    positives = [sum(grade > 0 for grade in docs.values()) for docs in judged.values()]
    assert judgments.positives == max(1, *positives)


def test_a_mask_leaves_some_of_the_judgments():
    judgments = Judgments(qrels_table(QRELS))
    some = judgments.where(np.array([[True, False, False, True], [False, True, False, False]]))
    rows = zip(some.query.all(), some.doc.all(), some.value.tolist(), strict=True)
    assert sorted(rows) == [("q1", "B", 2), ("q1", "D", -1), ("q2", "A", 1)]
    nothing = judgments.where(np.zeros((2, 4), bool))
    assert (len(nothing.query), len(nothing.doc), len(nothing.value)) == (0, 0, 0)


@given(judged=qrels)
def test_documents_are_found_where_they_are_judged_and_nowhere_else(judged):
    judgments = Judgments(qrels_table(judged))
    docs = [*judgments.doc_index.ids, "unknown"]
    queries = range(len(judgments.query_ids))
    pairs = [(query, doc) for query in queries for doc in range(len(docs))]
    query, doc = np.array(pairs, np.int32).T
    doc = np.where(doc == len(docs) - 1, np.int32(-1), doc)
    place, slot = judgments.find(query, doc)
    is_judged = [docs[d] in judged[judgments.query_ids[q]] for q, d in pairs]
    assert sorted(place.tolist()) == np.flatnonzero(is_judged).tolist()
    for at, where in zip(place, slot, strict=True):
        row, column = divmod(int(where), judgments.grade.shape[1])
        assert row == query[at]
        assert judgments.grade[row, column] == judged[judgments.query_ids[row]][docs[doc[at]]]


# References


RUN = {"q2": {"E": 1.0, "F": 3.0, "A": 1.0, "G": 0.5}, "q1": {"B": 2.0}, "other": {"A": 1.0}}


def test_documents_of_a_reference_have_the_grades_of_their_ties():
    reference = reference_judgments(run_table(RUN), ["q1", "q2", "q3"])
    assert reference.query_ids == ("q1", "q2", "q3")
    assert reference.judged.tolist() == [1, 4, 0]
    grades = as_dicts(reference)
    assert list(grades["q1"]) == ["B"]
    assert sorted(grades["q2"]) == ["A", "E", "F", "G"]
    first, second, third, fourth = (grades["q2"][doc] for doc in "FEAG")
    assert first > second == third > fourth > 0


@given(qrels)
def test_the_qrels_as_a_reference_rank_the_positive_documents_by_grade(judged):
    judgments = Judgments(qrels_table(judged))
    reference = judgments.self_reference
    assert reference is judgments.self_reference
    assert reference.query_ids == judgments.query_ids
    for query, grades in as_dicts(reference).items():
        assert all(grade > 0 for grade in grades.values())
        positive = {doc: grade for doc, grade in judged[query].items() if grade > 0}
        assert ranking(grades) == ranking(positive)
        assert len(set(grades.values())) == len(set(positive.values()))


def test_a_reference_does_not_depend_on_the_order_in_which_ties_come():
    first, turned = (
        {"q1": dict.fromkeys(order, 1.0), "q2": {"C": 2.0}} for order in ("ABCD", "DACB")
    )
    digests = {reference_judgments(run_table(run), ["q1", "q2"]).digest for run in (first, turned)}
    assert len(digests) == 1


def test_a_reference_that_returns_a_document_twice_is_refused():
    rows = [ScoredDoc("q", "A", 2.0), ScoredDoc("q", "B", 1.0), ScoredDoc("q", "A", 0.5)]
    with pytest.raises(ValueError, match="query 'q' returns document 'A' more than once"):
        reference_judgments(run_table(rows), ["q"])
