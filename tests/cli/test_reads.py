"""``-o json`` opens every input once, and says what was read: digests and numbers of queries."""

import gzip
import json
import os
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec

import ir_measures
import pytest

from irx_measures import read_letor
from irx_measures.cli.main import main
from irx_measures.io import read_log
from irx_measures.io.read_log import keep_log, opened
from irx_measures.io.trec import read_qrels, read_run
from irx_measures.simulate import simulate_campaign

PYTHON = sys.executable

pytestmark = pytest.mark.usefixtures("fast_start")

# Prints how often a command opens each file of a folder, after what the command prints.
COUNTING = """
import collections, json, os, sys

folder, seen = os.path.realpath(sys.argv[1]), collections.Counter()

def count(event, args):
    if event == "open" and isinstance(args[0], (str, bytes, os.PathLike)):
        path = os.path.realpath(os.fsdecode(args[0]))
        if path.startswith(folder + os.sep):
            seen[os.path.relpath(path, folder)] += 1

sys.addaudithook(count)
from irx_measures.cli.main import main

status = main(sys.argv[2:])
print(json.dumps(seen), file=sys.stderr)
sys.exit(status)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reads")
    campaign = simulate_campaign(systems=4, queries=8, depth=20, seed=3)
    campaign.write(folder)
    runs = sorted((folder / "runs").iterdir())
    text = gzip.decompress(runs[0].read_bytes()).decode()
    rows = [line.split() for line in text.splitlines()]
    (folder / "plain.run").write_text(text)
    (folder / "irregular.run").write_text("# a comment\n" + text.replace(" ", "   "))
    (folder / "rows.jsonl").write_text(
        "".join(
            json.dumps({"query_id": row[0], "doc_id": row[2], "score": float(row[4])}) + "\n"
            for row in rows
        )
    )
    nested = {}
    for row in rows:
        nested.setdefault(row[0], {})[row[2]] = float(row[4])
    (folder / "nested.json").write_text(json.dumps(nested))
    if find_spec("pyarrow") is not None:
        import pyarrow as pa
        from pyarrow import parquet

        table = pa.table(
            {
                "query_id": [row[0] for row in rows],
                "doc_id": [row[2] for row in rows],
                "score": [float(row[4]) for row in rows],
            }
        )
        parquet.write_table(table, folder / "table.parquet")
    judged = [line.split() for line in (folder / "qrels.txt").read_text().splitlines()]
    beir = ["query-id\tcorpus-id\tscore", *("\t".join([q, d, g]) for q, _, d, g in judged)]
    (folder / "beir.tsv").write_text("\n".join(beir) + "\n")
    (folder / "half.txt").write_text(
        "".join(" ".join(row) + "\n" for row in judged if row[0] <= "q06")
    )
    (folder / "costs.csv").write_text(
        "run,cost\n" + "".join(f"{name},{place}\n" for place, name in enumerate(campaign.runs))
    )
    return folder


FILES = ["plain.run", "irregular.run", "rows.jsonl", "nested.json"]

FOUR = [f"runs/{name}.run.gz" for name in ("lexical-a", "lexical-b", "lexical-c", "dense-a")]

TWO_MEASURES = ["-m", "nDCG@5", "NRG(prior=others)@5"]

CASES = {
    "evaluate": ["evaluate", "qrels.txt", *FOUR, *TWO_MEASURES, "--groups", "groups.csv"],
    "evaluate, priors among the runs": [
        "evaluate", "qrels.txt", *FOUR, "-m", "NRG@5", "RBO@5", "--prior", FOUR[0],
        "--prior", FOUR[2], "--reference", FOUR[1],
    ],
    "evaluate, other priors": [
        "evaluate", "qrels.txt", FOUR[0], "-m", "NRG@5", f"RBO(reference='{FOUR[3]}')@5", "RBR@5",
        "--prior", FOUR[1], "--reference", FOUR[2],
    ],
    "evaluate, intervals": [
        "evaluate", "qrels.txt", *FOUR, "-m", "BootNDCG(prior=learned, b=20)@5", "--interval", "90",
    ],
    "evaluate, formats": ["evaluate", "qrels.txt", *FILES, "-m", "P@5"],
    "evaluate, BEIR": ["evaluate", "beir.tsv", *FOUR, "-m", "P@5"],
    "evaluate, not strict": ["evaluate", "qrels.txt", *FOUR, *TWO_MEASURES, "--no-strict"],
    "compare": ["compare", "qrels.txt", *FOUR[:3], *TWO_MEASURES[:2], "--baseline", FOUR[3]],
    "compare, unjudged": ["compare", "qrels.txt", *FOUR, "-m", "P@5", "--unjudged", "learned"],
    "explain": [
        "explain", "qrels.txt", *FOUR, "-m", "NRG(prior=others)@5", "--system", "lexical-a",
        "--query", "q01",
    ],
    "explain --against": [
        "explain", "qrels.txt", *FOUR, "-m", "P@5", "--system", "lexical-a", "--against",
        "lexical-b",
    ],
    "meta power": ["meta", "power", "qrels.txt", *FOUR, "-m", "P@5", "AP", "--test", "t"],
    "meta stability": ["meta", "stability", "qrels.txt", *FOUR, "-m", "P@5", "--trials", "9"],
    "meta swap": [
        "meta", "swap", "qrels.txt", *FOUR, "-m", "P@5", "--versus", "half.txt", *FOUR,
    ],
    "meta systems": [
        "meta", "systems", "qrels.txt", *FOUR, "-m", "P@5", "AP", "--trials", "5", "--sizes", "2",
    ],
    "meta correlation": [
        "meta", "correlation", "qrels.txt", *FOUR, "-m", "P@5", "AP", "--samples", "9",
    ],
    "meta pareto": ["meta", "pareto", "qrels.txt", *FOUR, "-m", "P@5", "--costs", "costs.csv"],
    "judge audit": [
        "judge", "audit", "qrels.txt", "half.txt", *FOUR, "--show", "rankings", "--samples", "9",
    ],
    "judge estimate": ["judge", "estimate", "half.txt", "qrels.txt", *FOUR, "-m", "P@5"],
    "reproduce": [
        "reproduce", "residual-gain", "--dataset", "qrels.txt", "--runs", *FOUR,
    ],
}  # fmt: skip


def opens_of(folder, arguments):
    """What a command prints, and how often it opened each file of the folder."""
    done = subprocess.run(
        [PYTHON, "-c", COUNTING, str(folder), *arguments],
        capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(done.stderr.splitlines()[-1])


def counted(folder, arguments):
    """The JSON that a command prints, and how often it opened each file of the folder."""
    printed, opens = opens_of(folder, [*arguments, "--quiet", "-o", "json"])
    return json.loads(printed), opens


def check(folder, content, opens):
    named = {os.path.normpath(entry["path"]) for entry in content["inputs"]}
    assert opens == dict.fromkeys(named, 1)
    for entry in content["inputs"]:
        assert entry["sha256"] == sha256((folder / entry["path"]).read_bytes()).hexdigest()


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_every_input_is_opened_once(folder, case):
    content, opens = counted(folder, CASES[case])
    check(folder, content, opens)


@pytest.mark.slow
def test_parquet_is_opened_once(folder):
    pytest.importorskip("pyarrow")
    content, opens = counted(folder, ["evaluate", "qrels.txt", "table.parquet", "-m", "P@5"])
    check(folder, content, opens)
    assert content["inputs"][1]["queries"] == 8


@pytest.mark.slow
def test_a_table_opens_every_input_once(folder):
    opens = opens_of(folder, ["evaluate", "qrels.txt", *FOUR, "-m", "P@5", "--quiet"])[1]
    assert opens == dict.fromkeys(["qrels.txt", *FOUR], 1)


@pytest.mark.slow
def test_a_report_opens_the_qrels_once(folder, tmp_path):
    pytest.importorskip("jinja2")
    command = ["report", "qrels.txt", *FOUR, "-m", "P@5", "--quiet", "-o", str(tmp_path / "r.html")]
    assert opens_of(folder, command)[1]["qrels.txt"] == 1


def test_what_is_too_large_to_keep_is_read_again_and_hashed_once(folder, monkeypatch):
    monkeypatch.setattr(read_log, "MOST_ROWS_KEPT", 0)
    run = folder / FOUR[0]
    with keep_log() as log:
        first, again = read_run(run), read_run(run)
    assert first is not again
    assert log.digests == {os.path.realpath(run): sha256(run.read_bytes()).hexdigest()}
    assert list(log.queries.values()) == [8]


def test_one_file_in_two_roles_has_two_entries_and_one_digest(folder):
    with keep_log() as log:
        read_qrels(folder / "half.txt")
        read_qrels(str(folder / "." / "half.txt"))
        with pytest.raises(ValueError, match="these look like qrels"):
            read_run(folder / "half.txt")
    assert list(log.queries.values()) == [6]
    assert len(log.digests) == 1


def test_without_a_log_nothing_is_kept(folder):
    assert read_run(folder / FOUR[0]) is not read_run(folder / FOUR[0])


def test_a_digest_is_of_the_whole_file_in_whatever_order_it_is_read(tmp_path):
    content = os.urandom(3_000_000)
    file = tmp_path / "bytes"
    file.write_bytes(content)

    def nothing(_):
        pass

    def backwards(reader):
        for start in range(2_900_000, -1, -100_000):
            reader.seek(start)
            assert reader.read(100_000) == content[start : start + 100_000]

    def twice(reader):
        assert reader.read(1_500_000) == content[:1_500_000]
        reader.seek(10)
        assert reader.read() == content[10:]

    for read in (nothing, backwards, twice):
        with keep_log() as log, opened(file) as reader:
            read(reader)
        assert list(log.digests.values()) == [sha256(content).hexdigest()]


def test_a_dataset_is_loaded_once(folder, monkeypatch, capsys):
    judged = [ir_measures.Qrel(f"q{number}", "d1", 1) for number in range(3)]
    returned = [ir_measures.ScoredDoc(qrel.query_id, "d1", 1.0) for qrel in judged[:2]]
    loaded = []

    def records(name, kind):
        loaded.append((name, kind))
        return {"qrels": judged, "scoreddocs": returned}[kind]

    monkeypatch.setattr("irx_measures.io.trec.records", records)
    monkeypatch.setattr("irx_measures.measures.grade_meanings.grade_meanings", lambda name: {})
    command = ["evaluate", "irds:some/set", "irds:some/set", "-m", "P@1", "NRG(prior=others)@1"]
    assert main([*command, "--quiet", "-o", "json"]) == 0
    inputs = json.loads(capsys.readouterr().out)["inputs"]
    assert [(entry["sha256"], entry["queries"]) for entry in inputs] == [(None, 3), (None, 2)]
    assert sorted(loaded) == [("irds:some/set", "qrels"), ("irds:some/set", "scoreddocs")]


def test_letor_has_its_digest(tmp_path):
    letor = tmp_path / "letor.txt"
    letor.write_text("1 qid:1 1:0.5\n")
    with keep_log() as log:
        read_letor(letor)
    assert log.digests == {os.path.realpath(letor): sha256(letor.read_bytes()).hexdigest()}
