"""The writer of the text formats, and score tables in the lines of ir_measures."""

import json

import numpy as np
import pytest

from irx_measures.common.table import FORMATS, TextTable, format_records, format_table
from irx_measures.reporting.tables import Column, score_table


def test_cells_are_rounded_kept_or_empty():
    rows = [{"name": "a,b", "number": 1, "share": 0.12345, "none": None}]
    assert format_records(rows, "csv", 2) == 'name,number,share,none\n"a,b",1,0.12,\n'
    assert format_records(rows, "tsv", -1) == "name\tnumber\tshare\tnone\na,b\t1\t0.12345\t\n"
    assert json.loads(format_records(rows, "jsonl", 2)) == rows[0]
    assert "| a,b    |        1 |    0.12 |" in format_records(rows, "markdown", 2)


@pytest.mark.parametrize(
    ("form", "cell"),
    [
        ("table", "a -"), ("markdown", "| a | - |"), ("latex", "a & - \\\\"),
        ("csv", "a,"), ("tsv", "a\t"), ("jsonl", '{"run": "a", "tau": null}'),
        ("json", '{"run": "a", "tau": null}'),
    ],
)  # fmt: skip
def test_an_undefined_value_is_a_dash_for_readers_and_no_value_for_programs(form, cell):
    text = format_records([{"run": "a", "tau": float("nan")}], form, 4)
    lines = text.splitlines() if form == "tsv" else map(" ".join, map(str.split, text.splitlines()))
    assert cell in list(lines)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("table", "run    yes\n---  -----\na     True\nbcd  False\n"),
        ("tsv", "run\tyes\na\tTrue\nbcd\tFalse\n"),
        ("csv", "run,yes\na,True\nbcd,False\n"),
        ("jsonl", '{"run": "a", "yes": true}\n{"run": "bcd", "yes": false}\n'),
        (
            "markdown",
            "| run   |   yes |\n|-------|-------|\n| a     |  True |\n| bcd   | False |\n",
        ),
        (
            "latex",
            "\\begin{tabular}{lr}\n\\toprule\n run   &   yes \\\\\n\\midrule\n"
            " a     &  True \\\\\n bcd   & False \\\\\n\\bottomrule\n\\end{tabular}\n",
        ),
    ],
)
def test_a_table_in_every_format(form, text):
    assert format_table(TextTable(["run", "yes"], [["a", True], ["bcd", False]]), form) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_has_neither_nan_nor_infinity(form, value):
    text = format_records([{"value": value}], form, 4)
    assert json.loads(text, parse_constant=pytest.fail) in ([{"value": None}], {"value": None})


def test_without_records_only_json_has_a_text():
    assert format_records([], "json", 4) == "[]\n"
    assert all(format_records([], form, 4) == "" for form in FORMATS if form != "json")


def test_html_escapes_names():
    text = format_table(TextTable(["<run>", "P"], [["<b>&", 0.5], ["a", float("nan")]], 1), "html")
    assert "<b>" not in text
    assert "&lt;run&gt;" in text
    assert "&lt;b&gt;&amp;" in text
    assert text.count("<td") == 4
    assert text.count("<th") - text.count("<thead") == 2


def test_csv_for_spreadsheets_holds_no_formulas():
    rows = [["=1+1", -0.5], ["+a", 1], ["-a", None], ["@a", 2.0], ["\ta", 0], ["a=", 0]]
    assert format_table(TextTable(["run", "=P"], rows, 1), "csv-safe") == (
        "run,'=P\n'=1+1,-0.5\n'+a,1\n'-a,\n'@a,2.0\n\\ta,0\na=,0\n"
    )
    assert "\n=1+1,-0.5\n" in format_table(TextTable(["run", "=P"], rows, 1), "csv")


def test_markdown_escapes_what_would_end_a_cell():
    table = TextTable(["run|", "P"], [["a|b", 0.5]])
    header, _, row = format_table(table, "markdown").splitlines()
    assert (header.split()[1], row.split()[1]) == ("run\\|", "a\\|b")
    assert "a|b" in format_table(table, "table")


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"json", "jsonl"}))
def test_numbers_in_text_stay_text(form):
    assert "1.50" in format_table(TextTable(["run"], [["1.50"]], places=0), form)


def test_only_the_table_for_the_eye_breaks_long_names():
    table = TextTable(["NRG(prior=others,select=earlier)@5"], [[0.5]])
    first, second, *_ = format_table(table, "table").splitlines()
    assert (first.strip(), second.strip()) == ("NRG(prior=others,", "select=earlier)@5")
    for form in ("csv", "tsv", "jsonl", "markdown", "latex"):
        assert table.names[0] in format_table(table, form)


def test_lines_of_scores_are_never_quoted_and_leave_absent_values_out():
    columns = [
        Column("P@5", np.array([[0.25, 0.75]]), np.array([0.5])),
        Column("P@5 lower", None, np.array([0.125])),
    ]
    table = ['"a"'], ["q1", "q2"]
    assert score_table(columns, *table, "tsv", 2, by_query=True, summary=True) == (
        "q1\tP@5\t0.25\nq2\tP@5\t0.75\nall\tP@5\t0.50\nall\tP@5 lower\t0.12\n"
    )
    two = [Column("P@5", None, np.array([0.25, 1.0]))]
    assert score_table(two, ['"a"', "b"], [], "tsv", -1, by_query=False, summary=True) == (
        '"a"\tP@5\t0.25\nb\tP@5\t1.0\n'
    )


@pytest.mark.parametrize("form", FORMATS)
def test_only_what_is_read_back_keeps_control_characters(form):
    table = TextTable(["h\u202ead"], [["i\x1bd"]])
    exact = format_table(table._replace(exact=True), form)
    assert ("i\x1bd" in exact and "h\u202ead" in exact) == (form in ("csv", "tsv"))
    assert all(sign.isprintable() or sign == "\n" for sign in format_table(table, form))
