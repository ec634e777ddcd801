"""The log of a judging campaign: what is written comes back."""

import pytest

from irx_measures import InputError
from irx_measures.judging.planning.log import Batch, JudgingLog
from irx_measures.judging.planning.state import JudgingState

STATE = JudgingState("best", "a claim", "a", 0.1 + 0.2, 0.95, 3, 10, 1, None)
BATCHES = [
    Batch([("q1", "é d"), ("q2", "d")], [], (0, 1), STATE, ("a", "b")),
    Batch([("q1", "e")], [[1 / 3, 2 / 3]], (0, 1), STATE, ("a", "b")),
]


@pytest.fixture(params=["file", "memory"])
def log(request, tmp_path):
    return JudgingLog(tmp_path / "log.jsonl" if request.param == "file" else None)


def test_batches_come_back(log):
    for batch in BATCHES:
        log.add_batch(*batch)
    assert log.batches() == BATCHES
    assert log.states() == [STATE, STATE]


def test_a_batch_that_is_asked_for_again_is_one_batch(log):
    log.add_batch(*BATCHES[0])
    log.add_batch(*BATCHES[0])
    assert log.batches() == BATCHES[:1]


def test_the_first_judgment_counts_and_all_are_kept(log):
    log.add_judgments([("q1", "d", 1), ("q1", "e", 0)], "ann")
    log.add_judgments([("q1", "d", 0)], "bob")
    log.add_judgments([("q2", "d", 1)])
    assert log.judgments() == [("q1", "d", 1), ("q1", "e", 0), ("q2", "d", 1)]
    assert [tuple(one) for one in log.opinions()] == [
        ("q1", "d", 1, "ann"), ("q1", "e", 0, "ann"), ("q1", "d", 0, "bob"), ("q2", "d", 1, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "judgments"}',
        '{"event": "judgments", "judge": null, "judgments": [["q", "d"]]}',
        '{"event": "judgments", "judge": null, "judgments": [["q", "d", "x"]]}',
        '{"event": "judgments", "judge": null, "judgments": 3}',
    ],
)
def test_a_line_with_other_fields_is_an_error_with_its_number(tmp_path, line):
    path = tmp_path / "log.jsonl"
    log = JudgingLog(path)
    log.add_judgments([("q", "d", 1)])
    path.write_text(f"{path.read_text()}{line}\n")
    with pytest.raises(InputError, match=rf"{path}:2: the fields of a 'judgments' line"):
        log.judgments()


def test_a_batch_without_a_state_is_an_error(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"event": "batch", "documents": [], "forecasts": [], "grades": [0]}\n')
    with pytest.raises(InputError, match=r"log\.jsonl:1: .* KeyError: 'state'"):
        JudgingLog(path).batches()
