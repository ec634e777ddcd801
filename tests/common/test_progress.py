"""Progress bars: one at a time, shown when asked for or on a terminal, silent otherwise."""

import os
import subprocess
import sys
from time import sleep

import pytest

from irx_measures.common import progress
from irx_measures.common.progress import clock, counting_bar, with_bar, without_bar
from tests.terminal import on_terminal


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Bars appear at once on a terminal, and are drawn again soon."""
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.001)


def test_items_come_through_a_bar_on_stderr(capsys):
    assert list(with_bar("abc", "letter", True)) == ["a", "b", "c"]
    assert list(with_bar(iter("ab"), "letter", True)) == ["a", "b"]
    assert "letter" in capsys.readouterr().err


@pytest.mark.parametrize("total", [3, None])
def test_a_bar_counts(total, capsys):
    with counting_bar(total, "sample", True) as counted:
        counted(2)
    assert "sample" in capsys.readouterr().err


def test_a_bar_stays_with_its_total(capsys):
    assert len(list(with_bar("abc", "letter", True, leave=True))) == 3
    assert "3/3" in capsys.readouterr().err.splitlines()[-1]


def test_a_bar_is_drawn_while_an_item_takes_long(monkeypatch):
    terminal = on_terminal(monkeypatch)
    work = with_bar("ab", "letter", None)
    next(work)
    terminal.wait_for("0/2")
    next(work)
    terminal.wait_for("1/2")
    assert list(work) == []
    written = len(terminal.getvalue())
    sleep(0.01)
    assert terminal.getvalue()[:written].endswith("\r")  # the line is empty
    assert len(terminal.getvalue()) == written


def test_one_item_has_no_bar_and_work_inside_it_has(monkeypatch):
    terminal = on_terminal(monkeypatch)
    for _ in with_bar("a", "letter", None), counting_bar(1, "sample", None):
        pass
    for _ in with_bar("a", "letter", None):
        for _ in with_bar("abc", "sound", None):
            terminal.wait_for("sound")
    assert "letter" not in terminal.getvalue()


@pytest.mark.parametrize("shown", [None, True])
def test_work_inside_items_has_no_bar(shown, monkeypatch):
    terminal = on_terminal(monkeypatch)
    for _ in with_bar("ab", "letter", shown):
        terminal.wait_for("letter")
        with counting_bar(9, "sample", shown) as counted:
            assert counted is None
    assert "sample" not in terminal.getvalue()
    with counting_bar(9, "sample", shown) as counted:
        assert counted is not None


def test_an_abandoned_bar_ends(monkeypatch):
    on_terminal(monkeypatch)
    for _ in with_bar("ab", "letter", None):
        break
    with counting_bar(9, "sample", None) as counted:
        assert counted is not None
    with pytest.raises(KeyError), counting_bar(9, "sample", None):
        raise KeyError
    with counting_bar(9, "sample", None) as counted:
        assert counted is not None


def test_a_clock_shows_where_there_is_no_bar(monkeypatch):
    terminal = on_terminal(monkeypatch)
    with clock("irx it", None):
        terminal.wait_for("irx it: 00:0")
        for _ in with_bar("ab", "letter", None):
            start = terminal.wait_for("letter")
            sleep(0.01)
            assert "irx it" not in terminal.getvalue()[start:]
        terminal.wait_for("irx it", start)
    assert terminal.getvalue().endswith("\r")


def test_lines_are_written_where_the_bar_was(monkeypatch):
    terminal = on_terminal(monkeypatch)
    with clock("irx it", None):
        start = terminal.wait_for("irx it")
        with without_bar():
            print("a line", file=terminal)
            sleep(0.01)
            assert terminal.getvalue()[start:].endswith("\ra line\n")
        terminal.wait_for("irx it", terminal.wait_for("a line"))


def test_a_terminal_without_a_size_shows_a_bar(monkeypatch):
    pty = pytest.importorskip("pty")
    screen, stderr = pty.openpty()
    assert os.get_terminal_size(stderr) == (0, 0)
    with os.fdopen(screen, "rb", 0) as shown, os.fdopen(stderr, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        for _ in with_bar("ab", "letter", None):
            written = b""
            while b"/2 [" not in written:
                written += shown.read(999)


@pytest.mark.parametrize("shown", [False, None])  # None: stderr is no terminal here
def test_without_a_bar_there_is_no_tqdm_and_no_thread(shown):
    code = f"""
import sys, threading
from irx_measures.common.progress import clock, counting_bar, with_bar, without_bar
with clock("irx it", {shown}):
    print(list(with_bar("ab", "letter", {shown})))
    with counting_bar(2, "sample", {shown}) as counted, without_bar():
        print(counted, "tqdm" in sys.modules, threading.active_count())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['a', 'b']\nNone False 1\n"
    assert done.stderr == ""
