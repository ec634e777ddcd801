"""Qrels with a judging log beside them: absolute scores are doubtful, at every door."""

import pandas as pd
import pytest

import irx_measures
from irx_measures import RBO, compare, evaluate
from irx_measures.cli.main import main
from irx_measures.io.qrels_files import judging_log_of
from tests.measures.test_doubts import NEW, RUNS, messages, qrels_file, run_file

SAYS = "absolute scores are biased"


@pytest.fixture
def qrels(tmp_path):
    path = qrels_file(tmp_path)
    (tmp_path / "qrels.log.jsonl").touch()
    return path


def by_experiment(qrels, **options):
    pytest.importorskip("pyterrier")
    rows = [(q, d, s) for q, docs in NEW.items() for d, s in docs.items()]
    results = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    topics = pd.DataFrame({"qid": list(NEW), "query": "x"})
    irx_measures.Experiment([results], topics, qrels, ["nDCG_UE@2"], names=["x"], **options)


CALLS = {
    "evaluate": lambda qrels, **options: evaluate(RUNS, qrels, "P@1", **options),
    "compare": lambda qrels, **options: compare(RUNS, qrels, "nDCG@2", **options),
    "Experiment": by_experiment,
}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_judging_log_beside_the_qrels_is_told_once(call, strict, qrels):
    (message,) = messages(lambda: call(qrels, strict=strict))
    assert message.startswith(f"{qrels} has a judging log beside it")
    assert SAYS in message
    assert "\n" not in message


def test_without_a_log_nothing_is_told(tmp_path):
    path = qrels_file(tmp_path)
    assert not messages(lambda: [call(path) for call in CALLS.values()])


def test_measures_without_judgments_are_not_concerned(qrels):
    assert not messages(lambda: evaluate(RUNS, qrels, RBO(reference="bm25") @ 2))


@pytest.mark.parametrize("command", ["evaluate", "compare"])
@pytest.mark.filterwarnings("default::irx_measures.EvaluationWarning")
def test_commands_tell_it_in_one_line(command, qrels, tmp_path, capsys):
    runs = [run_file(tmp_path, f"{name}.run", run) for name, run in RUNS.items()]
    assert main([command, qrels, *runs, "-m", "P@1"]) == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if SAYS in line]
    assert line.startswith(f"irx {command}: warning: ")


def test_the_log_of_a_packed_file_stands_beside_it(tmp_path):
    assert judging_log_of(tmp_path / "a.txt.gz").name == "a.txt.gz.log.jsonl"
