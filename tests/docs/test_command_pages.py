"""The pages of the commands say what the parsers say."""

import re

import pytest

from docs.command_pages import _parsers, command_pages, page_name
from irx_measures.cli.main import _parser


@pytest.fixture(scope="module")
def pages():
    return command_pages()


def test_every_command_of_every_level_has_a_page(pages):
    assert list(pages)[:3] == ["irx", "irx evaluate", "irx compare"]
    assert {"irx meta", "irx meta power", "irx judge audit"} < pages.keys()
    assert page_name("irx meta power") == "irx-meta-power"


def test_a_page_has_every_option_of_its_parser(pages):
    for parser in _parsers(_parser()):
        shown = re.findall(r"^\.\. option:: (.*)", pages[parser.prog], re.MULTILINE)
        for action in parser._actions:
            if action.option_strings:
                names = ", ".join(action.option_strings)
                assert any(f"{line} ".startswith(f"{names} ") for line in shown)


def test_an_option_has_its_values_and_its_default(pages):
    page = pages["irx meta power"]
    assert ".. option:: --seed N\n\n    Random seed (default: 42)\n" in page
    assert ".. option:: --levels LEVEL [LEVEL ...]\n" in page
    assert "One of `holm`, `bonferroni`, `bh`, `none`. Correction for the number" in page
    assert "(required)" in page


def test_examples_are_commands_to_copy(pages):
    assert (
        "Is my system better than both baselines, and by how much?\n\n"
        ".. code-block:: console\n\n"
        "    $ irx compare qrels.txt my.run bm25.run dense.run -m nDCG@10 AP \\\n"
        "        --baseline bm25 --baseline dense\n"
    ) in pages["irx compare"]
    assert "    $ irx simulate campaign --systems 20 --seed 7\n" in pages["irx simulate"]


def test_the_usage_is_aligned_and_without_lists_of_choices(pages):
    usage = pages["irx evaluate"].partition(".. code-block:: text\n\n")[2].partition("\n\n")[0]
    first, *others = usage.splitlines()
    assert first.startswith("    irx evaluate [-h]")
    assert all(line.startswith("    " + " " * len("irx evaluate ")) for line in others)
    assert "{" not in usage


def test_options_in_prose_are_code(pages):
    assert "with `-q`: omit the summary rows" in pages["irx evaluate"].lower()
