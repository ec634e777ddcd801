"""Tables beside printed numbers, claims and figures."""

from math import isnan, nan

import pytest

from irx_measures.measures.citations import Paper
from irx_measures.reproductions.results import (
    Claim,
    Number,
    PaperFigure,
    PaperTable,
    Reproduction,
    claims_frame,
)

PAPER = Paper(key="x2026", title="X", venue="SIGIR", year=2026)
NUMBERS = (
    Number("a", "95%", 12.0, 10.0),
    Number("a", "99%", 8.0, 9.0),
    Number("b", "95%", 7.0),
)
TABLE = PaperTable("Table 1", "Pairs", "TREC-8", NUMBERS, "depth 100 <only>")


def test_a_table_has_a_row_per_number():
    frame = TABLE.to_frame()
    assert list(frame.columns) == ["row", "column", "printed", "here", "difference"]
    assert frame["difference"].tolist()[:2] == [2.0, -1.0]
    assert isnan(frame["difference"][2])


def test_a_table_has_the_shape_of_the_papers():
    shape = TABLE.in_shape()
    assert (list(shape.index), list(shape.columns)) == (["a", "b"], ["95%", "99%"])
    assert shape.loc["a"].tolist() == [12.0, 8.0]
    assert isnan(shape.loc["b", "99%"])
    assert TABLE["b", "95%"] == 7.0


def test_the_largest_difference_is_of_printed_numbers():
    assert TABLE.largest_difference == 2.0
    bare = PaperTable("Table 2", "", "", (Number("a", "b", 1.0), Number("a", "c", nan)))
    assert not bare.printed
    assert isnan(bare.largest_difference)


def test_notebooks_show_label_data_and_remark():
    shown = TABLE._repr_html_()
    assert "Table 1. Pairs" in shown
    assert "Data: TREC-8" in shown
    assert "depth 100 &lt;only&gt;" in shown
    assert "12.000" in shown


def test_a_claim_holds_or_does_not():
    found = [Claim.of("more", True, "2 > 1"), Claim.of("less", False, "2 > 1")]
    assert claims_frame(found)["verdict"].tolist() == ["holds", "does not hold"]


def test_figures_have_names_for_files():
    figure = PaperFigure("Figure 5, TREC-8 (left)", "", lambda: None)
    assert figure.file_name == "figure-5-trec-8-left"


def test_a_reproduction_finds_its_tables():
    found = Reproduction(PAPER, ("TREC-8",), (TABLE,), claims=(Claim.of("x", True, "y"),))
    assert found.table("Table 1") is TABLE
    assert found.claims_frame()["evidence"].tolist() == ["y"]
    with pytest.raises(KeyError):
        found.table("Table 9")
