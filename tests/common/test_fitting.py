"""Tables for terminals fit the width, whatever they hold, and lose nothing."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.common.fitting import fitting_table
from irx_measures.common.names import text_width
from irx_measures.common.screen import ASCII, UNICODE, Screen
from irx_measures.common.table import TextTable, format_table
from irx_measures.common.text_columns import TextColumn
from irx_measures.measures.labels import measure_heads
from irx_measures.reporting.score_screen import ScoreRow, scores_on_screen

NAMES = st.text("abc-_系 ", min_size=1, max_size=60)


@given(
    st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=4),
    st.integers(1, 12),
    st.sampled_from([40, 60, 80, 120]),
)
def test_every_line_of_every_part_fits(names, numbers, width):
    keys = [
        TextColumn(head, [pair[place] for pair in names], False, True)
        for place, head in enumerate(("system", "query"))
    ]
    columns = [TextColumn(f"number {place}", ["0.1234"] * len(names)) for place in range(numbers)]
    text = fitting_table([*keys, *columns], 2, Screen(width))
    assert all(text_width(line) <= width for line in text.splitlines())
    assert text.count("0.1234") == numbers * len(names)


def test_heads_are_never_broken_in_a_word():
    names = [
        "first system",
        "required_difference",
        "P_Rareness@10",
        "a(b,c)",
        "mean absolute error",
    ]
    cells = [[0.5] * len(names)] * 2
    text = format_table(TextTable(names, cells), "table")
    heads = text.split("---")[0]
    words = set(re.findall(r"[A-Za-z0-9@]+", " ".join(names)))
    assert set(re.findall(r"[A-Za-z0-9@]+", heads)) == words


def test_long_cells_are_wrapped_at_words_and_names_are_cut_with_a_legend():
    name = "team-with-a-long-name/" * 3 + "run"
    sentence = "a sentence of many words that is much too long for a column of a small table " * 2
    text = format_table(TextTable(["run", "what", "n"], [[name, sentence.strip(), 1]]), "table")
    assert all(len(line) <= 80 for line in text.splitlines())
    table, legend = text.split("\n\n")
    assert set(sentence.split()) <= set(table.split())
    short = table.splitlines()[2].split()[0]
    assert "".join(legend.split()) == f"{short}={name}"
    front, back = short.split("..")
    assert name.startswith(front)
    assert name.endswith(back)


def test_parts_begin_with_the_names_of_their_rows():
    names = ["system", "query_id", *(f"measure{number}" for number in range(20))]
    rows = [["a", "q1", *[0.5] * 20], ["b", "q2", *[0.25] * 20]]
    parts = format_table(TextTable(names, rows, keys=2), "table").split("\n\n")
    assert len(parts) > 1
    for part in parts:
        assert part.splitlines()[0].split()[:2] == ["system", "query_id"]
        assert part.splitlines()[2].split()[:2] == ["a", "q1"]


MEASURES = ["nDCG@10", "NRG(prior=others)@10", "NRG(prior=others,select=earlier)@10"]

TWO = [ScoreRow("a", "all", [0.5, 0.1, 0.2]), ScoreRow("b", "all", [0.4, 0.3, float("nan")])]


def test_systems_are_the_rows_whatever_the_number_of_measures():
    assert scores_on_screen(MEASURES, TWO, False, 3, Screen()).startswith(
        "system  nDCG@10  NRG@10 #1  NRG@10 #2\n"
        "------  -------  ---------  ---------\n"
        "a         0.500      0.100      0.200\n"
        "b         0.400      0.300          -\n"
    )


def test_the_best_of_a_measure_is_bold_in_a_terminal():
    rows = [*TWO, ScoreRow("c", "all", [0.5, 0.0, None])]
    plain = scores_on_screen(MEASURES, rows, False, 3, Screen(80, UNICODE))
    styled = scores_on_screen(MEASURES, rows, False, 3, Screen(80, UNICODE, True))
    assert re.findall(r"\x1b\[1m(.*?)\x1b\[0m", styled) == ["0.500", "0.200", "0.300", "0.500"]
    assert re.sub(r"\x1b\[\dm", "", styled) == plain
    assert "\x1b[2mNRG@10 #1 = NRG(prior=others)@10\x1b[0m" in styled


def test_ends_of_intervals_belong_to_their_measure():
    names = [
        f"{name}{end}"
        for name in MEASURES[1:2]
        for end in ("", " 90% t interval over topics: lower")
    ]
    rows = [ScoreRow(name, "all", [0.5, 0.25]) for name in "abc"]
    text = scores_on_screen(names, rows, False, 3, Screen())
    assert text.endswith("\n\nNRG@10 = NRG(prior=others)@10\n")
    head = " ".join(text.split("---")[0].split())
    assert head == "system NRG@10 NRG@10 90% t interval over topics: lower"


def test_heads_of_measures_are_distinct():
    labels = ["AP", *MEASURES, "nDCG(dcg='exp-log2')@10"]
    heads = measure_heads(labels)
    assert list(heads.values()) == ["AP", "nDCG@10", "NRG@10 #1", "NRG@10 #2", "nDCG@10 #2"]


@pytest.mark.parametrize(
    ("environment", "terminal", "signs", "styled"),
    [
        ({}, True, UNICODE, True),
        ({}, False, ASCII, False),
        ({"NO_COLOR": "1"}, True, UNICODE, False),
        ({"TERM": "dumb"}, True, UNICODE, False),
        ({"LANG": "C"}, True, ASCII, True),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, True, UNICODE, True),
    ],
)
def test_the_screen_obeys_the_environment(environment, terminal, signs, styled, monkeypatch):
    class Out:
        encoding = "utf-8"

        def isatty(self):
            return terminal

    for name in ("NO_COLOR", "TERM", "LANG", "LC_ALL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"LANG": "en_GB.UTF-8", "COLUMNS": "100", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", Out())
    assert Screen.of_stdout() == Screen(100, signs, styled)
