"""mypy accepts the documented calls, and refuses calls that fail when they run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

pytest.importorskip("mypy", reason="mypy is not installed")

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
FILES = ["accepted.py", "refused.py"]


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    """What mypy says of each file, in its strict mode, by line."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml"),
            *("--cache-dir", tmp_path_factory.mktemp("cache"), "--follow-imports", "silent"),
            *(FOLDER / name for name in FILES),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
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


def expected_errors(name):
    lines = (FOLDER / name).read_text().splitlines()
    marked = (line.partition("# E: ") for line in lines)
    return {number: words for number, (_, mark, words) in enumerate(marked, 1) if mark}


def test_documented_calls_are_accepted(errors):
    assert not expected_errors("accepted.py")
    assert errors["accepted.py"] == {}


def test_mistakes_are_refused_in_their_lines_and_nowhere_else(errors):
    expected = expected_errors("refused.py")
    assert len(expected) > 20
    assert sorted(errors["refused.py"]) == sorted(expected)
    for line, words in expected.items():
        (message,) = errors["refused.py"][line]
        assert words in message
