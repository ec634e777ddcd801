"""Escapes: texts from outside are neither markup nor characters that do not print."""

import csv
import io
import re
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
@pytest.mark.parametrize("sign", MOVING)
def test_what_does_not_print_is_spelled_out(escape, sign):
    shown = escape(f"a{sign}b")
    assert shown.isprintable()
    code = sign[0].encode("unicode_escape", "replace").decode().removeprefix("\\")
    assert code in shown


@pytest.mark.parametrize("escape", FOR_PEOPLE)
@given(text=st.text(st.characters(exclude_categories=[])))
def test_any_text_is_one_line_that_prints(escape, text):
    assert escape(text).isprintable()


@pytest.mark.parametrize("escape", [*FOR_PEOPLE, escapes.in_row])
@pytest.mark.parametrize("name", ["bm25", "BM25 (k1=1.2, b=.75)", "nDCG@10", "日本語", "Zürich"])
def test_ordinary_names_stay(escape, name):
    assert escape(name) == name


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])))
def test_html_is_the_text(text):
    escaped = escapes.html_text(text)
    assert not re.search("[<>\"']", escaped)
    assert unescape(escaped) == escapes.printable(text)


@given(st.text())
def test_every_sign_of_markdown_has_a_backslash(text):
    rest = re.sub(r"\\[\\`*_\[\]<>|~$&]", " ", escapes.markdown_text(text))
    assert not re.search(r"[\\`*\[\]<>|~$&]", rest)
    assert not re.search(r"(^|\W)_|_(\W|_|$)", rest)


def test_markdown_shows_underscores_in_words_without_a_backslash():
    assert escapes.markdown_text("nDCG_UE@10 [z]_x __all__") == r"nDCG_UE@10 \[z\]\_x \_\_all\_\_"


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_spreadsheets_see_no_formula(sign):
    assert escapes.spreadsheet_text(f"{sign}cmd()") == f"'{sign}cmd()"
    assert escapes.spreadsheet_text(f"a{sign}") == f"a{sign}"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=3))
def test_a_row_is_one_line_and_exact_where_it_can_be(texts):
    for delimiter in ",\t":
        out = io.StringIO()
        row = [escapes.in_row(text) for text in texts]
        csv.writer(out, delimiter=delimiter, lineterminator="\n").writerow(row)
        assert len(re.split("[\r\n]", out.getvalue())) == 2
    assert all(escapes.in_row(text) == text for text in texts if not set(text) & {"\t", "\n", "\r"})
