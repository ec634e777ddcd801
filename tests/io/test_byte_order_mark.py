"""The byte order mark that Windows writes at the beginning of a file changes nothing, anywhere."""

import gzip
import os
import threading

import pytest

from irx_measures import RunSet, ScoreMatrix, evaluate, read_letor
from irx_measures.io.groups import read_costs, read_groups, read_query_groups
from irx_measures.io.qrels_files import filled_rows
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.judging.planning.log import JudgingLog

MARK = "\ufeff"
QRELS = {"q1": {"d1": 1}}


def rows(table):
    return list(zip(table.query.all(), table.doc.all(), table.value.tolist(), strict=True))


def run(path):
    return rows(read_run(path))


def qrels(path):
    return rows(read_qrels(path))


def ranks(path):
    """How the rank column contradicts the scores."""
    return read_run(path).ranks


def scores(path):
    matrix = ScoreMatrix.from_files([path])
    return matrix.systems, matrix.query_ids, matrix.scores.tolist()


def letor(path):
    data = read_letor(path)
    return data.query_ids, data.doc_ids, data.features.tolist()


def filled(path):
    return [row[1:] for row in filled_rows(path)]


def log(path):
    return JudgingLog(path).judgments()


def again(path):
    """A log to which judgments are added."""
    before = path.read_bytes()
    JudgingLog(path).add_judgments([("q1", "d2", 0)])
    found = JudgingLog(path).judgments()
    path.write_bytes(before)
    return found


def parts(path):
    """A run in several files."""
    return evaluate(QRELS, {"a": [path]}, "P@1").scores.tolist()


RUN = "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\n"
LOG = '{"event": "judgments", "judgments": [["q1", "d1", 1]]}\n'

# A reader, the name of the file, and what is in it.
DOORS = {
    "run": (run, "a.run", RUN),
    "run after a comment": (run, "a.run", f"# of June\n{RUN}"),
    "run with spaces": (run, "a.run", RUN.replace(" ", "  ")),
    "ranks": (ranks, "a.run", RUN.replace("2.0", "0.5")),
    "parts of a run": (parts, "a.run", RUN),
    "qrels": (qrels, "qrels.txt", "q1 0 d1 1\n"),
    "qrels of BEIR": (qrels, "qrels.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n"),
    "ms marco": (
        lambda path: rows(RunSet(path, format="msmarco").run(0)), "a.tsv", "q1\td1\t1\nq1\td2\t2\n",
    ),
    "csv": (run, "a.csv", "qid,docno,score\nq1,d1,2\n"),
    "quoted csv": (run, "a.csv", '"qid","docno","score"\n"q1","d1",2\n'),
    "tsv with a header": (run, "a.tsv", "qid\tdocno\tscore\nq1\td1\t2\n"),
    "json": (run, "a.json", '{"q1": {"d1": 2}}'),
    "json lines": (run, "a.jsonl", '{"qid": "q1", "docno": "d1", "score": 2}\n'),
    "letor": (letor, "a.letor", "2 qid:q1 1:0.5 #docid = d1\n"),
    "groups": (read_groups, "a.csv", "run,group\na,b\n"),
    "groups of queries": (read_query_groups, "a.tsv", "qid\tgroup\nq1\ten\n"),
    "costs": (read_costs, "a.csv", "run,cost\na,3\n"),
    "scores": (scores, "a.csv", "qid,system,time\nq1,a,3\n"),
    "scores in json lines": (scores, "a.jsonl", '{"qid": "q1", "system": "a", "time": 3}\n'),
    "a batch": (filled, "a.tsv", "query_id\tdoc_id\tgrade\nq1\td1\t1\n"),
    "a batch in json lines": (filled, "a.jsonl", '{"qid": "q1", "docno": "d1", "grade": 1}\n'),
    "a batch of qrels": (filled, "a.txt", "q1 0 d1 1\n"),
    "a judging log": (log, "a.log.jsonl", LOG),
    "a judging log that grows": (again, "a.log.jsonl", LOG),
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_a_mark_at_the_beginning_is_left_out(door, tmp_path):
    read, name, text = DOORS[door]
    path, packed = tmp_path / name, tmp_path / f"{name}.gz"
    path.write_text(text, encoding="utf-8", newline="")
    expected = read(path)
    assert expected
    for before in (path, packed) if "log" not in door else (path,):
        content = (MARK + text).encode()
        before.write_bytes(gzip.compress(content) if before is packed else content)
        assert read(before) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.run", "q1 Q0 d1 1 2 t\n{}q1 Q0 d1 1 2 t\n"),
        ("a.csv", "qid,docno,score\nq1,d1,2\n{}q1,d1,2\n"),
        ("a.jsonl", '{{"qid": "q1", "docno": "d1", "score": 2}}\n'
         '{{"qid": "{}q1", "docno": "d1", "score": 2}}\n'),
    ],
)  # fmt: skip
def test_a_mark_elsewhere_is_a_character(name, text, tmp_path):
    (tmp_path / name).write_text(text.format(MARK), encoding="utf-8")
    assert run(tmp_path / name) == [("q1", "d1", 2.0), (f"{MARK}q1", "d1", 2.0)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("door", ["run", "qrels", "csv", "groups"])
def test_a_mark_in_a_pipe_is_left_out(door, tmp_path):
    read, name, text = DOORS[door]
    (tmp_path / f"plain-{name}").write_text(text)
    pipe = tmp_path / name
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[(MARK + text).encode()])
    writer.start()
    assert read(pipe) == read(tmp_path / f"plain-{name}")
    writer.join()
