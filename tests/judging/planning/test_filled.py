"""Judgments that people filled in: what they add, and what is wrong with them."""

import pytest

from irx_measures.exceptions import InputError, MistakesError
from irx_measures.io.qrels_files import FilledRow
from irx_measures.judging.planning.filled import added
from irx_measures.judging.planning.log import Batch, JudgingLog, JudgingState

STATE = JudgingState("best", "a claim", "a", 0.3, 0.95, 3, 10, 1, False)
BATCH = Batch([("q", doc) for doc in "abcd"], [], (0, 1), ("x", "y"), "P@10", STATE)


@pytest.fixture
def log():
    made = JudgingLog()
    made.add_batch(BATCH)
    return made


def rows(*cells, file="f"):
    return [FilledRow(f"{file}:{line}", "q", *cell) for line, cell in enumerate(cells, 1)]


def mistakes(*args, **options):
    with pytest.raises(MistakesError) as caught:
        added(*args, **options)
    return list(caught.value.messages)


def test_new_judgments_go_to_the_qrels_and_the_log(log):
    new = added(rows(("a", "1"), ("b", ""), ("c", "0.0")), log, {})
    assert new.to_qrels == new.to_log == {("q", "a"): 1, ("q", "c"): 0}
    assert new.waiting == 1


def test_every_wrong_row_is_named_at_once(log):
    log.add_judgments([("q", "b", 1)])
    wrong = rows(("a", "2"), ("b", "x"), ("c", "0.5"), ("z", "1"), ("d", "1"), ("d", "0"),
                 ("b", "0"), ("a", "0"))  # fmt: skip
    two = "(judgments of two people go into two files of qrels, for `irx judge audit`)"
    assert mistakes(wrong, log, {("q", "a"): 1}) == [
        "f:1: the grade of document 'a' of query 'q' must be one of 0, 1; got '2'",
        "f:2: the grade of document 'b' of query 'q' must be one of 0, 1; got 'x'",
        "f:3: the grade of document 'c' of query 'q' must be one of 0, 1; got '0.5'",
        "f:4: `irx judge next` did not ask for document 'z' of query 'q'",
        f"f:6: document 'd' of query 'q' has grade 0, but 1 at f:5 {two}",
        f"f:7: document 'b' of query 'q' has grade 0, but 1 in the log {two}",
        f"f:8: document 'a' of query 'q' has grade 0, but 1 in the qrels {two}",
    ]


@pytest.mark.parametrize("grade", ["nan", "inf", "1e400", "1e300", "2147483648", "True", "0x1"])
def test_only_numbers_are_grades(log, grade):
    (message,) = mistakes(rows(("a", grade)), log, {})
    assert "must be one of 0, 1" in message


def test_nothing_is_added_before_a_document_was_asked_for():
    with pytest.raises(InputError, match="has not asked for a document yet"):
        added(rows(("a", "1")), JudgingLog(), {})


@pytest.mark.parametrize("logged", [True, False])
@pytest.mark.parametrize("in_qrels", [True, False])
def test_what_was_written_to_one_file_only_is_completed(log, logged, in_qrels):
    if logged:
        log.add_judgments([("q", "a", 1)])
    new = added(rows(("a", "1")), log, {("q", "a"): 1} if in_qrels else {})
    assert (bool(new.to_log), bool(new.to_qrels)) == (not logged, not in_qrels)


def test_judgments_that_the_qrels_have_may_come_again(log):
    assert not added(rows(("z", "1")), log, {("q", "z"): 1}).to_qrels


@pytest.mark.parametrize(
    ("written", "doc"), [("'=d", "=d"), ("=d", "=d"), ("'+d", "'+d"), ("\\x1bd", "\x1bd")]
)
def test_ids_of_csv_safe_are_those_that_were_asked_for(written, doc):
    log = JudgingLog()
    documents = [("q", "=d"), ("q", "'+d"), ("q", "+d"), ("q", "\x1bd")]
    log.add_batch(BATCH._replace(documents=documents))
    assert added(rows((written, "1")), log, {}).to_qrels == {("q", doc): 1}
