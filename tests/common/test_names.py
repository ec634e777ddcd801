"""Cutting names: in the middle, to the width, and different names stay different."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.common.names import cut_name, cut_names, first_words, text_width

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


def test_a_passage_is_one_line_without_joiners():
    assert first_words("می\u200cخواهم  co\xadop\n" + "x" * 100, 20) == "میخواهم coop xxxxxx…"
    assert first_words("short", 5) == "short"


def test_names_that_do_not_print_are_spelled_out_and_stay_distinct():
    short = cut_names(["\x1b[1m", r"\x1b[1m", "a"], 40)
    assert [*short.values()] == [r"\x1b[1m", r"\x1b[1m~2", "a"]
