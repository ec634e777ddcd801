"""``irx judge next``, ``add`` and ``status``: a judging campaign from files."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys

import pytest

from irx_measures import JudgingPlan, simulate_campaign
from irx_measures.cli.main import main
from irx_measures.io.qrels_files import filled_rows, judging_log_of
from irx_measures.io.table import nested
from irx_measures.io.trec import read_qrels
from irx_measures.judging.planning.log import JudgingLog
from tests import ir_datasets_home

GRADES = ("0", "1", "2", "3")

KILLED_AT = """
import os, signal, sys
from irx_measures.cli.main import main

def end(*args, **options):
    os.kill(os.getpid(), signal.SIGKILL)

moment, *arguments = sys.argv[1:]
if moment == "logged":
    os.fsync = end
elif moment == "merged":
    from irx_measures.judging.planning.log import JudgingLog
    JudgingLog.add_judgments = end
main(arguments)
sys.stdout.flush()
end()
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    simulate_campaign(systems=4, queries=6, depth=30, seed=3).write(folder)
    (folder / "qrels.txt").rename(folder / "truth.txt")
    return folder


@pytest.fixture(scope="module")
def runs(campaign):
    return [str(path) for path in sorted((campaign / "runs").iterdir())]


@pytest.fixture(scope="module")
def truth(campaign):
    columns = read_qrels(campaign / "truth.txt")
    return nested(columns)


@pytest.fixture
def qrels(tmp_path):
    return tmp_path / "qrels.txt"


@pytest.fixture
def irx(capsys):
    def run(*arguments, status=0):
        got = main(["judge", *map(str, arguments)])
        run.out, run.err = capsys.readouterr()
        assert got == status, run.err
        return run.out

    return run


def filled(text, truth, change=lambda row: None, delimiter="\t"):
    """The table that was printed, with true grades."""
    rows = list(csv.DictReader(io.StringIO(text), delimiter=delimiter))
    for row in rows:
        assert row["grade"] == ""
        row["grade"] = truth[row["query_id"]].get(row["doc_id"], 0)
        change(row)
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.fixture
def batch(irx, qrels, runs, truth, tmp_path):
    """A first batch of 10 documents, filled in."""
    path = tmp_path / "batch.tsv"
    path.write_text(filled(irx("next", qrels, *runs, "--grades", *GRADES, "-n", 10), truth))
    return path


def lines(path):
    return path.read_text().splitlines()


def test_a_campaign_starts_without_qrels_and_adds_them(irx, qrels, runs, batch):
    assert (
        irx.err.splitlines()[0] == f"irx judge next: {qrels} does not exist yet: nothing is judged"
    )
    assert not qrels.exists()
    irx("add", qrels, batch)
    assert irx.err == f"irx judge add: added 10 judgments to {qrels}, which has 10\n"
    assert [line.split()[::2] for line in lines(qrels)] == [
        line.split("\t")[:2] for line in lines(batch)[1:]
    ]
    answer, summary, go_on = irx("status", qrels, *runs).splitlines()
    assert answer.count(" > ") == 3
    assert summary.startswith("10 of ")
    assert go_on == "go on judging: irx judge next"


def test_the_progress_is_drawn(irx, qrels, runs, batch, tmp_path):
    pytest.importorskip("matplotlib")
    irx("add", qrels, batch)
    irx("status", qrels, *runs, "--plot", tmp_path / "progress.svg")
    assert "<svg" in (tmp_path / "progress.svg").read_text()
    irx("status", qrels, *runs, "--plot", tmp_path / "progress.txt", status=2)
    assert "--plot must end in .png, .svg or .pdf" in irx.err


def test_it_asks_for_what_the_plan_asks_for(irx, qrels, runs, batch, truth):
    irx("add", qrels, batch)
    names = [os.path.basename(run).removesuffix(".run.gz") for run in runs]
    log = JudgingLog(judging_log_of(qrels))
    plan = JudgingPlan(dict(zip(names, runs, strict=True)), qrels, grades=(0, 1, 2, 3), log=log)
    summary = plan.state().summary
    printed = irx("next", qrels, *runs, "-n", 7, "-o", "jsonl")
    asked = [json.loads(line) for line in printed.splitlines()]
    expected = plan.next(7)
    assert [row["doc_id"] for row in asked] == expected["doc_id"].tolist()
    assert [row["reason"] for row in asked] == expected["reason"].tolist()
    assert {row["grade"] for row in asked} == {None}
    assert irx.err == f"irx judge next: {summary}\n"


@pytest.mark.parametrize(
    ("form", "ending", "delimiter"),
    [("tsv", "tsv", "\t"), ("csv", "csv", ","), ("csv-safe", "csv", ",")],
)
def test_what_is_printed_can_be_filled_and_added(
    form, ending, delimiter, irx, qrels, runs, truth, tmp_path
):
    path = tmp_path / f"batch.{ending}"
    printed = irx("next", qrels, *runs, "--grades", *GRADES, "-o", form)
    path.write_text(filled(printed, truth, delimiter=delimiter))
    irx("add", qrels, path)
    assert len(lines(qrels)) == len(lines(path)) - 1


def test_asked_again_it_prints_the_same_and_logs_it_once(irx, qrels, runs, batch):
    irx("add", qrels, batch)
    first = irx("next", qrels, *runs)
    assert irx("next", qrels, *runs) == first
    assert len(JudgingLog(judging_log_of(qrels)).batches()) == 2


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


def test_without_a_campaign_nothing_is_added_and_no_log_is_made(irx, qrels, tmp_path):
    file = tmp_path / "a.qrels"
    file.write_text("q 0 d 1\n")
    irx("add", qrels, file, status=2)
    assert "did not ask for document 'd'" in irx.err
    assert [path.name for path in tmp_path.iterdir()] == ["a.qrels"]
    irx("add", qrels, file, "--unasked")
    assert lines(qrels) == ["q 0 d 1"]


def test_ids_stay_as_they_are_but_in_csv_safe(irx, qrels, tmp_path):
    runs = [tmp_path / name for name in "ab"]
    for run, doc in zip(runs, ("=d\x1b", "e"), strict=True):
        run.write_text(f"q Q0 {doc} 1 1 t\n", encoding="utf-8")
    assert "\n".join(irx("next", qrels, *runs, "-o", "csv").splitlines()).count("q,=d\x1b,") == 1
    safe = irx("next", qrels, *runs, "-o", "csv-safe")
    assert safe.count("q,'=d\\x1b,") == 1
    (tmp_path / "a.csv").write_text(safe.replace("d\\x1b,,", "d\\x1b,1,"))
    irx("add", qrels, tmp_path / "a.csv")
    assert qrels.read_text() == "q 0 =d\x1b 1\n"


def test_what_stands_in_the_qrels_stays(irx, qrels, runs, batch):
    qrels.write_text("# by hand\nq99 7 d 1")
    irx("add", qrels, batch)
    assert lines(qrels)[:2] == ["# by hand", "q99 7 d 1"]
    assert len(lines(qrels)) == 12


def test_packed_qrels(irx, runs, truth, tmp_path):
    qrels, path = tmp_path / "qrels.gz", tmp_path / "batch.tsv"
    path.write_text(filled(irx("next", qrels, *runs, "--grades", *GRADES, "-n", 4), truth))
    irx("add", qrels, path)
    assert len(gzip.decompress(qrels.read_bytes()).splitlines()) == 4


def test_systems_that_are_added_later_need_their_documents(irx, qrels, runs, truth, tmp_path):
    path = tmp_path / "batch.tsv"
    path.write_text(filled(irx("next", qrels, *runs[:3], "--grades", *GRADES), truth))
    irx("add", qrels, path)
    irx("status", qrels, *runs[:3])
    assert "added since" not in irx.out
    _, _, verdict, told = irx("status", qrels, *runs).splitlines()
    assert verdict == "go on judging: irx judge next"
    name = os.path.basename(runs[3]).removesuffix(".run.gz")
    assert told.startswith("added since the last batch, with unjudged documents in the top k: ")
    assert f"{name} (" in told


def test_it_says_when_to_stop(irx, qrels, runs, campaign):
    qrels.write_bytes((campaign / "truth.txt").read_bytes())
    path = qrels.with_name("rest.tsv")
    while "go on" in irx("status", qrels, *runs, "--question", "best"):
        asked = irx("next", qrels, *runs, "--question", "best", "-n", 9)
        path.write_text(filled(asked, {query: {} for query in _queries(asked)}))
        irx("add", qrels, path)
    answer, _, stop = irx.out.splitlines()
    assert " > " not in answer
    assert stop.startswith("stop: ")
    assert irx("next", qrels, *runs, "--question", "best").count("\n") == 1, "a head"
    assert irx.err.endswith("; enough\n")


def _queries(text):
    return {row["query_id"] for row in csv.DictReader(io.StringIO(text), delimiter="\t")}


def test_other_grades_than_those_of_the_log_are_an_error(irx, qrels, runs, batch):
    irx("status", qrels, *runs, "--grades", "0", "1", status=2)
    assert "--grades must be those of the log" in irx.err.splitlines()[-1]


@pytest.mark.filterwarnings("default:.*the last line is not whole")
def test_a_torn_log_is_told_and_the_campaign_goes_on(irx, qrels, runs, batch):
    irx("add", qrels, batch)
    log = judging_log_of(qrels)
    log.write_bytes(log.read_bytes()[:-20])
    assert "10 of " in irx("status", qrels, *runs)
    assert "the last line is not whole; it is left out" in irx.err
    irx("add", qrels, batch)
    assert len(JudgingLog(log).judgments()) == 10


def test_a_log_elsewhere(irx, qrels, runs, tmp_path):
    irx("next", qrels, *runs, "--log", tmp_path / "my.log")
    assert (tmp_path / "my.log").exists()
    assert not judging_log_of(qrels).exists()


@pytest.mark.slow
@pytest.mark.parametrize(("form", "begin"), [("csv", "'="), ("jsonl", "=")])
def test_texts_of_queries_and_documents(form, begin, tmp_path):
    texts = "".join(f'{doc}\t=Text  of "{doc}", 1;2\n' for doc in range(5))
    ir_datasets_home.lay(tmp_path, "msmarco-passage/irds_version.txt", b"v2")
    ir_datasets_home.lay(tmp_path, "msmarco-passage/collection.tsv", texts.encode())
    ir_datasets_home.lay(tmp_path, "msmarco-passage/trec-dl-2019/queries.tsv", b"7\twhat is\n")
    runs = [tmp_path / name for name in "ab"]
    for run, doc in zip(runs, (1, 99), strict=True):
        run.write_text(f"7 Q0 {doc} 1 1 t\n")
    done = ir_datasets_home.irx(
        tmp_path, "judge", "next", "qrels.txt", "a", "b", "-o", form,
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
def test_a_campaign_that_is_killed_after_each_step_ends_as_one_that_is_not(
    irx, campaign, runs, truth, tmp_path
):
    folders = [tmp_path / "whole", tmp_path / "killed"]
    for folder in folders:
        folder.mkdir()
    qrels, batches = [folder / "qrels.txt" for folder in folders], 3

    def killed(moment, *arguments):
        done = subprocess.run(
            [sys.executable, "-c", KILLED_AT, moment, "judge", *map(str, arguments)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode != 0
        return done.stdout

    for number in range(batches):
        wanted = [*runs, "--grades", *GRADES, "-n", 6]
        whole = irx("next", qrels[0], *wanted)
        if number == 0:
            assert killed("logged", "next", qrels[1], *wanted) == ""
        assert killed("printed", "next", qrels[1], *wanted) == whole
        for folder, path in zip(folders, qrels, strict=True):
            (folder / "batch.tsv").write_text(filled(whole, truth))
            if path is qrels[1]:
                killed(["merged", "logged", "added"][number % 3], "add", path, folder / "batch.tsv")
            irx("add", path, folder / "batch.tsv")
    assert len(lines(qrels[0])) == 6 * batches
    assert qrels[0].read_bytes() == qrels[1].read_bytes()
    logs = [JudgingLog(judging_log_of(path)) for path in qrels]
    assert len(logs[0].batches()) == batches
    assert logs[0].batches() == logs[1].batches()
    assert logs[0].judgments() == logs[1].judgments()
    assert irx("status", qrels[0], *runs) == irx("status", qrels[1], *runs)


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
