"""How results write names, numbers and counts, and cut names so that they stay different."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.common.names import cut_name, cut_names, first_words, text_width
from irx_measures.common.writing import PLAIN, counted, joined, shown
from irx_measures.reporting.report.content import REPORT


@pytest.mark.parametrize(
    ("value", "plain", "report"),
    [
        (0.2591, "+0.259", "+.259"),
        (-0.0551, "-0.055", "−.055"),
        (0.0004, "0.000", ".000"),
        (-0.0004, "0.000", ".000"),
        (float("nan"), "-", "–"),
    ],
)
def test_differences_have_a_sign_unless_they_are_rounded_to_0(value, plain, report):
    assert PLAIN.difference(value) == plain
    assert REPORT.difference(value) == report


def test_counts_and_lists():
    assert [counted(1, "topic"), counted(2000, "topic")] == ["1 topic", "2,000 topics"]
    assert counted(2, "query", "queries") == "2 queries"
    assert list(map(joined, ["", "a", "ab", "abc"])) == ["", "a", "a and b", "a, b and c"]
    assert PLAIN.names(["x", "y"]) == "x and y"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "1.5"),
        ("a\x1b", r"'a\x1b'"),
        ("x" * 60, repr("x" * 60)),
        ("x" * 61, repr("x" * 57 + "...")),
        (10**60, "1" + "0" * 56 + "..."),
        pytest.param(1 << 20_000, "a number that is too long to show", id="Python writes no such"),
    ],
)
def test_a_value_in_an_error_message_is_short(value, text):
    assert shown(value) == text


# Names that are cut in the middle

SEEDS = [f"monoT5-3b-msmarco-10k-passage-reranker-seed{seed}" for seed in range(1, 7)]
MIDDLES = [f"monoT5-3b-seed{seed}-msmarco-10k-passage-reranker" for seed in range(1, 7)]


@pytest.mark.parametrize("names", [SEEDS, MIDDLES])
@pytest.mark.parametrize("width", [6, 10, 24, 60])
def test_names_that_differ_anywhere_stay_distinct(names, width):
    short = cut_names(names, width)
    assert list(short) == names
    assert len({*short.values()}) == len(names)
    assert all(text_width(text) <= width for text in short.values())


@given(st.lists(st.text("ab…~2日", max_size=12), max_size=12), st.integers(5, 12))
def test_names_stay_distinct_and_those_that_fit_stay_whole(names, width):
    short = cut_names(names, width)
    assert len({*short.values()}) == len({*names})
    assert all(short[name] == name for name in names if text_width(name) <= width)


def test_a_name_that_stands_alone_keeps_both_ends():
    assert cut_name("bm25", 4) == "bm25"
    short = cut_name(SEEDS[0], 21)
    assert (short[:10], short[-10:], text_width(short)) == ("monoT5-3b-", "nker-seed1", 21)
    assert cut_name("n" * 1_000_000, 5, "..") == "nn..n"


def test_names_are_cut_to_a_width_in_any_unit():
    def measure(text):
        return sum(2.5 if sign.isupper() else 1.0 for sign in text)

    names = ["MAMMOTHRUN1", "MAMMXXXRUN1", "mammothrun1"]
    short = cut_names(names, 16, measure=measure)
    assert [*short.values()] == ["MAM…UN1", "MAM…N1~2", "mammothrun1"]
    assert all(measure(text) <= 16 for text in short.values())
    assert cut_name("MAMMOTH", 0.5, measure=measure) == "M…H"


def test_a_passage_is_one_line_without_joiners():
    assert first_words("می\u200cخواهم  co\xadop\n" + "x" * 100, 20) == "میخواهم coop xxxxxx…"
    assert first_words("short", 5) == "short"


def test_names_that_do_not_print_are_spelled_out_and_stay_distinct():
    short = cut_names(["\x1b[1m", r"\x1b[1m", "a"], 40)
    assert [*short.values()] == [r"\x1b[1m", r"\x1b[1m~2", "a"]
