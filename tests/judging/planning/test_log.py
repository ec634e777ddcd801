"""The log of a judging campaign: what is written comes back, and every field is checked."""

import json

import pytest

from irx_measures import InputError
from irx_measures.judging.planning.log import JudgingLog, LoggedBatch
from irx_measures.judging.planning.state import JudgingState

STATE = JudgingState("best", "a claim", "a", 0.1 + 0.2, 0.95, 3, 10, 1, False, None)
DRAWS = {
    "predicted": [1 / 3], "waiting": 0, "estimate": -0.1, "rest": 0.7, "spread": 0.2, "over": 0.5,
    "under": 0.5, "total": 1.0,
}  # fmt: skip
BATCHES = [
    LoggedBatch([("q1", "é d"), ("q2", "d")], [], (0, 1), ("a", "b"), "P@10", STATE),
    LoggedBatch([("q1", "e")], [[1 / 3, 2 / 3]], (0, 1), ("a", "b"), "P@10", STATE, DRAWS),
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


WRONG = [
    ("judgments", None, "the field 'judgments' is missing"),
    ("judgments", [["q", "d"]], "'judgments' must be a list of query id, document id and grade"),
    ("judgments", [["q", "d", "1"]], "'judgments' must"),
    ("judgments", [["q", 5, 1]], "'judgments' must"),
    ("judgments", [["q", "d", True]], "'judgments' must"),
    ("judgments", [["q", "d", 1 << 31]], "'judgments' must"),
    ("judgments", 3, "'judgments' must"),
    ("documents", None, "the field 'documents' is missing"),
    ("documents", [["q"]], "'documents' must be a list of pairs"),
    ("documents", "qd", "'documents' must"),
    ("forecasts", [[0.5, 0.5]] * 2, "'forecasts' must be a list of 2 probabilities for each"),
    ("forecasts", [[1.0]], "'forecasts' must"),
    ("forecasts", [[float("nan"), 1]], "'forecasts' must"),
    ("forecasts", 3, "'forecasts' must"),
    ("grades", [*range(100_000)], "'grades' must be 0 and 1 to 100 higher grades; got"),
    ("grades", [1, 2], "'grades' must be 0 and"),
    ("grades", [0, 0.5], "'grades' must be a list of grades"),
    ("systems", [1], "'systems' must be a list of names"),
    ("measure", None, "the field 'measure' is missing"),
    ("state", None, "the field 'question' is missing"),
    ("state", {**STATE.__dict__, "probability": 2}, "'probability' must lie in [0, 1]; got 2"),
    (
        "state",
        {**STATE.__dict__, "judged": -1},
        "'judged' must be a whole number of at least 0; got -1",
    ),
    ("state", {**STATE.__dict__, "answer": 3}, "'answer' must be a text"),
    ("state", {**STATE.__dict__, "claimed": 1}, "'claimed' must be True or False"),
    ("draws", {**DRAWS, "rest": -1}, "'rest' must be finite and at least 0"),
    ("draws", {**DRAWS, "estimate": float("inf")}, "'estimate' must lie in"),
    ("draws", {**DRAWS, "predicted": [0.1, 0.2]}, "'predicted' must be of 1 documents; got 2"),
    ("draws", {**DRAWS, "waiting": 2}, "'predicted' must be of 1 documents"),
    ("draws", [], "the field 'predicted' is missing"),
]


@pytest.mark.parametrize(("field", "value", "told"), WRONG)
def test_a_wrong_field_is_an_error_with_its_line(tmp_path, field, value, told):
    path = tmp_path / "log.jsonl"
    log = JudgingLog(path)
    log.add_judgments([("q", "d", 1)])
    log.add_batch(BATCHES[1])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[field != "judgments"][field] = value
    if value is None:
        del lines[field != "judgments"][field]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    with pytest.raises(InputError) as caught:
        (log.judgments if field == "judgments" else log.batches)()
    message = str(caught.value)
    assert message.startswith(f"{path}:{1 if field == 'judgments' else 2}: {told}")
    assert len(message) < 300
