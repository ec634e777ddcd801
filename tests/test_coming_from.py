"""The page for users of other tools: what it puts on the right runs and gives what it says.

Tools that are not installed are skipped::

    pip install ranx
"""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest

import irx_measures as irx
from tests import console
from tests.campaigns import trec_files
from tests.console import PAGES
from tests.doubts import MISSED_QUERIES

TEXT = PAGES.joinpath("coming_from.rst").read_text(encoding="utf-8")
SECTION = re.compile(r"^\.\. _from-(?P<tool>.*):$", re.MULTILINE)
ROW = re.compile(
    r"^    \* - ``(?P<theirs>.*)``\n      - ``(?P<ours>.*)``\n      - (?P<values>.*)$", re.MULTILINE
)
MODULES = {"ir-measures": "ir_measures", "trec-eval": "pytrec_eval", "ranx": "ranx"}

pytestmark = [
    pytest.mark.slow,
    MISSED_QUERIES,
    # ranx calls what scipy and numba have deprecated.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:unsafe cast from uint64 to int64"),
]


_, *parts = SECTION.split(TEXT)
SECTIONS = dict(zip(parts[::2], parts[1::2], strict=True))  # a tool and its text
ROWS = [
    pytest.param(tool, *row.groups(), id=f"{tool}: {row['theirs']}")
    for tool, text in SECTIONS.items()
    for row in ROW.finditer(text)
]
AS_COMMANDS = [row for row in ROWS if row.values[2].startswith("irx evaluate ")]
IN_PYTHON = [row for row in ROWS if row not in AS_COMMANDS]


def campaign():
    """The names that the first example of the page defines."""
    names = {}
    for example in doctest.DocTestParser().get_examples(TEXT):
        exec(example.source, names)
    return names


def names_of(tool):
    """The names that a section's examples define; those of a missing tool are left out."""
    names = campaign()
    for block in console.blocks(SECTIONS[tool], "python"):
        code = textwrap.dedent(block["lines"])
        if find_spec(MODULES[tool]) or MODULES[tool] not in code:
            exec(code, names)
    if not find_spec("ranx"):  # ours takes the same dicts
        names |= {"R": names["run"], "R2": names["other"], "Q": names["qrels"], "tied": {}}
    return names


def numbers(value):
    """The scores of a call as numbers; those of several measures in the order of their names."""
    if isinstance(value, dict):
        return [float(value[key]) for key in sorted(value, key=str)]
    if isinstance(value, pd.DataFrame):
        return value[sorted(value.columns)].to_numpy().ravel().tolist()
    return np.ravel(value).astype(float).tolist()


def check(values, theirs, ours):
    """The values agree, or do not, as the page says."""
    if values.startswith("differ"):
        assert len(theirs) != len(ours) or not np.allclose(theirs, ours, atol=1e-4)
        return
    places = re.fullmatch(r"equal(?: to (\d+) decimal places)?", values)
    assert places is not None, values
    tolerance = 10.0 ** -int(places[1]) if places[1] else 1e-9
    np.testing.assert_allclose(theirs, ours, rtol=0, atol=tolerance)


def test_every_row_is_checked():
    of_tools = "".join(SECTIONS[tool] for tool in MODULES)
    assert of_tools.count("* - ``") == len(ROWS)
    assert len(IN_PYTHON) > 12
    assert len(AS_COMMANDS) > 6


@pytest.mark.parametrize(("tool", "theirs", "ours", "values"), IN_PYTHON)
def test_a_call_gives_what_the_page_says(tool, theirs, ours, values):
    names = names_of(tool)
    if "tied" in ours and not names["tied"]:
        pytest.skip("ranx is not installed")
    mine = numbers(eval(ours, names))
    assert np.isfinite(mine).all()
    if not find_spec(MODULES[tool]):
        pytest.skip(f"{MODULES[tool]} is not installed")
    if values.startswith("theirs is an error"):
        with pytest.raises((AssertionError, AttributeError)):
            eval(theirs, names)
    else:
        check(values, numbers(eval(theirs, names)), mine)


def last_cells(printed):
    """The last number of every line, with the cells before it: lines in any order."""
    lines = [line.split() for line in printed.splitlines()]
    return [float(line[-1]) for line in sorted(lines, key=lambda line: (line[-2], line[:-2]))]


@pytest.mark.parametrize(("tool", "theirs", "ours", "values"), AS_COMMANDS)
def test_a_command_gives_what_the_page_says(tool, theirs, ours, values, tmp_path):
    names = campaign()
    ties = {query: {doc: round(score, 1) for doc, score in scores.items()}
            for query, scores in names["run"].items()}  # fmt: skip
    runs = {"mine": names["run"], "partial": names["partial"], "ties": ties}
    trec_files(tmp_path, runs, names["qrels"])
    mine = last_cells(console.irx(*shlex.split(ours)[1:], "--quiet", cwd=tmp_path).stdout)
    program, *arguments = shlex.split(theirs)
    command = [program] if shutil.which(program) else []
    if program == "ir_measures":
        command = [sys.executable, "-m", "ir_measures"]
    if not command:
        pytest.skip(f"{program} is not on the PATH")
    done = subprocess.run(
        [*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if done.returncode:
        assert "an error" in values, done.stderr
    else:
        check(values.replace("equal", "equal to 4 decimal places"), last_cells(done.stdout), mine)


@pytest.mark.parametrize(
    "text", re.findall(r"``((?:NRG|AP_|RBO|BootNDCG).*?)``", SECTIONS["scripts"])
)
def test_measures_of_the_scripts_can_be_written(text):
    assert irx.parse_measure(text.replace("(...)", "").replace("..., ", ""))


def test_every_tool_of_the_page_has_a_section():
    assert set(SECTIONS) == {*MODULES, "scripts", "scores"}
