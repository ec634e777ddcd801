"""Tables beside printed numbers, claims and figures."""

import re
from dataclasses import replace
from math import isnan, nan

import pytest

from irx_measures.measures.citations import Paper
from irx_measures.plots.style import new_axes
from irx_measures.reproductions.results import (
    Claim,
    Claims,
    Judge,
    Number,
    PaperFigure,
    PaperTable,
    Reproduction,
)
from tests.optional import needs

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


def cells(table):
    """The rows of a table as notebooks show it: the text of each cell."""
    rows = re.findall("<tr>(.*?)</tr>", table._repr_html_())
    return [re.findall("<t[hd][^>]*>([^<]*)<", row) for row in rows]


def test_notebooks_show_label_data_and_remark():
    shown = TABLE._repr_html_()
    assert "<b>Table 1</b>. <span>Pairs</span>" in shown
    assert "Data: TREC-8" in shown
    assert "depth 100 &lt;only&gt;" in shown


def test_the_papers_numbers_stand_beside_ours():
    assert cells(TABLE) == [
        ["", "paper", "here", "difference"],
        ["", "95%", "99%", "95%", "99%", "95%", "99%"],
        ["a", "10", "9", "12", "8", "+2", "\N{MINUS SIGN}1"],
        ["b", "–", "–", "7", "–", "–", "–"],
    ]


def test_wide_tables_have_a_line_for_each():
    numbers = [Number("a", column, 0.12345, 0.123) for column in "vwxy"]
    numbers += [Number("b", "v", 0.5)]
    table = PaperTable("Table 2", "", "", tuple(numbers))
    assert cells(table) == [
        ["", "", "v", "w", "x", "y"],
        ["a", "paper", *[".123"] * 4],
        ["", "here", *[".123"] * 4],
        ["", "difference", *[".000"] * 4],
        ["b", "here", ".500", "–", "–", "–"],
    ]


def test_differences_are_those_of_the_printed_places():
    numbers = (Number("a", "x", 0.0449, 0.04), Number("b", "x", 0.0451, 0.04))
    shown = cells(PaperTable("Table 3", "", "", numbers, places=2))
    assert [row[-1] for row in shown[2:]] == [".00", "+.01"]


def test_long_tables_without_printed_numbers_are_cut():
    table = PaperTable("Table 4", "", "", tuple(Number(str(n), "x", n) for n in range(20)))
    assert [row[0] for row in cells(table)] == [
        "", *"01234", "13 more rows: .in_shape()", "18", "19",
    ]  # fmt: skip


def test_claims_are_shown_whole():
    text = "a claim of more than fifty characters, which pandas would have cut"
    shown = Claims([Judge(True).claim(text, True, "<2 > 1")])._repr_html_()
    assert text in shown
    assert "&lt;2 &gt; 1" in shown
    assert "no verdict" not in shown
    assert "no verdict" in Claims([Claim.elsewhere(text, "2 > 1")])._repr_html_()


def test_what_a_terminal_shows_names_no_object():
    assert repr(PaperFigure("Figure 1", "two runs", lambda: None)) == "Figure 1: two runs"
    assert repr(TABLE).startswith("Table 1. Pairs\n  row column  printed   here  difference\n0   a")


@needs("matplotlib")
def test_a_figure_is_a_picture_of_a_pages_width():
    picture, size = PaperFigure("Figure 1", "two runs", new_axes)._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") == 2 * size["width"]


@pytest.mark.parametrize(
    ("of_paper", "verdicts"),
    [
        (True, ["holds", "does not hold", "cannot be told", "cannot be told"]),
        (False, ["other data", "other data", "other data", "cannot be told"]),
    ],
)
def test_a_claim_is_judged_on_the_papers_data_only(of_paper, verdicts):
    judge = Judge(of_paper)
    found = [judge.claim("more", holds, "2 > 1") for holds in (True, False, None)]
    found.append(judge.if_defined("more", [1.0, nan], True, "2 > nan", "a number is undefined"))
    assert Claims(found).to_frame()["verdict"].tolist() == verdicts
    assert found[-1].evidence == "a number is undefined"


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ([0.0, 0.0], "Not shown: every number is 0: all tie"),
        ([0.0, nan], "Not shown: every number is 0: all tie"),
        ([nan, nan], "Not shown: every number is undefined: one topic"),
        ([], "Not shown: there are no numbers: one topic"),
        ([0.0, 1e-9], ""),
    ],
)
def test_a_table_of_zeros_is_not_shown_and_says_why(numbers, why):
    made = tuple(Number("a", str(place), here) for place, here in enumerate(numbers))
    table = PaperTable("Table 5", "Swaps", "", made, if_zero="all tie", if_undefined="one topic")
    assert table.why_not_shown == why
    assert (why or "0.000") in repr(table)
    assert why in table._repr_html_()
    assert ("<table" in table._repr_html_()) == (not why)
    assert not replace(table, numbers=(Number("a", "b", 0.0, 0.0),)).why_not_shown  # printed


def test_figures_have_names_for_files():
    figure = PaperFigure("Figure 5, TREC-8 (left)", "", lambda: None)
    assert figure.file_name == "figure-5-trec-8-left"


def test_a_reproduction_finds_its_tables():
    found = Reproduction(PAPER, ("TREC-8",), (TABLE,), claims=Claims([Claim.elsewhere("x", "y")]))
    assert found.table("Table 1") is TABLE
    assert found.claims.to_frame()["evidence"].tolist() == ["y"]
    with pytest.raises(KeyError):
        found.table("Table 9")
