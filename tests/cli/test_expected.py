"""What every command prints by default: files in tests/expected/cli, read as a diff.

The first line of a file is the command. `python -m tests.cli.test_expected` writes the rest again.
"""

import sys
import tempfile
from inspect import getdoc
from pathlib import Path

import pytest

from irx_measures import all_measures
from irx_measures.cli.measures import measure_page, measures_table
from tests import console
from tests.cli.conftest import words, write_files
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

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


@pytest.mark.slow
@pytest.mark.parametrize("command", PICTURES)
def test_a_picture_is_drawn(irx, tmp_path, command):
    pytest.importorskip("matplotlib")
    path = tmp_path / "it.svg"
    done = irx(f"{command} --quiet --width 7 --plot", path)
    assert done.returncode == 0, done.stderr
    assert f"wrote {path}\n" in done.stderr
    assert PICTURES[command] in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("measure", all_measures(), ids=lambda measure: measure.NAME)
def test_a_page_is_the_signature_the_docstring_and_the_papers(measure):
    signature, *others = measure_page(measure).split("\n\n")
    assert signature.startswith(f"{measure.NAME}(")
    assert all(f"{name}={param.default!r}" in signature for name, param in measure.PARAMS.items())
    rest = "\n\n".join(others)
    assert rest.startswith(getdoc(type(measure)))
    assert all(paper.bibtex in rest for paper in measure.PAPERS)


def test_the_catalogue_has_a_row_a_measure():
    _, _, *rows = measures_table().splitlines()
    assert [row.split()[0] for row in rows] == [measure.NAME for measure in all_measures()]
    assert all(measure.summary in row for row, measure in zip(rows, all_measures(), strict=True))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        write_files(Path(temporary))
        for path in EXPECTED.iterdir():
            path.write_text(printed(path, Path(temporary)), encoding="utf-8")
