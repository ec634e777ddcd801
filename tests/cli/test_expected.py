"""What every command prints by default: files in tests/expected/cli, read as a diff.

The first line of a file is the command. `python -m tests.cli.test_expected` writes the rest again.
"""

import re
import shlex
import sys
import tempfile
from inspect import getdoc
from pathlib import Path

import ir_measures
import pytest

from irx_measures import all_measures
from irx_measures.cli import measures
from irx_measures.cli.help import options_parser
from irx_measures.cli.main import _parser
from irx_measures.cli.measures import measure_page, measures_table
from irx_measures.cli.parser import folded_line
from irx_measures.measures.declaring.base import catalogue
from irx_measures.results import screen
from tests import console
from tests.cli.conftest import words, write_files
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

WIDTHS = [40, 60, 80, 100, 132]

REST = re.compile(r"`|:\w+:`|^ *\.\. |::$", re.MULTILINE)

EXAMPLE = re.compile(r"(>>>|\.\.\.) ")

parser = _parser()

EXPECTED = Path(__file__).parents[1] / "expected" / "cli"

NEWEST = sys.version_info >= (3, 11)  # the lists of packages of older ones round otherwise


def printed(file, folder):
    """The command of a file, and what it prints now."""
    first = file.read_text(encoding="utf-8").partition("\n")[0]
    done = console.irx(*words(first.removeprefix("$ irx ")), cwd=folder, together=True)
    assert done.returncode == 0, done.stdout
    return f"{first}\n{done.stdout}"


@pytest.mark.skipif(not NEWEST, reason="faces are compared in the newest environment")
@pytest.mark.parametrize("file", sorted(EXPECTED.iterdir()), ids=lambda file: file.stem)
def test_a_command_prints_what_is_expected(folder, file, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(folder))  # which has no data of papers
    assert printed(file, folder) == file.read_text(encoding="utf-8")


PICTURES = {
    "compare qrels.txt RUNS -m nDCG@10": "nDCG@10",
    "compare qrels.txt RUNS -m nDCG@10 --baseline lexical-a": "lexical-a",
    "compare qrels.txt RUNS -m nDCG@10 --by by.csv": "en (6 topics)",
    "compare qrels.txt RUNS -m nDCG@10 AP": "AP, mean and 95% interval",
    "compare qrels.txt RUNS -m AP nDCG@10": "AP, mean and 95% interval",
    "compare qrels.txt RUNS -m nDCG@10 AP --by by.csv --baseline dense-a": "AP minus",
    "meta power qrels.txt RUNS -m nDCG@10": "nDCG@10",
    "meta stability qrels.txt RUNS -m nDCG@10 --trials 9": "nDCG@10",
    "meta swap qrels.txt RUNS -m nDCG@10 --trials 9": "nDCG@10",
    "meta systems qrels.txt RUNS -m nDCG@10 --trials 3": "nDCG@10",
    "meta correlation qrels.txt RUNS -m nDCG@10 AP --samples 9": "dense-a",
    "meta correlation qrels.txt RUNS -m nDCG@10 P@5 --samples 9": "P@5",
    "meta pareto qrels.txt RUNS -m nDCG@10 --costs costs.csv": "dense-a",
    "judge audit qrels.txt machine.txt": "label",
    "judge status qrels.txt RUNS": "judged",
}


# Like the others, with other measures or groups.
TWINS = {
    "compare qrels.txt RUNS -m AP nDCG@10",
    "compare qrels.txt RUNS -m nDCG@10 AP --by by.csv --baseline dense-a",
    "meta swap qrels.txt RUNS -m nDCG@10 --trials 9",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=pytest.mark.whole) if command in TWINS else command
        for command in PICTURES
    ],
)
def test_a_picture_is_drawn(irx, tmp_path, command):
    pytest.importorskip("matplotlib")
    path = tmp_path / "it.svg"
    done = irx(f"{command} --quiet --width 7 --plot", path)
    assert done.returncode == 0, done.stderr
    assert f"wrote {path}\n" in done.stderr
    assert PICTURES[command] in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("measure", all_measures(), ids=lambda measure: measure.NAME)
def test_a_page_is_the_signature_the_docstring_and_the_papers(measure, monkeypatch):
    monkeypatch.setattr(measures, "line_width", lambda: 10_000)
    signature, *others = measure_page(measure).split("\n\n")
    assert signature.startswith(f"{measure.NAME}(")
    assert all(f"{name}={param.default!r}" in signature for name, param in measure.PARAMS.items())
    rest = "\n\n".join(others)
    assert " ".join(rest.split()).startswith(
        " ".join(re.sub("`", "", getdoc(type(measure))).split())
    )
    assert all(paper.bibtex in rest for paper in measure.PAPERS)


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_of_measures_fit_and_have_no_markup(width, monkeypatch):
    monkeypatch.setattr(screen, "terminal_width", lambda: width)
    monkeypatch.setattr(measures, "line_width", lambda: width)
    for name in [*catalogue, *ir_measures.measures.registry]:
        page = measures.page(name)
        assert not REST.search(page), name
        long = [line for line in page.split("\n") if len(line) > width]
        if width < 80:  # examples keep their lines, and words are not broken
            long = [line for line in long if not EXAMPLE.match(line) and len(line.split()) > 2]
        assert not long, name


@pytest.mark.parametrize("width", WIDTHS)
def test_helps_fit_and_have_no_markup(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    for command in [parser, *parser.commands(), options_parser()]:
        text = command.format_help()
        assert not REST.search(text), command.prog
        long = [line for line in text.split("\n") if len(line) > width]
        assert not [line for line in long if " " in line.strip(" \\")], command.prog


def test_an_example_that_is_folded_stays_one_command():
    line = "  irx meta power qrels.txt 'a b' -m AP 'NRG(prior=others)@10' --question a,b"
    text = folded_line(line, 30)
    assert max(map(len, text.split("\n"))) <= 30
    assert shlex.split(text.replace("\\\n", "")) == shlex.split(line)


def test_the_catalogue_has_a_row_a_measure():
    _, _, *rows = measures_table().splitlines()
    assert [row.split()[0] for row in rows] == [measure.NAME for measure in all_measures()]
    assert all(measure.summary in row for row, measure in zip(rows, all_measures(), strict=True))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        write_files(Path(temporary))
        for path in EXPECTED.iterdir():
            path.write_text(printed(path, Path(temporary)), encoding="utf-8")
