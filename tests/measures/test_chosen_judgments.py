"""Qrels with a judging log beside them: absolute scores are doubtful."""

import pytest

from irx_measures import RBO, compare, evaluate
from irx_measures.cli.main import main
from irx_measures.io.qrels_files import judging_log_of
from tests.measures.test_doubts import RUNS, messages, qrels_file, run_file

SAYS = "absolute scores are biased"


@pytest.fixture
def qrels(tmp_path):
    path = qrels_file(tmp_path)
    (tmp_path / "qrels.log.jsonl").touch()
    return path


@pytest.mark.parametrize("call", [evaluate, compare])
def test_a_judging_log_beside_the_qrels_is_told_once(call, qrels, tmp_path):
    (message,) = messages(lambda: call(RUNS, qrels, "nDCG@2"))
    assert message.startswith(f"{qrels} has a judging log beside it")
    assert SAYS in message
    assert "\n" not in message
    assert not messages(lambda: call(RUNS, qrels, RBO(reference="bm25") @ 2))
    (tmp_path / "qrels.log.jsonl").unlink()
    assert not messages(lambda: call(RUNS, qrels, "nDCG@2"))


@pytest.mark.parametrize("command", ["evaluate", "compare"])
@pytest.mark.filterwarnings("default::irx_measures.EvaluationWarning")
def test_commands_tell_it_in_one_line(command, qrels, tmp_path, capsys):
    runs = [run_file(tmp_path, f"{name}.run", run) for name, run in RUNS.items()]
    assert main([command, qrels, *runs, "-m", "P@1"]) == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if SAYS in line]
    assert line.startswith(f"irx {command}: warning: ")


def test_the_log_of_a_packed_file_stands_beside_it(tmp_path):
    assert judging_log_of(tmp_path / "a.txt.gz").name == "a.txt.gz.log.jsonl"
