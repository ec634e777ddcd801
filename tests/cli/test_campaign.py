"""``irx judge next``, ``add`` and ``status``: a judging campaign from files."""

import csv
import gzip
import io
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

from irx_measures import JudgingPlan, simulate_campaign
from irx_measures.io.qrels_files import filled_rows, judging_log_of
from irx_measures.judging.planning.log import JudgingLog
from tests import console, ir_datasets_home
from tests.campaigns import trec_files

GRADES = ("0", "1", "2", "3")

# Runs steps (when to end, where to print, arguments), each in a process of its own.
STEPS = """
import json, os, signal, sys, scipy.optimize, scipy.special
from irx_measures.cli.main import main
from irx_measures.judging.planning.log import JudgingLog

def end(*args, **options):
    os.kill(os.getpid(), signal.SIGKILL)

for moment, out, *arguments in json.loads(sys.argv[1]):
    if not (child := os.fork()):
        sys.stdout = open(out, "w", encoding="utf-8")
        if moment == "logged":
            os.fsync = end
        elif moment == "merged":
            JudgingLog.add_judgments = end
        assert not main(arguments)
        sys.stdout.flush()
        end() if moment else os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended == (-signal.SIGKILL if moment else 0), (moment, arguments, ended)
"""


CAMPAIGN = simulate_campaign(systems=4, queries=6, depth=30, seed=3)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return trec_files(tmp_path_factory.mktemp("runs"), CAMPAIGN.runs)


@pytest.fixture
def qrels(tmp_path):
    return tmp_path / "qrels.txt"


@pytest.fixture
def irx():
    """Run `irx judge`, and return what it prints; that and what it tells stay in `out`, `err`."""

    def run(*arguments, status=0):
        done = console.irx("judge", *arguments)
        assert done.returncode == status, done.stderr
        run.out, run.err = done.stdout, done.stderr
        return run.out

    return run


def filled(text, truth=CAMPAIGN.qrels, delimiter="\t"):
    """The table that was printed, with true grades."""
    head, *rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    query, doc, grade = map(head.index, ("query_id", "doc_id", "grade"))
    for row in rows:
        assert row[grade] == ""
        row[grade] = truth.get(row[query], {}).get(row[doc], 0)
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([head, *rows])
    return out.getvalue()


@pytest.fixture
def batch(irx, qrels, runs, tmp_path):
    """A first batch of 10 documents, filled in."""
    path = tmp_path / "batch.tsv"
    path.write_text(filled(irx("next", qrels, *runs, "--grades", *GRADES, "-n", 10)))
    return path


def lines(path):
    return path.read_text().splitlines()


def test_it_asks_for_what_the_plan_asks_for(irx, qrels, runs, batch):
    irx("add", qrels, batch)
    log = JudgingLog(judging_log_of(qrels))
    plan = JudgingPlan(qrels, CAMPAIGN.runs, grades=(0, 1, 2, 3), log=log)
    summary = plan.state().summary
    printed = irx("next", qrels, *runs, "-n", 7, "-o", "jsonl")
    asked = [json.loads(line) for line in printed.splitlines()]
    expected = plan.next(7)
    assert [row["doc_id"] for row in asked] == expected["doc_id"].tolist()
    assert [row["reason"] for row in asked] == expected["reason"].tolist()
    assert {row["grade"] for row in asked} == {None}
    assert irx.err == f"irx judge next: {summary}\n"


@pytest.mark.parametrize(("form", "delimiter"), [("tsv", "\t"), ("csv", ",")])
def test_a_campaign_starts_without_qrels_and_adds_filled_grades(
    form, delimiter, irx, qrels, runs, tmp_path
):
    path = tmp_path / f"batch.{form}"
    printed = irx("next", qrels, *runs, "--grades", *GRADES, "-n", 9, "-o", form)
    assert not qrels.exists()
    path.write_text(filled(printed, delimiter=delimiter))
    irx("add", qrels, path)
    added = [line.split()[::2] + line.split()[3:] for line in lines(qrels)]
    assert added == [line.split(delimiter)[:3] for line in lines(path)[1:]]


def test_an_estimate_tells_of_the_log_once(irx, qrels, runs, tmp_path):
    batch, human = tmp_path / "batch.tsv", tmp_path / "human.txt"
    batch.write_text(filled(irx("next", qrels, *runs, "--grades", *GRADES, "-n", 60)))
    irx("add", qrels, batch)
    few = sorted({line.split()[0] for line in lines(qrels)})[:4]
    human.write_text("".join(f"{line}\n" for line in lines(qrels) if line.split()[0] in few))
    for of_log in (qrels, human):  # first the log of one of them, then of both
        irx("estimate", human, qrels, *runs, "-m", "P@5")
        assert irx.err.count(f"{of_log}: ") == irx.err.count("judging log beside it") == 1
        shutil.copy(judging_log_of(qrels), judging_log_of(human))


def test_it_names_the_place_of_the_log_when_it_makes_it(irx, qrels, runs):
    irx("next", qrels, *runs)
    log = judging_log_of(qrels)
    assert f"irx judge next: the log of the campaign is {log}; keep it beside {qrels}\n" in irx.err
    irx("next", qrels, *runs)
    assert "the log of" not in irx.err


@pytest.mark.parametrize("command", ["next", "add"])
def test_a_folder_that_cannot_be_written_is_an_error_before_anything_is_read(
    irx, qrels, command, monkeypatch
):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    irx(command, qrels, "none", status=2)
    assert f"{qrels.parent} cannot be written to; copy QRELS into a folder of yours\n" in irx.err
    assert not list(qrels.parent.iterdir())


def test_wrong_rows_are_named_at_once_and_nothing_is_written(irx, qrels, batch, tmp_path):
    irx("add", qrels, batch)
    log = judging_log_of(qrels)
    before = qrels.read_bytes(), log.read_bytes()
    query, doc, grade, *_ = lines(batch)[1].split("\t")
    wrong = tmp_path / "wrong.csv"
    wrong.write_text(
        f"query_id,doc_id,grade\n{query},{doc},7\n{query},none,1\n{query},{doc},{int(grade) ^ 1}\n"
    )
    irx("add", qrels, batch, wrong, status=2)
    errors = irx.err.splitlines()
    assert [line.split(": ")[2] for line in errors] == [f"{wrong}:{line}" for line in (2, 3, 4)]
    assert all(line.startswith("irx judge add: error: ") for line in errors)
    assert (qrels.read_bytes(), log.read_bytes()) == before


def test_ids_stay_as_they_are_but_in_csv_safe(irx, qrels, tmp_path):
    runs = trec_files(tmp_path, {"a": {"q": {"=d\x1b": 1.0}}, "b": {"q": {"e": 1.0}}})
    assert "\n".join(irx("next", qrels, *runs, "-o", "csv").splitlines()).count("q,=d\x1b,") == 1
    safe = irx("next", qrels, *runs, "-o", "csv-safe")
    assert safe.count("q,'=d\\x1b,") == 1
    (tmp_path / "a.csv").write_text(safe.replace("d\\x1b,,", "d\\x1b,1,"))
    irx("add", qrels, tmp_path / "a.csv")
    assert qrels.read_text() == "q 0 =d\x1b 1\n"


@pytest.mark.parametrize(("name", "opened"), [("qrels.txt", open), ("qrels.gz", gzip.open)])
def test_what_stands_in_the_qrels_stays(irx, qrels, batch, tmp_path, name, opened):
    path = tmp_path / name
    with opened(path, "wt") as file:
        file.write("# by hand\nq99 7 d 1")
    if path != qrels:
        judging_log_of(qrels).rename(judging_log_of(path))
    irx("add", path, batch)
    with opened(path, "rt") as file:
        first, second, *added = file.read().splitlines()
    assert (first, second, len(added)) == ("# by hand", "q99 7 d 1", 10)


def test_it_says_when_to_stop(irx, qrels, runs, tmp_path):
    trec_files(tmp_path, {}, CAMPAIGN.qrels)
    path = tmp_path / "rest.tsv"
    while "go on" in irx("status", qrels, *runs, "--question", "best"):
        asked = irx("next", qrels, *runs, "--question", "best", "-n", 9)
        path.write_text(filled(asked, {}))
        irx("add", qrels, path)
    answer, _, stop = irx.out.splitlines()
    assert " > " not in answer
    assert stop.startswith("stop: ")
    assert irx("next", qrels, *runs, "--question", "best").count("\n") == 1, "a head"
    assert irx.err.endswith("; enough\n")


def test_a_torn_log_is_told_and_the_campaign_goes_on(irx, qrels, runs, batch):
    irx("add", qrels, batch)
    log = judging_log_of(qrels)
    log.write_bytes(log.read_bytes()[:-20])
    assert "10 of " in irx("status", qrels, *runs)
    assert "the last line is not whole; it is left out" in irx.err
    irx("add", qrels, batch)
    assert len(JudgingLog(log).judgments()) == 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "begin"), [("csv", "'="), pytest.param("jsonl", "=", marks=pytest.mark.whole)]
)
def test_texts_of_queries_and_documents(form, begin, tmp_path):
    ir_datasets_home.lay_texts(tmp_path, '=Text  of "{}", 1;2')
    trec_files(tmp_path, {"a": {"7": {"1": 1}}, "b": {"7": {"99": 1}}})
    done = ir_datasets_home.irx(
        tmp_path, "judge", "next", "qrels.txt", "a.run", "b.run", "-o", form,
        "--texts", "msmarco-passage/trec-dl-2019",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    if form == "jsonl":
        rows = [json.loads(line) for line in done.stdout.splitlines()]
    else:
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["query"] for row in rows] == ["what is"] * 2
    documents = {row["doc_id"]: row["document"] for row in rows}
    assert documents == {"1": f'{begin}Text of "1", 1;2', "99": ""}
    (tmp_path / f"a.{form}").write_text(done.stdout)
    assert [row.doc_id for row in filled_rows(tmp_path / f"a.{form}")] == list(documents)


@pytest.mark.slow
def test_a_campaign_that_is_killed_after_each_step_ends_as_one_that_is_not(irx, runs, tmp_path):
    """After it logged, printed or added something, and between the qrels and the log."""
    qrels = [tmp_path / name for name in ("whole.txt", "killed.txt")]
    wanted, printed, steps = [*runs, "--grades", *GRADES, "-n", "6"], [], []
    for number, moments in enumerate([["merged", "logged", "added", ""], [""]]):
        filled_in, out = tmp_path / f"{number}.tsv", str(tmp_path / f"{number}.out")
        printed.append(irx("next", qrels[0], *wanted))
        filled_in.write_text(filled(printed[-1]))
        irx("add", qrels[0], filled_in)
        ask = ["judge", "next", str(qrels[1]), *wanted]
        add = [f"{out}.add", "judge", "add", str(qrels[1]), str(filled_in)]
        steps += [["logged", out, *ask], ["printed", out, *ask]]
        steps += [[moment, *add] for moment in moments]
    done = console.python("-c", STEPS, json.dumps(steps))
    assert done.returncode == 0, done.stderr
    assert [(tmp_path / f"{number}.out").read_text() for number in range(2)] == printed
    assert len(lines(qrels[0])) == 12
    assert qrels[0].read_bytes() == qrels[1].read_bytes()
    whole, killed = (JudgingLog(judging_log_of(path)) for path in qrels)
    assert len(whole.batches()) == 2
    assert whole.batches() == killed.batches()
    assert whole.judgments() == killed.judgments()
    assert irx("status", qrels[0], *runs) == irx("status", qrels[1], *runs)


def test_what_another_process_adds_before_the_lock_is_not_added_again(
    irx, qrels, batch, tmp_path, monkeypatch
):
    head, *rows = lines(batch)
    (tmp_path / "other.tsv").write_text("\n".join([head, *rows[:6]]))
    locked, in_qrels = JudgingLog.locked, []

    @contextmanager
    def late(log):
        with monkeypatch.context() as other:
            other.setattr(JudgingLog, "locked", locked)
            irx("add", qrels, tmp_path / "other.tsv")
        in_qrels.append(len(lines(qrels)))
        with locked(log):
            yield
            in_qrels.append(len(lines(qrels)))

    monkeypatch.setattr(JudgingLog, "locked", late)
    irx("add", qrels, batch)
    assert in_qrels == [6, 10]
    events = map(json.loads, lines(judging_log_of(qrels)))
    logged = [row[:2] for event in events for row in event.get("judgments", [])]
    assert sorted(logged) == sorted(line.split("\t")[:2] for line in rows)


@pytest.mark.slow
def test_two_processes_that_add_at_once_lose_nothing(irx, qrels, runs, batch, tmp_path):
    head, *rows = lines(batch)
    files = [tmp_path / f"{number}.tsv" for number in range(2)]
    for number, file in enumerate(files):
        file.write_text("\n".join([head, *rows[number::2]]))
    adding = [
        subprocess.Popen([sys.executable, "-m", "irx_measures", "judge", "add", qrels, file])
        for file in files
    ]
    assert [process.wait() for process in adding] == [0, 0]
    assert len(lines(qrels)) == 10
    assert len(irx("status", qrels, *runs).splitlines()) == 3
