"""Judgments that people filled in: what is wrong with them, and where they are added."""

import pandas as pd
import pytest

from irx_measures import JudgingPlan
from irx_measures.exceptions import InputError, MistakesError
from irx_measures.io.qrels_files import FilledRow, judging_log_of
from irx_measures.judging import add_judgments
from irx_measures.judging.planning.adding import added
from irx_measures.judging.planning.log import JudgingLog
from irx_measures.judging.planning.records import Batch, JudgingState

STATE = JudgingState("best", "a claim", "a", 0.3, 0.95, 3, 10, 1, False)
ASKED = Batch([("q", doc) for doc in "abcd"], [], (0, 1), ("a", "b"), "P@10", STATE)


@pytest.fixture
def asked():
    made = JudgingLog()
    made.add_batch(ASKED)
    return made


def rows(*cells, file="f"):
    return [FilledRow(f"{file}:{line}", "q", *cell) for line, cell in enumerate(cells, 1)]


def mistakes(*args, **options):
    with pytest.raises(MistakesError) as caught:
        added(*args, **options)
    return list(caught.value.messages)


def test_new_judgments_go_to_the_qrels_and_the_log(asked):
    new = added(rows(("a", "1"), ("b", ""), ("c", "0.0")), asked, {})
    assert new.to_qrels == new.to_log == {("q", "a"): 1, ("q", "c"): 0}
    assert new.waiting == 1


def test_the_first_wrong_rows_are_named_at_once_and_all_are_counted(asked):
    asked.add_judgments([("q", "b", 1)])
    wrong = rows(("a", "2"), ("b", "x"), ("c", "0.5"), ("z", "1"), ("d", "1"), ("d", "0"),
                 ("b", "0"), ("a", "0"))  # fmt: skip
    two = "(judgments of two people go into two files of qrels, for `irx judge audit`)"
    of_all = mistakes(wrong, asked, {("q", "a"): 1})
    assert of_all[5] == "2 more rows are wrong"
    assert [*of_all[:5], *mistakes(wrong[-2:], asked, {("q", "a"): 1})] == [
        "f:1: the grade of document 'a' of query 'q' must be one of 0, 1; got '2'",
        "f:2: the grade of document 'b' of query 'q' must be one of 0, 1; got 'x'",
        "f:3: the grade of document 'c' of query 'q' must be one of 0, 1; got '0.5'",
        "f:4: `irx judge next` did not ask for document 'z' of query 'q'",
        f"f:6: document 'd' of query 'q' has grade 0, but 1 at f:5 {two}",
        f"f:7: document 'b' of query 'q' has grade 0, but 1 in the log {two}",
        f"f:8: document 'a' of query 'q' has grade 0, but 1 in the qrels {two}",
    ]


@pytest.mark.parametrize("grade", ["nan", "inf", "1e400", "1e300", "2147483648", "True", "0x1"])
def test_only_numbers_are_grades(asked, grade):
    (message,) = mistakes(rows(("a", grade)), asked, {})
    assert "must be one of 0, 1" in message


def test_nothing_is_added_before_a_document_was_asked_for():
    with pytest.raises(InputError, match="has not asked for a document yet"):
        added(rows(("a", "1")), JudgingLog(), {})


@pytest.mark.parametrize("logged", [True, False])
@pytest.mark.parametrize("in_qrels", [True, False])
def test_what_was_written_to_one_file_only_is_completed(asked, logged, in_qrels):
    if logged:
        asked.add_judgments([("q", "a", 1)])
    new = added(rows(("a", "1")), asked, {("q", "a"): 1} if in_qrels else {})
    assert (bool(new.to_log), bool(new.to_qrels)) == (not logged, not in_qrels)


def test_judgments_that_the_qrels_have_may_come_again(asked):
    assert not added(rows(("z", "1")), asked, {("q", "z"): 1}).to_qrels


@pytest.mark.parametrize(
    ("written", "doc"), [("'=d", "=d"), ("=d", "=d"), ("'+d", "'+d"), ("\\x1bd", "\x1bd")]
)
def test_ids_of_csv_safe_are_those_that_were_asked_for(written, doc):
    log = JudgingLog()
    documents = [("q", "=d"), ("q", "'+d"), ("q", "+d"), ("q", "\x1bd")]
    log.add_batch(ASKED._replace(documents=documents))
    assert added(rows((written, "1")), log, {}).to_qrels == {("q", doc): 1}


def test_a_judgment_of_the_log_that_nobody_asked_for_is_refused_for_that_alone(asked):
    asked.add_judgments([("q", "z", 1)])
    (message,) = mistakes(rows(("z", "1")), asked, {})
    assert message == "f:1: `irx judge next` did not ask for document 'z' of query 'q'"


# Added to files

RUNS = {"a": {"q": {"A": 2.0, "B": 1.0}}, "b": {"q": {"B": 2.0, "C": 1.0}}}


@pytest.fixture(params=["beside", "elsewhere"])
def campaign(request, tmp_path):
    """The qrels of a campaign that asked for 2 documents, and where its log is if it is named."""
    qrels, log = tmp_path / "qrels.txt", None
    if request.param == "elsewhere":
        log = tmp_path / "a.log"
    plan = JudgingPlan(None, RUNS, "nDCG@2", "best", log=log or judging_log_of(qrels))
    assert plan.next(2)["doc_id"].tolist() == ["B", "A"]
    return qrels, log


def fill(path, **grades):
    """A file of judgments of query q, by document; None for no grade."""
    table = pd.DataFrame({"query_id": "q", "doc_id": [*grades], "grade": [*grades.values()]})
    table.to_csv(path, index=False)
    return path


def test_files_go_into_the_qrels_and_the_log(campaign, tmp_path):
    qrels, log = campaign
    one, other = fill(tmp_path / "1.csv", A=1, B=""), fill(tmp_path / "2.csv", B=0)
    first = add_judgments(qrels, str(one), log=log)
    assert (first.new, first.total, first.waiting) == (1, 1, 1)
    assert first.summary == f"added 1 judgment to {qrels}, which has 1; 1 document without a grade"
    both = add_judgments(str(qrels), [one, other], log=log)
    assert (both.qrels, both.new, both.total) == (qrels, 1, 2)
    assert qrels.read_text() == "q 0 A 1\nq 0 B 0\n"
    kept = JudgingLog(judging_log_of(qrels) if log is None else log)
    assert kept.judgments() == {("q", "A"): 1, ("q", "B"): 0}
    plan = JudgingPlan(qrels, RUNS, "nDCG@2", "best", log=kept)
    assert plan.state().judged == 2


def test_nothing_is_written_if_one_of_the_files_is_wrong(campaign, tmp_path):
    qrels, log = campaign
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    right, wrong = fill(tmp_path / "1.csv", A=1), fill(tmp_path / "2.csv", A=0, B=7)
    with pytest.raises(MistakesError) as caught:
        add_judgments(qrels, [right, wrong], log=log)
    assert [text.split(": ")[0] for text in caught.value.messages] == [f"{wrong}:2", f"{wrong}:3"]
    assert {path: path.read_bytes() for path in before} == before
    assert not qrels.exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none/qrels.txt", None, "`qrels` must be a file in a folder that exists"),
        ("irds:vaswani", None, "`qrels` must be a file in a folder that exists"),
        ("qrels.csv", None, "`qrels` must be a TREC file; got csv"),
        ("qrels.txt", "query_id\tdoc_id\tgrade\n", "must be a TREC file; got one with a header"),
        ("folder", "", "`qrels`: .*folder: a folder, a pipe or a device"),
    ],
)
def test_qrels_to_which_nothing_can_be_added(tmp_path, name, content, message):
    path = name if name.startswith("irds:") else tmp_path / name
    if name == "folder":
        path.mkdir()
    elif content is not None:
        path.write_text(content)
    with pytest.raises(InputError, match=message):
        add_judgments(path, tmp_path / "batch.csv")


def test_a_read_only_file_is_refused_before_anything_is_read(campaign, tmp_path):
    qrels, log = campaign
    qrels.write_text("")
    qrels.chmod(0o400)
    with pytest.raises(InputError, match=r"`qrels`: .* the file is read-only"):
        add_judgments(qrels, tmp_path / "none.csv", log=log)


def test_a_log_without_a_question_is_not_made(tmp_path):
    batch = fill(tmp_path / "batch.csv", A=1)
    with pytest.raises(InputError, match="has not asked for a document yet"):
        add_judgments(tmp_path / "qrels.txt", batch)
    assert [path.name for path in tmp_path.iterdir()] == ["batch.csv"]
