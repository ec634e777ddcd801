"""--fail-if-worse: the exit status of a build, run as a job of CI runs it."""

import subprocess
import sys

import pytest

from irx_measures.cli import compare as command
from tests import console

QUERIES = [f"q{number:02}" for number in range(30)]
SHIFTS = {"main": 0.0, "same": 0.0, "better": 0.2, "worse": -0.2, "low": -0.4}


def run_of(name):
    """The only relevant document is at rank 7 to 9, or a multiple of 2 ranks higher or lower."""
    lines = []
    for place, query in enumerate(QUERIES):
        rank = 6 - round(10 * SHIFTS[name]) + place % 3
        found = ["A" if at == rank else f"X{at}" for at in range(14)]
        lines += [f"{query} Q0 {doc} {at} {-at} t\n" for at, doc in enumerate(found)]
    return "".join(lines)


def scores_of(names, measure="AP"):
    rows = [
        f"{name},{query},{measure},{0.5 + SHIFTS[name] + place % 7 / 50}\n"
        for name in names
        for place, query in enumerate(QUERIES)
    ]
    return "".join(rows)


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """A folder with qrels, runs, tables of scores, and groups of queries."""
    folder = tmp_path_factory.mktemp("build")
    head, good = "system,query_id,measure,value\n", ["main", "better"]
    files = {
        "qrels.txt": "".join(f"{query} 0 A 1\n" for query in QUERIES),
        "by.csv": "query_id,group\n" + "".join(f"{q},{q < 'q15'}\n" for q in QUERIES),
        "good.csv": head + scores_of(good),
        "bad.csv": head + scores_of([*good, "worse"]),
        "gap.csv": head + scores_of(good) + scores_of(["main"], "mine"),
        **{f"{name}.run": run_of(name) for name in SHIFTS},
    }
    collections = {
        "one": ["main", "worse", "better"], "two": ["main", "worse"], "three": ["main", "worse"],
    }  # fmt: skip
    for collection, names in collections.items():
        (folder / collection / "runs").mkdir(parents=True)
        files[f"{collection}/qrels.txt"] = files["qrels.txt"]
        files |= {f"{collection}/runs/{name}.run": run_of(name) for name in names}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def words(arguments):
    return ["compare", *arguments.split(), "--fail-if-worse"]


def job(folder, arguments):
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "irx_measures", *words(arguments)],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ("qrels.txt same.run better.run main.run -m RR P@5 --baseline main", 0),
        ("qrels.txt same.run worse.run main.run -m RR --baseline main", 1),
        ("--scores good.csv --baseline main", 0),
        ("--scores bad.csv --baseline main", 1),
        ("--scores good.csv", 2),
    ],
)
def test_a_job_ends_with_the_status(build, arguments, status):
    done = job(build, arguments)
    assert done.returncode == status, done.stderr
    assert done.stderr.count("\n") == min(status, 1)
    assert bool(done.stdout) == (status < 2)


ONE_LINE = {
    # one system worse, on one measure or several
    "qrels.txt worse.run main.run -m RR --baseline main":
        (1, "worse is significantly worse than main by 0.026 on RR (adjusted p <.001)"),
    "--scores bad.csv --baseline main":
        (1, "worse is significantly worse than main by 0.200 on AP (adjusted p <.001)"),
    "--scores bad.csv --baseline main --by by.csv":
        (1, "on AP, True (adjusted p <.001), worse is significantly worse than main by 0.200"),
    # where lower is better, the systems change places
    "--scores good.csv --baseline main --lower-is-better AP":
        (1, "better is significantly worse than main by 0.200 on AP"),
    "--scores bad.csv --baseline better --lower-is-better AP": (0, ""),
    # another level, and a correction without intervals
    "qrels.txt same.run main.run -m RR --baseline main --correction bh": (0, ""),
    "--scores bad.csv --baseline main --correction bh --level 99": (1, "worse than main"),
    # several collections
    "--collections two three -m RR --baseline main":
        (1, "worse is significantly worse than main by 0.026 on RR (adjusted p <.001)"),
    "--collections two three -m RR --baseline worse": (0, ""),
    # a baseline may be worse than another one
    "qrels.txt better.run low.run main.run -m RR --baseline main --baseline low": (0, ""),
    "qrels.txt worse.run low.run main.run -m RR --baseline main --baseline low":
        (1, "worse is significantly worse than main by 0.026 on RR"),
    # pictures and other tables
    "--scores bad.csv --baseline main -o json": (1, "worse than main"),
    "--scores bad.csv --baseline main --show scores -o latex": (1, "worse than main"),
    # errors
    "qrels.txt worse.run main.run -m RR": (2, "--fail-if-worse needs a --baseline"),
    "qrels.txt low.run main.run -m RR --baseline main --baseline low":
        (2, "--fail-if-worse needs a system that is no --baseline"),
    "--collections one two -m RR --baseline main": (2, "without scores: 'better' on 'two'"),
    "--collections one two -m RR --baseline main --no-strict": (2, "omit --no-strict"),
    "--scores bad.csv --baseline main --no-strict": (2, "omit --no-strict"),
    "qrels.txt no.run main.run -m RR --baseline main": (2, "no.run: no such file"),
    "qrels.txt worse.run main.run -m RR --baseline main -p -2": (2, "-p"),
    # what was asked for, and not tested
    "--scores gap.csv --baseline main": (2, "not tested: mine"),
    "qrels.txt worse.run main.run -m RR NRG(prior=main)@10 --baseline main":
        (2, "not tested: NRG(prior=main)@10"),
    "qrels.txt worse.run better.run main.run -m RR NRG(prior=better)@10 --baseline main":
        (2, "not tested: better on NRG(prior=better)@10"),
}  # fmt: skip


@pytest.mark.parametrize("arguments", ONE_LINE)
def test_the_status_and_its_line(build, arguments):
    status, expected = ONE_LINE[arguments]
    done = console.irx(*words(arguments), "--quiet", cwd=build)
    assert done.returncode == status, done.stderr
    *others, line = done.stderr.splitlines() or [""]
    assert expected in line
    assert line.startswith("irx compare: ") or not status
    assert ("error: " in line) == (status == 2)
    assert all("warning: " in other for other in others)


def test_the_table_is_printed_as_without_the_option(build):
    arguments = words("--scores bad.csv --baseline main")
    with_option = console.irx(*arguments, cwd=build)
    assert with_option.stdout == console.irx(*arguments[:-1], cwd=build).stdout


def test_a_bug_is_not_a_verdict(build, monkeypatch):
    def fails(*_args, **_more):
        raise TypeError("a bug")

    for name in ("compared", "comparison_output", "without_test", "worse_than_baselines"):
        with monkeypatch.context() as patch:
            patch.setattr(command, name, fails)
            done = console.irx(*words("--scores bad.csv --baseline main"), cwd=build)
        assert done.returncode == 2
        assert "internal error: TypeError: a bug" in done.stderr


def test_a_picture_that_fails_is_an_error_and_the_verdict_is_told(build, monkeypatch):
    pytest.importorskip("matplotlib")

    def fails(*_args, **_more):
        raise RuntimeError("no font")

    monkeypatch.setattr(command, "_draw", fails)
    arguments = words("--scores bad.csv --baseline main --plot a.svg")
    done = console.irx(*arguments, cwd=build)
    assert done.returncode == 2
    assert "worse is significantly worse than main" in done.stderr
