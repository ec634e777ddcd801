"""The pages of measures: plain text that fits, whose examples still run."""

import ast
import doctest
import re
from inspect import getdoc

import pytest

from irx_measures import NRG, measure_info
from irx_measures.common.screen import ASCII, UNICODE, Screen
from irx_measures.reporting.measure_page import measure_page
from irx_measures.reporting.tables import measures_table

PAGES = measure_info()


@pytest.mark.parametrize("width", [72, 80])
@pytest.mark.parametrize("measure", PAGES, ids=lambda measure: measure.NAME)
def test_a_page_fits_and_has_no_markup(measure, width):
    page = measure_page(measure, Screen(width))
    code = (">>>", "...")
    assert all(len(line) <= (80 if line.startswith(code) else width) for line in page.splitlines())
    assert "`" not in page
    assert "_{" not in page
    assert "\N{NO-BREAK SPACE}" not in page


@pytest.mark.parametrize("measure", PAGES, ids=lambda measure: measure.NAME)
def test_a_page_has_every_word_of_the_docstring_and_the_papers(measure):
    page = measure_page(measure, Screen(80))
    words = re.findall(r"[^\W_]+", page)
    assert set(re.findall(r"[^\W_]+", getdoc(type(measure)))) <= set(words)
    entries = " ".join(page.split("BibTeX\n------\n")[1].split())
    assert entries == " ".join(" ".join(paper.bibtex() for paper in measure.PAPERS).split())


@pytest.mark.parametrize("measure", PAGES, ids=lambda measure: measure.NAME)
def test_the_examples_of_a_page_are_those_of_the_docstring(measure):
    def examples(text):
        parsed = doctest.DocTestParser().get_examples(text)
        return [(ast.dump(ast.parse(example.source)), example.want.strip()) for example in parsed]

    page = measure_page(measure, Screen(80)).split("\nBibTeX\n")[0]
    assert examples(page) == examples(getdoc(type(measure)))
    assert examples(page)


def test_equations_have_lines_of_their_own():
    page = measure_page(NRG, Screen(80))
    assert "\n    S(R|P) = (1/N) sum[i <= k] G(d_i|P) seen(i),\nwith the" in page
    shown = measure_page(NRG, Screen(80, UNICODE))
    assert "\n    S(R|P) = (1/N) ∑[i ≤ k] G(d_i|P) seen(i),\nwith the" in shown


def test_titles_are_bold_in_a_terminal_only():
    styled = measure_page(NRG, Screen(80, UNICODE, True))
    assert "\x1b[1mParameters\x1b[0m\n" in styled
    assert "\x1b" not in measure_page(NRG, Screen(80, ASCII))


@pytest.mark.parametrize("width", [60, 80, 132])
def test_the_catalogue_fits_and_has_every_word(width):
    table = measures_table(width=width)
    assert max(map(len, table.splitlines())) <= max(width, 60)
    words, whole = (
        sorted(word for word in text.split() if "--" not in word)
        for text in (table, measures_table())
    )
    assert words == whole
