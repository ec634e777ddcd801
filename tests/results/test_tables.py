"""The writer of the text formats, and score tables in the lines of ir_measures."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import P

from irx_measures import InputError, ScoreMatrix
from irx_measures.common.memory import memory_limit
from irx_measures.common.names import text_width
from irx_measures.reporting.tables import Scores, score_output
from irx_measures.results import screen
from irx_measures.results.column import Column
from irx_measures.results.tables import FORMATS, TextTable, write


def table_of(heads, rows, places=4, **how):
    columns = dict(zip(heads, map(list, zip(*rows, strict=True)), strict=True))
    return dataclasses.replace(TextTable.of(columns, places), **how)


EXPECTED = Path(__file__).parents[1] / "expected" / "tables.txt"

NUMBERS = {
    "run": ["a,b", "=c|<i>_d\x1b[1m"],
    "n": [1, 20],
    "share": [0.12345, 1.0],
    "none": [None, None],
    "tau": [float("nan"), 1.5],
    "ratio": [float("inf"), -0.5],
    "ok": [True, False],
}


def test_a_table_in_every_format():
    table = TextTable.of(NUMBERS, 2, ("run",))
    assert "\n".join(f"{form}\n{write(table, form)}" for form in FORMATS) == EXPECTED.read_text(
        encoding="utf-8"
    )
    assert write(TextTable.of(NUMBERS, -1), "csv").splitlines()[1] == '"a,b",1,0.12345,,,,True'


def test_without_records_only_json_has_a_text():
    nothing = TextTable.of_records([], 4)
    assert {form: write(nothing, form) for form in FORMATS if write(nothing, form)} == {
        "json": '{\n "columns": [],\n "results": []\n}\n'
    }


NAMES = st.text("abc-_系 ", min_size=1, max_size=60).filter(str.strip)


@given(
    st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=4),
    st.integers(1, 12),
    st.sampled_from([30, 40, 60, 80, 120]),
)
def test_on_a_terminal_every_line_fits_and_no_character_is_lost(names, numbers, width):
    keys = [
        Column(head, [pair[place] for pair in names], key=True)
        for place, head in enumerate(("system", "query"))
    ]
    columns = [Column(f"number {place}", [0.1234] * len(names)) for place in range(numbers)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screen, "terminal_width", lambda: width)
        blocks = screen.on_screen(TextTable([*keys, *columns])).split("\n\n")
    assert all(text_width(line) <= width for block in blocks for line in block.splitlines())
    assert sum(block.count("0.1234") for block in blocks) == numbers * len(names)
    for block in blocks:  # each has the names, whole
        for sign in "abc-_系":
            assert block.count(sign) >= sum("".join(pair).count(sign) for pair in names)


MEASURES = [
    "RBR(phi=0.8)",
    "nDCG_UE@10",
    "AP_Rareness@100",
    "nDCG(dcg='exp-log2')@10 95% lower",
    "P",
]
NUMBERED = [
    "clueweb12-0000tw-05-12114",
    "msmarco_v2.1_doc_00_1234567",
    "bm25/k1=0.9,b=0.4",
    "系 1e-05",
]
WHOLE = re.compile(r"\w+\([^ ]*\)(?:@\d+)?|\w+@\d+|\d[\d.]*(?:e-\d+)?%?")


@given(
    st.lists(st.sampled_from(MEASURES), min_size=1, max_size=5),
    st.lists(st.one_of(NAMES, st.sampled_from(NUMBERED + MEASURES)), min_size=1, max_size=4),
    st.floats(-1000, 1000),
    st.integers(3, 140),
)
def test_on_a_terminal_no_number_and_no_measure_is_split(measures, names, number, width):
    """Wherever the widest of them fits beside the widest number."""
    heads = [f"{measure} {place}" for place, measure in enumerate(measures)]
    cells = [f"{place}-{name}" for place, name in enumerate(names)]
    whole = [token for text in [*heads, *cells] for token in WHOLE.findall(text)]
    figure = f"{number:.4f}"
    widest = max(map(len, whole))
    columns = [Column(head, [number] * len(cells)) for head in heads]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screen, "terminal_width", lambda: width)
        text = screen.on_screen(TextTable([Column("system", cells, key=True), *columns]))
        said = screen.sentence(" ".join(whole)).splitlines()
    if widest <= width:
        assert " ".join(said).split() == whole
    if widest + screen.GAP + max(len(figure), *map(len, whole)) <= width:
        assert all(text.count(token) >= whole.count(token) for token in whole)
        assert text.count(figure) == len(heads) * len(cells)


@pytest.mark.parametrize("width", range(1, 12))
def test_in_the_narrowest_terminal_numbers_are_shown_whole(monkeypatch, width):
    monkeypatch.setattr(screen, "terminal_width", lambda: width)
    keys = [Column(name, ["a-long-name"], key=True) for name in ("system", "query_id")]
    text = screen.on_screen(TextTable([*keys, Column("nDCG@10", [0.5]), Column("text", ["a b"])]))
    assert text.replace("\n", "").replace(" ", "").count("5") == 1


def test_a_terminal_folds_names_and_repeats_them_in_each_block(monkeypatch):
    monkeypatch.setattr(screen, "terminal_width", lambda: 34)
    numbers = [Column(f"measure {n}", [0.5], head=f"m({n})") for n in range(4)]
    table = TextTable([Column("system", ["a-team/with-long-name"], key=True), *numbers])
    assert screen.on_screen(table).split("\n\n")[:2] == [
        "system               m(0)    m(1)\na-team/with-long-  0.5000  0.5000\nname",
        "system               m(2)    m(3)\na-team/with-long-  0.5000  0.5000\nname",
    ]


def test_elsewhere_a_table_is_as_wide_as_it_needs():
    name = "team-with-a-long-name/" * 6
    lines = write(table_of(["run", "NRG(prior=others)@10"], [[name, 0.5]]), "table").splitlines()
    assert lines[2].split() == [name, "0.5000"]
    assert len({len(line) for line in lines}) == 1


def test_a_terminal_shows_short_heads_texts_and_what_they_mean():
    table = TextTable(
        [
            Column("run", ["a", "b"], key=True),
            Column("NRG(prior=others)@5", [0.5, 0.25], head="NRG@5"),
            Column("interval", None, ["0.1 to 1", ""], note="interval: of the mean."),
        ],
        title="two runs",
        notes=["A note."],
    )
    assert write(table, "table") == (
        "two runs\nrun   NRG@5  interval\n---  ------  --------\na    0.5000  0.1 to 1\n"
        "b    0.2500\n\nNRG@5 = NRG(prior=others)@5\nA note. interval: of the mean.\n"
    )
    assert write(table, "csv") == "run,NRG(prior=others)@5\na,0.5000\nb,0.2500\n"


@pytest.mark.parametrize(("is_terminal", "lines"), [(True, 24), (True, 30), (False, 30)])
def test_what_was_found_stands_below_what_is_longer_than_the_terminal(
    monkeypatch, is_terminal, lines
):
    monkeypatch.setattr(screen.sys.stdout, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.setenv("LINES", "24")
    text = "row\n" * lines
    below = "\na is the best.\n" if is_terminal and lines >= 24 else ""
    assert screen.ends_with(text, ["a is the best."]) == text + below
    assert screen.ends_with("row\n" * 23, ["a is the best."]) == "row\n" * 23


def test_lines_of_scores_are_never_quoted_and_leave_absent_values_out():
    def lines(columns, systems, places, by_query):
        scores = np.zeros((1, len(systems), 2))
        matrix = ScoreMatrix((P @ 5,), systems, ("q1", "q2"), scores)
        how = {"columns_of": lambda matrix: columns, "by_query": by_query}
        return score_output(matrix, "tsv", places, **how).text

    columns = [
        Scores("P@5", np.array([[0.25, 0.75]]), np.array([0.5])),
        Scores("P@5", None, np.array([0.125]), " lower"),
    ]
    assert lines(columns, ('"a"',), 2, True) == (
        "q1\tP@5\t0.25\nq2\tP@5\t0.75\nall\tP@5\t0.50\nall\tP@5 lower\t0.12\n"
    )
    two = [Scores("P@5", None, np.array([0.25, 1.0]))]
    assert lines(two, ('"a"', "b"), -1, False) == '"a"\tP@5\t0.25\nb\tP@5\t1.0\n'


@pytest.mark.parametrize("form", FORMATS)
def test_only_what_is_read_back_keeps_control_characters(form):
    table = table_of(["h\u202ead"], [["i\x1bd"]])
    exact = write(dataclasses.replace(table, exact=True), form)
    assert ("i\x1bd" in exact and "h\u202ead" in exact) == (form in ("csv", "tsv"))
    assert all(sign.isprintable() or sign == "\n" for sign in write(table, form))


@pytest.mark.parametrize("form", FORMATS)
def test_a_table_that_takes_more_memory_than_is_allowed_is_not_written(form):
    table = TextTable.of({"score": np.zeros(5000)})
    with memory_limit(100_000), pytest.raises(InputError, match=r"^a table of 5000 rows would"):
        write(table, form)
    with memory_limit(1_000_000):
        assert write(table, form).count("0.0") == 5000
