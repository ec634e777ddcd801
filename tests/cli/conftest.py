"""Shared by tests of commands: the files of a campaign."""

import pytest

from irx_measures.simulate import simulate_campaign
from tests import console

RUNS = ["dense-a", "dense-b", "dense-c", "lexical-a", "lexical-b", "lexical-c"]


def write_files(folder):
    """Qrels, runs, judgments of a machine and of few topics, groups, costs, scores."""
    simulate_campaign(systems=6, queries=12, depth=30, seed=3).write(folder)
    rows = (folder / "qrels.txt").read_text().splitlines(keepends=True)
    few = [row for row in rows if row.split()[0] <= "q08"]
    wrong = [row[:-2] + "0\n" if row.endswith("3\n") else row for row in rows]
    queries = list(dict.fromkeys(row.split()[0] for row in rows))
    tables = {
        "human.txt": few,
        "dense-a.txt": few,  # not the run of this name
        "machine.txt": wrong,
        "binary.txt": [f"{row[:-2]}{min(int(row[-2]), 1)}\n" for row in rows],
        "costs.csv": ["run,cost\n", *(f"{run},{place}\n" for place, run in enumerate(RUNS))],
        "by.csv": ["query_id,group\n", *(f"{q},{'en' if q < 'q07' else 'de'}\n" for q in queries)],
        "empty.run": [],
        "doubt.run": ["#q01 Q0 d 1 1.0 tag\n", "q01 Q0 d 1 1.0 tag\n"],
        "gap.csv": ["system,query_id,AP\n", "a,q1,0.5\n", "b,q1,0.5\n", "b,q2,0.5\n"],
        "three.run": ["q01 d 1\n"],
        "part.csv": ["query_id,group\n", "q01,en\n"],
        "scores.csv": [
            "system,query_id,seconds\n",
            *(f"{name},{q},{len(name) + place % 3}.5\n"
              for name in ("slow-one", "fast") for place, q in enumerate(queries)),
        ],
    }  # fmt: skip
    for name, lines in tables.items():
        (folder / name).write_text("".join(lines))


@pytest.fixture(scope="package")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    write_files(folder)
    return folder


def words(command):
    """The arguments of a command in the folder: RUNS are all runs, EMPTY is an empty argument."""
    paths = " ".join(f"runs/{name}.run.gz" for name in RUNS)
    given = command.replace("RUNS", paths).split()
    return ["" if word == "EMPTY" else word for word in given]


@pytest.fixture
def irx(folder):
    """Run a command in the folder of the campaign: status, stdout, stderr."""
    return lambda command, *more: console.irx(*words(command), *more, cwd=folder)


@pytest.fixture
def told(irx):
    """Run a command with all RUNS; its status and stderr."""

    def run(command, *more):
        done = irx(f"{command} qrels.txt RUNS -m nDCG@10", *more)
        return done.returncode, done.stderr

    return run
