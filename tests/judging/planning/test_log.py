"""The log of a judging campaign, each field of which is checked."""

import json

import pytest

from irx_measures.exceptions import InputError
from irx_measures.judging.planning.guarantee import Draws
from irx_measures.judging.planning.log import JudgingLog
from irx_measures.judging.planning.records import Batch, JudgingState

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
