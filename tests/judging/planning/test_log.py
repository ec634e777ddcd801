"""The log of a judging campaign, each field of which is checked, and judgments filled in."""

import json

import pytest

from irx_measures.exceptions import InputError, MistakesError
from irx_measures.io.qrels_files import FilledRow
from irx_measures.judging.planning.guarantee import Draws
from irx_measures.judging.planning.log import Batch, JudgingLog, JudgingState, added

STATE = JudgingState("best", "a claim", "a", 0.1 + 0.2, 0.95, 3, 10, 1, False)
DRAWS = Draws([1 / 3], 0, -0.1, 0.7, 0.2, 0.5, 0.5, 1.0)
BATCHES = [
    Batch([("q1", "é d"), ("q2", "d")], [], (0, 1), ("a", "b"), "P@10", STATE),
    Batch([("q1", "e")], [[1 / 3, 2 / 3]], (0, 1), ("a", "b"), "P@10", STATE, DRAWS),
]


@pytest.fixture(params=["file", "memory"])
def log(request, tmp_path):
    return JudgingLog(tmp_path / "log.jsonl" if request.param == "file" else None)


def test_batches_come_back_and_one_that_is_asked_for_again_is_one(log):
    for batch in [*BATCHES, BATCHES[1]]:
        log.add_batch(batch)
    assert log.batches() == BATCHES


def test_the_first_judgment_of_a_document_counts(log):
    log.add_judgments([("q1", "d", 1), ("q1", "e", 0)])
    log.add_judgments([("q1", "d", 0), ("q2", "d", 1)])
    assert log.judgments() == {("q1", "d"): 1, ("q1", "e"): 0, ("q2", "d"): 1}


OF_STATE, OF_DRAWS = vars(STATE), DRAWS._asdict()
WRONG = {
    "judgments": [None, [["q", "d"]], [["q", "d", "1"]], [["q", 5, 1]], [["q", "d", True]],
                  [["q", "d", 1 << 31]], 3],
    "documents": [None, [["q"]], "qd", [["q", 1]]],
    "forecasts": [None, [[0.5, 0.5]] * 2, [[1.0]], [[float("nan"), 1]], 3],
    "grades": [None, [*range(100_000)], [1, 2], [0, 0.5], 3],
    "systems": [None, [1], "a"],
    "measure": [None, 3],
    "state": [None, [], *({**OF_STATE, name: value} for name, value in {
        "probability": 2, "judged": -1, "answer": 3, "claimed": 1, "level": 1,
    }.items())],
    "draws": [[], *({**OF_DRAWS, name: value} for name, value in {
        "rest": -1, "estimate": float("inf"), "predicted": [0.1, 0.2], "waiting": 2,
    }.items())],
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, values in WRONG.items() for value in values]
)
def test_a_wrong_field_is_an_error_with_its_line(tmp_path, field, value):
    path = tmp_path / "log.jsonl"
    log = JudgingLog(path)
    log.add_judgments([("q", "d", 1)])
    log.add_batch(BATCHES[1])
    line, read = (0, log.judgments) if field == "judgments" else (1, log.batches)
    lines = [json.loads(text) for text in path.read_text().splitlines()]
    lines[line][field] = value
    if value is None:
        del lines[line][field]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    with pytest.raises(InputError) as caught:
        read()
    message = str(caught.value)
    assert message.startswith(f"{path}:{line + 1}: the field {field!r} is missing or wrong; got ")
    assert len(message) < 300


# Judgments that people filled in

ASKED = BATCHES[0]._replace(documents=[("q", doc) for doc in "abcd"])


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
