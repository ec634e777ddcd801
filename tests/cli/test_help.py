"""`irx help`: what -h of a command prints, and the options that commands share."""

import re

import pytest

from irx_measures.cli.comparing import METHOD
from irx_measures.cli.from_function import described
from irx_measures.cli.help import SECTIONS
from irx_measures.cli.options import SHARED
from irx_measures.cli.parser import DETAILS
from irx_measures.comparison.compare import compare


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ("help", "-h"),
        ("help compare", "compare -h"),
        ("help judge", "judge -h"),
        ("help judge next", "judge next -h"),
        ("help meta power", "meta power --help"),
        ("help help", "help -h"),
    ],
)
def test_help_prints_what_the_option_of_a_command_prints(irx, asked, same):
    done = irx(asked)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == irx(same).stdout


@pytest.mark.parametrize("command", ["", "meta", "judge"])
def test_a_missing_command_is_an_error_below_the_list_of_commands(irx, command):
    done, asked = irx(command), irx(f"{command} --help")
    assert (done.returncode, done.stdout) == (2, "")
    list_of_commands, _, line = done.stderr.rstrip().rpartition("\n\n")
    assert list_of_commands == asked.stdout.rstrip()
    assert re.fullmatch(r"irx[ \w]*: error: the following arguments are required: \w+ .*", line)


def test_the_options_are_explained_in_full(irx, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    printed = " ".join(irx("help options").stdout.split())
    shared = [SHARED[name] for names in SECTIONS.values() for name in names]
    texts = [option.long or option.short for option in shared]
    of_compare = [text for name, text in described(compare).items() if name in METHOD]
    assert len(of_compare) == len(METHOD)
    for text in [*texts, *of_compare]:
        assert " ".join(text.split("%(default)s")[0].replace("%%", "%").split()) in printed


def test_every_option_with_a_long_text_is_explained_once():
    explained = [name for names in SECTIONS.values() for name in names]
    assert len(set(explained)) == len(explained)
    assert {name for name, option in SHARED.items() if option.long} == {*explained} - {"quiet"}


@pytest.mark.parametrize(
    ("command", "is_shortened"),
    [
        ("compare", True),
        ("judge audit", True),
        ("meta pareto", True),
        ("reproduce", True),
        ("judge", False),
        ("judge add", False),
        ("simulate", False),
        ("measures", False),
    ],
)
def test_helps_that_shorten_options_say_where_they_are_explained(irx, command, is_shortened):
    assert irx(f"{command} -h").stdout.rstrip().endswith(DETAILS) == is_shortened
