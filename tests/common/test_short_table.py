"""Short tables of results: they fit 80 columns, and show hostile names harmlessly."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irx_measures.common.names import text_width
from irx_measures.common.short_table import ShortTable, shown_rows

VOID = {"line", "circle"}

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "x' onclick='alert(1)",
    "</style><script>",
    "\x1b[31mred",
    "\u202eright to left",
    "שלום",
    "two\nlines",
    "n" * 500,
]

NAMES = st.sampled_from(HOSTILE) | st.text(max_size=30)


class Page(HTMLParser):
    """The tags and the text of a page; an unbalanced page is an error."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.texts, self.open = [], set(), [], []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.slow
@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=5), NAMES, NAMES)
def test_hostile_names_are_text(names, head, about):
    rows = [[one, other, "0.500"] for one, other in names]
    table = ShortTable(
        "Result", about, [head, "other", "mean"], rows, (0, 1), {(0, 2)}, about, [head]
    )
    page = Page(table.html())
    assert set(page.tags) == {"div", "style", "p", "b", "table", "thead", "tbody", "tr", "th", "td"}
    assert page.attributes <= {"class", "colspan"}
    assert page.tags.count("style") == 1
    text = table.text()
    assert all(line.isprintable() for line in text.split("\n"))
    assert all(sign.isprintable() or sign == "\n" for sign in table.html())
    assert all(text_width(line) <= 80 for line in text.split("\n"))


def test_a_name_of_ten_thousand_characters_is_cut():
    table = ShortTable("Result", "", ["name", "mean"], [["n" * 10_000, "0.1"]])
    assert max(map(len, table.text().splitlines())) == 46
    assert len(table.html()) < 1000


@pytest.mark.parametrize("name", HOSTILE[:4])
def test_short_names_are_whole(name):
    html = ShortTable("Result", "", ["name"], [[name]]).html()
    assert name in [unescape(cell) for cell in re.findall("<td[^>]*>(.*?)</td>", html)]


def test_long_names_are_cut_in_the_middle():
    names = [f"{'a' * 50}{number}" for number in range(3)]
    table = ShortTable("Result", "", ["name", "mean"], [[name, "0.1"] for name in names])
    cut = [line.split()[0] for line in table.text().splitlines()[2:]]
    assert len(set(cut)) == 3
    assert all(".." in name and len(name) <= 40 for name in cut)
    assert names[0] not in table.html()


def test_columns_that_do_not_fit_are_named():
    heads = [f"a_long_head_{number}" for number in range(30)]
    lines = ShortTable("Result", "wide", heads, [["1"] * 30], texts=()).text().splitlines()
    assert max(map(len, lines)) <= 80
    assert " ".join(lines).split("Columns left out: ")[1].split(", ")[-1] == heads[-1]


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("0.764", ".764"), ("-0.055", "\u2212.055"), ("+0.259", "+.259"), ("10.500", "10.500"),
        ("1.000", "1.000"), ("1-19", "1\u201319"), ("-", "\u2013"), ("<.001", "&lt; .001"),
    ],
)  # fmt: skip
def test_numbers_of_pages_have_no_leading_zero_and_a_true_minus(number, shown):
    html = ShortTable("Result", "", ["name", "n"], [["0.5-1", number]]).html()
    assert f"<td>{shown}</td>" in html
    assert '<td class="t">0.5-1</td>' in html


def test_rows_are_the_first_and_the_last_and_those_asked_for():
    assert shown_rows(12) == list(range(12))
    assert shown_rows(13) == [0, 1, 2, 3, 4, 11, 12]
    assert shown_rows(100, [2, 50]) == [0, 1, 2, 3, 4, 50, 98, 99]
    assert len(shown_rows(100, range(100))) == 12
