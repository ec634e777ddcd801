"""Progress bars: when they are shown, what they count, and that there is one at a time."""

import io
import sys

import pytest

from irx_measures.common import progress
from irx_measures.common.progress import counting_bar, with_bar
from tests.console import python


def terminal_of(monkeypatch):
    """Stderr as a terminal; bars appear at once."""
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(progress, "DELAY", -1.0)
    monkeypatch.setattr(sys, "stderr", terminal)  # pytest sets it before each test
    return terminal


@pytest.mark.parametrize("shown", [True, False, None])
def test_work_passes_through(shown):
    assert list(with_bar("abc", "letter", shown)) == ["a", "b", "c"]
    assert list(with_bar(iter("ab"), "letter", shown)) == ["a", "b"]


@pytest.mark.parametrize(("total", "text"), [(40, "30/40"), (None, "30/?")])
def test_a_bar_counts_items(monkeypatch, total, text):
    terminal = terminal_of(monkeypatch)
    with counting_bar(total, "sample", None) as counted:
        counted(10)
        counted(20)
    assert text in terminal.getvalue()
    assert "sample" in terminal.getvalue()


@pytest.mark.parametrize("colour", ["", "1"])
def test_without_a_terminal_only_what_is_asked_for_has_a_bar(monkeypatch, capsys, colour):
    monkeypatch.setenv("FORCE_COLOR", colour)
    assert list(with_bar("abc", "letter", None)) == list("abc")
    assert capsys.readouterr().err == ""
    assert list(with_bar("abc", "letter", True)) == list("abc")
    written = capsys.readouterr().err
    assert written.count("letter") == 1
    assert "\x1b" not in written


def test_one_item_and_short_work_have_no_bar(monkeypatch):
    terminal = terminal_of(monkeypatch)
    assert list(with_bar("a", "letter", None)) == ["a"]
    monkeypatch.setattr(progress, "DELAY", 60.0)
    assert list(with_bar("ab", "letter", None)) == ["a", "b"]
    assert terminal.getvalue() == ""


def test_work_inside_the_items_of_a_bar_has_none(monkeypatch):
    terminal = terminal_of(monkeypatch)
    for _ in with_bar("ab", "letter", None):
        assert list(with_bar("abc", "sample", None)) == list("abc")
    assert "sample" not in terminal.getvalue()
    with pytest.raises(KeyError), counting_bar(9, "sample", None):
        raise KeyError
    assert list(with_bar("abc", "sample", None)) == list("abc")
    assert "sample" in terminal.getvalue()


WITHOUT = """
import sys
from irx_measures.common.progress import with_bar
print(*with_bar("ab", "letter", None), *with_bar("ab", "letter", False), "rich" in sys.modules)
"""


def test_without_a_bar_there_is_no_rich():
    assert python("-c", WITHOUT).stdout == "a b a b False\n"
