"""Commands open every input once; with ``-o json`` once more, for its digest."""

import json
import os
import subprocess
import sys

import pytest

from irx_measures.simulate import simulate_campaign

pytestmark = pytest.mark.slow

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

RUNS = [f"runs/{name}.run.gz" for name in ("lexical-a", "lexical-b", "lexical-c", "dense-a")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reads")
    simulate_campaign(systems=4, queries=8, depth=20, seed=3).write(folder)
    return folder


def opens_of(folder, *arguments):
    """How often a command opened each file of the folder."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, str(folder), *arguments, "--quiet"],
        capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stderr.splitlines()[-1])


@pytest.mark.parametrize(("form", "times"), [("csv", 1), ("json", 2)])
@pytest.mark.parametrize("measure", ["P@5", "NRG(prior=others)@5"])
def test_every_input_is_opened_once_and_hashed_once(folder, form, times, measure):
    opens = opens_of(folder, "evaluate", "qrels.txt", *RUNS, "-m", measure, "-o", form)
    assert opens == dict.fromkeys(["qrels.txt", *map(os.path.normpath, RUNS)], times)


def test_a_report_opens_the_qrels_once(folder, tmp_path):
    pytest.importorskip("jinja2")
    page = str(tmp_path / "r.html")
    assert opens_of(folder, "report", "qrels.txt", *RUNS, "-m", "P@5", "-o", page)["qrels.txt"] == 1
