"""Judgments that people filled in: what they add, and what is wrong with them."""

import pytest

from irx_measures.exceptions import MistakesError
from irx_measures.io.judged_files import FilledRow
from irx_measures.judging.planning.log import Judged, JudgingLog
from irx_measures.judging.planning.merging import agreement_lines, edits, merge
from irx_measures.judging.planning.state import JudgingState

STATE = JudgingState("best", "a claim", "a", 0.3, 0.95, 3, 10, 1, None)


@pytest.fixture
def log():
    made = JudgingLog()
    made.add_batch([("q", doc) for doc in "abcd"], [], (0, 1), STATE, ("x", "y"))
    return made


def rows(*cells, file="f"):
    return [FilledRow(f"{file}:{line}", "q", *cell) for line, cell in enumerate(cells, 1)]


def mistakes(*args, **options):
    with pytest.raises(MistakesError) as caught:
        merge(*args, **options)
    return list(caught.value.messages)


def test_new_judgments_go_to_the_qrels_and_the_log(log):
    merged = merge(rows(("a", "1"), ("b", ""), ("c", "0.0")), log, {}, "ann")
    assert merged.new == {("q", "a"): 1, ("q", "c"): 0}
    assert merged.opinions == {"ann": [("q", "a", 1), ("q", "c", 0)]}
    assert merged.waiting == 1


def test_every_wrong_row_is_named_at_once(log):
    wrong = rows(("a", "2"), ("b", "x"), ("c", "0.5"), ("z", "1"), ("d", "1"), ("d", "0"))
    assert mistakes(wrong, log, {}) == [
        "f:1: the grade of document 'a' of query 'q' must be one of 0, 1; got '2'",
        "f:2: the grade of document 'b' of query 'q' must be one of 0, 1; got 'x'",
        "f:3: the grade of document 'c' of query 'q' must be one of 0, 1; got '0.5'",
        "f:4: `irx judge next` did not ask for document 'z' of query 'q' (--unasked takes it "
        "nevertheless)",
        "f:6: document 'd' of query 'q' has grade 0, but 1 at f:5 (if somebody else judged it, "
        "name both with --judge)",
    ]


@pytest.mark.parametrize("grade", ["nan", "inf", "1e400", "1e300", "2147483648", "True", "0x1"])
def test_only_numbers_are_grades(log, grade):
    (message,) = mistakes(rows(("a", grade)), log, {}, unasked=True)
    assert "must be one of 0, 1" in message
    (message,) = mistakes(rows(("a", grade)), JudgingLog(), {}, unasked=True)
    assert "must be a whole number" in message


def test_the_same_judgment_again_adds_nothing(log):
    log.add_judgments([("q", "a", 1)], "ann")
    for judge in ("ann", None):
        merged = merge(rows(("a", "1")), log, {("q", "a"): 1}, judge)
        assert not merged.new
        assert not merged.opinions


def test_what_was_written_to_the_log_only_is_completed(log):
    log.add_judgments([("q", "a", 1)], "ann")
    merged = merge(rows(("a", "1")), log, {}, "ann")
    assert merged.new == {("q", "a"): 1}
    assert not merged.opinions


def test_judges_with_names_may_differ_and_the_first_counts(log):
    log.add_judgments([("q", "a", 1)], "ann")
    merged = merge(rows(("a", "0"), ("b", "0")), log, {("q", "a"): 1}, "bob")
    assert merged.opinions == {"bob": [("q", "a", 0), ("q", "b", 0)]}
    assert merged.new == {("q", "b"): 0}


def test_a_row_names_its_judge(log):
    merged = merge(rows(("a", "1", "ann"), ("a", "0", "bob")), log, {}, "eve")
    assert merged.opinions == {"ann": [("q", "a", 1)], "bob": [("q", "a", 0)]}
    assert merged.new == {("q", "a"): 1}


@pytest.mark.parametrize(
    ("judge", "logged_by", "place"),
    [("ann", "ann", "in the log"), (None, "ann", "in the log"), (None, None, "in the log")],
)
def test_other_contradictions_of_the_log_are_errors(log, judge, logged_by, place):
    log.add_judgments([("q", "a", 1)], logged_by)
    (message,) = mistakes(rows(("a", "0")), log, {}, judge)
    assert f"has grade 0, but 1 {place}" in message


def test_without_a_name_a_contradiction_of_the_qrels_is_an_error(log):
    (message,) = mistakes(rows(("a", "0")), log, {("q", "a"): 1})
    assert "has grade 0, but 1 in the qrels" in message
    assert merge(rows(("a", "0")), log, {("q", "a"): 1}, "ann").opinions


def test_contradictions_between_files_name_both_lines(log):
    both = [*rows(("a", "1"), file="one"), *rows(("b", "0"), ("a", "0"), file="two")]
    (message,) = mistakes(both, log, {}, "ann")
    assert message == "two:2: document 'a' of query 'q' has grade 0, but 1 at one:1"


def test_documents_that_were_not_asked_for_can_be_taken(log):
    assert merge(rows(("z", "1")), log, {}, unasked=True).new == {("q", "z"): 1}
    assert not merge(rows(("z", "1")), log, {("q", "z"): 1}).new


def test_agreement_of_each_two_judges():
    opinions = [
        Judged("q", doc, grade, judge)
        for judge, grades in (("ann", "1100"), ("bob", "1000"), (None, ""))
        for doc, grade in zip("abcd", map(int, grades), strict=False)
    ]
    assert list(agreement_lines(opinions)) == [
        "ann and bob judged 4 documents in common: 75% with the same grade, quadratic kappa 0.500"
    ]
    assert list(agreement_lines(opinions[:4])) == []


def test_edits_by_hand_are_counted():
    log = {("q", "a"): 1, ("q", "b"): 0, ("q", "c"): 0}
    assert edits(log, log) == []
    assert edits(log, {("q", "a"): 0, ("q", "b"): 0, ("q", "d"): 1, ("q", "e"): 1}) == [
        "in the qrels only: 2 judgments (from before the log, or by hand); they count",
        "in the log only: 1 judgment (removed from the qrels by hand); they count",
        "with another grade in the qrels than in the log: 1 judgment; the qrels count",
    ]
