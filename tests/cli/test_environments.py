"""In every environment a command prints and writes the same, and leaves the installation alone."""

import os
import re
import shutil
import stat
from typing import Any, NamedTuple

import pytest

from tests.cli.conftest import words
from tests.console import python
from tests.ir_datasets_home import NO_HOME, NO_NETWORK

RUNS = "runs/größe.run.gz RUNS"

# Paths and names are the same in all environments, so texts and files are, too.
SAME = [
    f"evaluate qrels.txt {RUNS} -m nDCG@10 NRG(prior=others)@10",
    f"compare qrels.txt {RUNS} -m nDCG@10 --baseline dense-a",
    f"compare qrels.txt {RUNS} -m nDCG@10 -o json",
    "explain qrels.txt runs/größe.run.gz -m nDCG@5 --query q01",
    f"report qrels.txt {RUNS} -m nDCG@10 -o report.html",
    "simulate made --systems 3 --queries 4 --depth 5",
    f"judge next new.txt {RUNS} -m nDCG@5",
    f"meta stability qrels.txt {RUNS} -m nDCG@10 --trials 5",
    "cite NRG",
    "reproduce --list",
]

# Docstrings and the width of helps differ: what they print is not compared.
PRINTED = ["measures", "measures NRG", "measures AP", "compare --help", "judge next --help"]

TIME = re.compile(rb'"time": "[^"]*"')  # in the log of judgments

ENDED = "ended with status"

PROGRAM = f"""
import sys
from irx_measures.cli.main import main
for line in sys.argv[1:]:
    try:
        status = main(line.split())
    except SystemExit as end:  # of a help
        status = end.code
    print("{ENDED}", status)
"""

READ_ONLY = """
import os, sys, sysconfig
import irx_measures
places = (sysconfig.get_paths()["purelib"], os.path.dirname(irx_measures.__file__))
def refuse(event, given):
    writes = event == "open" and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (writes or event == "os.mkdir") and str(given[0]).startswith(places):
        raise PermissionError(given[0])
sys.addaudithook(refuse)
"""


class Environment(NamedTuple):
    """Variables, None for one that is not set; code that runs first; the mask of new files."""

    variables: dict[str, str | None]
    code: str = ""
    umask: int = 0o022


PLAIN = Environment({})

ENVIRONMENTS = {
    "colours": Environment({"FORCE_COLOR": "1"}),
    "no colours": Environment({"NO_COLOR": "1", "TERM": "dumb"}),
    "a column": Environment({"COLUMNS": "1"}),
    "40 columns": Environment({"COLUMNS": "40"}),
    "200 columns": Environment({"COLUMNS": "200"}),
    "time zone": Environment({"TZ": "Asia/Tokyo"}),
    "locale": Environment({"LC_ALL": "C", "LANG": None}),
    "no home": Environment({}, NO_HOME),
    "umask": Environment({}, umask=0o077),
    "no docstrings": Environment({"PYTHONOPTIMIZE": "2"}),
    "no network, no browser": Environment({"PATH": ""}, NO_NETWORK),
    "read-only": Environment({"PYTHONDONTWRITEBYTECODE": None}, READ_ONLY),
}

# Several at once show what one of them changes; each alone, once a week, says which one.
TOGETHER = {
    "a narrow terminal far away": Environment(
        {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "40", "TZ": "Asia/Tokyo", "LC_ALL": "C",
         "LANG": None}, umask=0o077,
    ),
    "a wide terminal cut off": Environment(
        {"FORCE_COLOR": "1", "COLUMNS": "200", "PATH": "", "PYTHONDONTWRITEBYTECODE": None},
        NO_NETWORK + READ_ONLY,
    ),
    "a column without a home": Environment({"COLUMNS": "1", "PYTHONOPTIMIZE": "2"}, NO_HOME),
}  # fmt: skip

CASES = [pytest.param(case, id=name) for name, case in TOGETHER.items()]
CASES += [
    pytest.param(case, id=name, marks=pytest.mark.whole) for name, case in ENVIRONMENTS.items()
]


def left_by(environment, source, folder):
    """What the commands leave in a folder: their texts, stderr, and the files."""
    (folder / "runs").mkdir(parents=True)
    for path in sorted(source.glob("runs/*")):
        shutil.copy(path, folder / "runs")
    shutil.copy(source / "qrels.txt", folder)
    shutil.copy(source / "runs" / "dense-b.run.gz", folder / "runs" / "größe.run.gz")
    given = {*folder.rglob("*")}
    # The report has a date, which is another one at the same moment in another time zone.
    day = {"HOME": str(folder), "SOURCE_DATE_EPOCH": "1780000000"}
    variables: dict[str, Any] = {**os.environ, **day, **environment.variables}
    variables.pop("IRX_DATA", None)
    done = python(
        "-c", environment.code + PROGRAM, *(" ".join(words(line)) for line in [*SAME, *PRINTED]),
        cwd=folder, encoding="utf-8", umask=environment.umask,
        env={name: value for name, value in variables.items() if value is not None},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = {*folder.rglob("*")} - given
    for path in made:
        most = 0o777 if path.is_dir() else 0o666
        assert stat.S_IMODE(path.stat().st_mode) == most & ~environment.umask, path
    files = {
        str(path.relative_to(folder)): TIME.sub(b"", path.read_bytes())
        for path in made
        if path.is_file()
    }
    return done.stdout.split(ENDED), done.stderr, files


@pytest.fixture(scope="module")
def plain(folder, tmp_path_factory):
    return left_by(PLAIN, folder, tmp_path_factory.mktemp("plain") / "it")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no mask of new files")
@pytest.mark.parametrize("environment", CASES)
def test_a_command_prints_and_writes_the_same(environment, folder, plain, tmp_path):
    texts, stderr, files = left_by(environment, folder, tmp_path / "it")
    expected, expected_stderr, expected_files = plain
    assert texts[: len(SAME)] == expected[: len(SAME)]
    assert stderr == expected_stderr
    assert files == expected_files
    for text in texts[len(SAME) :]:
        assert text.startswith(" 0\n")
