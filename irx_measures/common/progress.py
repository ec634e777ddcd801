"""Progress on stderr: one bar at a time, drawn by a thread, so that work only counts.

tqdm is slow to import: it is imported when the first bar is drawn.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from operator import length_hint
from threading import Event, Lock, Thread
from time import time
from typing import Any, TypeVar

Item = TypeVar("Item")

DELAY = 0.5
"""Seconds before a bar appears that nobody asked for."""

EVERY = 0.2  # seconds: a choice; faster changes cannot be read

_open: ContextVar[_Bar | None] = ContextVar("_open", default=None)


def with_bar(
    work: Iterable[Item], unit: str, shown: bool | None, leave: bool = False
) -> Iterator[Item]:
    """The items of a computation, with a progress bar.

    Parameters
    ----------
    work
    unit
        What an item is.
    shown
        Whether to show the bar; None shows it on a terminal, for several items, after `DELAY`.
        Inside the items of a bar, work has no bar of its own.
    leave
        Whether the bar stays when the work is done.
    """
    length = length_hint(work, -1)
    with counting_bar(None if length < 0 else length, unit, shown, leave) as counted:
        for item in work:
            yield item
            if counted is not None:
                counted(1)


@contextmanager
def counting_bar(
    total: int | None, unit: str, shown: bool | None, leave: bool = False
) -> Iterator[Callable[[int], None] | None]:
    """A function that counts items on a progress bar; None if no bar is shown, as in `with_bar`.

    The total is None if it is not known.
    """
    outer = _open.get()
    counting = outer is not None and "total" in outer.how
    if counting or not _wanted(shown, several=total is None or total > 1):
        yield None
        return
    bar = _Bar(bool(shown), outer, leave, total=total, unit=unit)
    with bar.shown():
        yield bar.add


@contextmanager
def clock(title: str, shown: bool | None) -> Iterator[None]:
    """A clock for the stretches of work that have no bar; `shown` as in `with_bar`."""
    if not _wanted(shown, several=True):
        yield
        return
    with _Bar(bool(shown), None, False, bar_format=f"{title}: {{elapsed}}").shown():
        yield


def without_bar() -> AbstractContextManager[None]:
    """No bar is on the terminal inside, so that lines can be written."""
    bar = _open.get()
    return nullcontext() if bar is None else bar.hidden()


def _wanted(shown: bool | None, several: bool) -> bool:
    if shown is None:
        return several and sys.stderr is not None and sys.stderr.isatty()
    return shown


class _Bar:
    """A bar of tqdm that a thread draws.

    Parameters
    ----------
    at_once
        Whether it is drawn at once, on any stderr, in a notebook as a widget.
    outer
        The clock whose place it takes when it is drawn, if there is one.
    leave
        Whether it stays when the work is done.
    how
        As tqdm takes it; with a total, which may be None, it counts items.
    """

    def __init__(self, at_once: bool, outer: _Bar | None, leave: bool, **how: Any) -> None:
        self.how, self.count = how, 0
        self._at_once, self._outer, self._leave = at_once, outer, leave
        self._start = time()
        self._drawn: Any = None
        self._hidden, self._drawing, self._done = False, Lock(), Event()

    def add(self, items: int) -> None:
        self.count += items

    @contextmanager
    def shown(self) -> Iterator[None]:
        if self._at_once:
            self._draw()
        thread = Thread(target=self._keep_drawing, daemon=True)
        thread.start()
        _open.set(self)
        try:
            yield
        finally:
            _open.set(self._outer)
            self._done.set()
            thread.join()
            self._close(self._leave)
            if self._outer is not None:
                self._outer._hidden = False

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Neither this bar nor the outer one is on the terminal inside."""
        before = self._hidden
        self._hide()
        try:
            with nullcontext() if self._outer is None else self._outer.hidden():
                yield
        finally:
            self._hidden = before

    def _hide(self) -> None:
        with self._drawing:
            self._hidden = True
            self._close(leave=False)

    def _keep_drawing(self) -> None:
        pause = DELAY
        while not self._done.wait(pause):
            with self._drawing:
                if not self._hidden:
                    self._draw()
            pause = EVERY

    def _draw(self) -> None:
        if self._drawn is None:
            if self._outer is not None:
                self._outer._hide()
            self._drawn = _bar_class(self._at_once)(**self.how, **_size())
            self._drawn.start_t = self._start
        self._drawn.n = self.count
        self._drawn.refresh()

    def _close(self, leave: bool) -> None:
        if self._drawn is not None:
            self._drawn.n, self._drawn.leave = self.count, leave
            self._drawn.close()
            self._drawn = None


def _bar_class(in_notebook: bool) -> Any:
    if in_notebook:
        from tqdm.auto import tqdm as tqdm_auto  # a notebook shows it as a widget

        return tqdm_auto
    from tqdm import tqdm

    return tqdm


def _size() -> dict[str, int]:
    """The size of a terminal that does not know its own: tqdm would draw nothing on it."""
    try:
        known = all(os.get_terminal_size(sys.stderr.fileno()))
    except (OSError, ValueError):  # it is no terminal
        known = True
    return {} if known else {"ncols": 80, "nrows": 24}
