"""--ignore-identical-ids of every command, and the doubt that names it."""

import json

import pytest

from tests import console
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

QUERIES = [f"q{number}" for number in range(5)]
FILES = {"best": "AXB", "worse": "XCB", "bm25": "BYX"}


COMMANDS = [
    "evaluate QRELS RUNS -m nDCG@2 NumRet NRG@3 RBO@3 -q -o json --prior PRIOR --reference PRIOR",
    "compare QRELS RUNS -m nDCG@2 NRG@3 -o csv --prior PRIOR",
    "explain QRELS RUNS -m NRG@3 --system best --query q1 -o csv --prior PRIOR",
    "explain QRELS RUNS -m nDCG@2 --system best --against worse -o csv",
]


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory):
    """A folder with runs that return the queries as documents, and one with clean runs."""
    made = {}
    for kind in ("own", "clean"):
        folder = made[kind] = tmp_path_factory.mktemp(kind)
        graded = [("A", 1), ("B", 2), ("C", 0)]
        lines = [f"{query} 0 {doc} {grade}\n" for query in QUERIES for doc, grade in graded]
        (folder / "qrels.txt").write_text("".join(lines))
        for name, docs in FILES.items():
            rows = []
            for query in QUERIES:
                own = [query] if kind == "own" else []
                for place, doc in enumerate([*own, *docs]):
                    rows.append(f"{query} Q0 {doc} {place} {9 - place} t\n")
            (folder / f"{name}.run").write_text("".join(rows))
    return made


def words(command):
    files = {"QRELS": ["qrels.txt"], "RUNS": ["best.run", "worse.run"], "PRIOR": ["bm25.run"]}
    return [word for part in command.split() for word in files.get(part, [part])]


def values(printed):
    """What a command prints, without versions, digests and the command itself."""
    return json.loads(printed)["results"] if printed.startswith("{") else printed


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_leave_them_out_of_runs_and_priors(campaigns, command):
    found = console.irx(*words(command), "--ignore-identical-ids", cwd=campaigns["own"])
    kept = console.irx(*words(command), cwd=campaigns["own"])
    expected = console.irx(*words(command), cwd=campaigns["clean"])
    assert (found.returncode, kept.returncode, expected.returncode) == (0, 0, 0)
    assert values(found.stdout) == values(expected.stdout) != values(kept.stdout)
    assert "own id" not in found.stderr


def test_the_doubt_names_the_option(campaigns):
    command = "evaluate QRELS RUNS -m nDCG@2 NRG@3 --prior PRIOR"
    told = console.irx(*words(command), cwd=campaigns["own"]).stderr
    assert told == (
        "irx evaluate: warning: run 'best' has the document with the query's own id in the top 10 "
        "of 5 of 5 queries; BEIR leaves these documents out (--ignore-identical-ids does so); "
        "likewise run 'worse'\n"
    )


def test_a_report_leaves_them_out(campaigns):
    command = words("report QRELS RUNS -m nDCG@2 -o report.html")
    done = console.irx(*command, "--ignore-identical-ids", cwd=campaigns["own"])
    assert (done.returncode, done.stderr) == (0, "irx report: wrote report.html\n")
    page = (campaigns["own"] / "report.html").read_text(encoding="utf-8")
    assert "own id" not in page
