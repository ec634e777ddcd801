"""Escapes: texts from outside are neither markup nor characters that do not print."""

import csv
import io
import itertools
import re
import unicodedata
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.common import escapes

FOR_PEOPLE = [
    escapes.printable,
    escapes.spreadsheet_text,
    escapes.markdown_text,
    escapes.latex_text,
    escapes.html_text,
]

MOVING = ["\x1b[31m", "\x00", "\t", "\n", "\r", "\x85", "\u200e", "\u200f", "\u2028", "\u202e",
          "\u2066", "\u2069", "\ud800", "\ufeff"]  # fmt: skip


@pytest.mark.parametrize("escape", FOR_PEOPLE)
def test_what_does_not_print_is_spelled_out(escape):
    for sign in MOVING:
        shown = escape(f"a{sign}b")
        assert shown.isprintable()
        assert sign[0].encode("unicode_escape", "replace").decode().removeprefix("\\") in shown


@pytest.mark.parametrize("escape", [*FOR_PEOPLE, escapes.in_row])
@pytest.mark.parametrize("name", ["bm25", "BM25 (k1=1.2, b=.75)", "nDCG@10", "日本語", "Zürich"])
def test_ordinary_names_stay(escape, name):
    assert escape(name) == name


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])))
def test_html_is_the_text(text):
    escaped = escapes.html_text(text)
    assert not re.search("[<>\"']", escaped)
    assert unescape(escaped) == escapes.printable(text)


def test_markdown_shows_underscores_in_words_without_a_backslash():
    assert escapes.markdown_text("nDCG_UE@10 [z]_x __all__") == r"nDCG_UE@10 \[z\]\_x \_\_all\_\_"


def test_spreadsheets_see_no_formula():
    for sign in "=+-@＝＋－＠":
        assert escapes.spreadsheet_text(f"{sign}cmd()") == f"'{sign}cmd()"
        assert escapes.spreadsheet_text(f"a{sign}") == f"a{sign}"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=3))
def test_a_row_is_one_line_and_exact_where_it_can_be(texts):
    for delimiter, escape in itertools.product(",\t", [escapes.in_row, escapes.exact_in_row]):
        out = io.StringIO()
        csv.writer(out, delimiter=delimiter, lineterminator="\n").writerow(map(escape, texts))
        assert len(re.split("[\r\n]", out.getvalue())) == 2
    for text in texts:
        if not set(text) & {"\t", "\n", "\r"}:
            assert escapes.exact_in_row(text) == text
        if not any(unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") for sign in text):
            assert escapes.in_row(text) == text


def test_a_row_has_no_control_characters_and_keeps_what_words_need():
    for sign in [*MOVING[:-1], "\u061c", "\u2029", "\x7f", "\x9b"]:
        assert escapes.in_row(f"a{sign}b") == f"a{escapes.printable(sign)}b"
    for sign in "\u200c\u200d\xad\xa0\u3000\ue000":
        assert escapes.in_row(f"a{sign}b") == f"a{sign}b"
