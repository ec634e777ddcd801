"""``irx cite``: BibTeX on stdout, doubts on stderr."""

import pytest

import irx_measures
from irx_measures.cli.main import main


def test_the_papers_of_measures_are_printed(capsys):
    assert main(["cite", "NRG", "nDCG@10 RBR(phi=0.9)@20"]) == 0
    printed = capsys.readouterr()
    assert printed.out == irx_measures.bibtex("NRG", "nDCG@10", "RBR") + "\n"
    assert printed.err == ""


def test_without_measures_the_software_is_printed(capsys):
    assert main(["cite"]) == 0
    assert capsys.readouterr().out == irx_measures.bibtex() + "\n"


@pytest.mark.filterwarnings("default:no paper is known")
def test_an_unknown_paper_is_one_line_on_stderr(capsys):
    assert main(["cite", "NRG", "Judged@10"]) == 0
    printed = capsys.readouterr()
    assert printed.err == (
        "irx cite: warning: no paper is known for Judged; cited in its place: ir_measures\n"
    )
    assert printed.out.count("@inproceedings{") == 2


def test_an_unknown_measure_has_status_2(capsys):
    assert main(["cite", "NRGG"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "irx cite: error: measure not found: NRGG; did you mean NRG?\n"
