"""Progress on stderr: one bar at a time, by rich, which is imported when the first one is drawn."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from operator import length_hint
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from .about import named

if TYPE_CHECKING:
    from rich.progress import Progress

Item = TypeVar("Item")

DELAY = 0.5
"""Seconds before a bar appears that nobody asked for."""

_counting: ContextVar[bool] = ContextVar("_counting", default=False)


def with_bar(work: Iterable[Item], unit: str, shown: bool | None) -> Iterator[Item]:
    """The items of a computation, with a progress bar.

    `unit` is what an item is. If `shown` is None, the bar is shown on a terminal, for several
    items, after `DELAY`. Inside the items of a bar, work has no bar of its own.
    """
    length = length_hint(work, -1)
    total = length if length >= 0 else None
    with counting_bar(total, unit, shown) as counted:
        for item in work:
            yield item
            counted(1)


@contextmanager
def counting_bar(
    total: int | None, unit: str, shown: bool | None
) -> Iterator[Callable[[int], None]]:
    """A function that counts items on a progress bar, if one is shown: see `with_bar`.

    The total is None if it is not known.
    """
    wanted = shown
    if shown is None:
        wanted = (total is None or total > 1) and _on_terminal()
    if _counting.get() or not wanted:
        yield lambda items: None
        return
    due, done = monotonic(), 0
    if not shown:
        due += DELAY
    bars: list[Progress] = []

    def count(items: int) -> None:
        nonlocal done
        done += items
        if not bars and monotonic() >= due:
            bars.append(_started(unit, total))
        for bar in bars:
            bar.update(bar.task_ids[0], completed=done)

    _counting.set(True)
    try:
        yield count
    finally:
        _counting.set(False)
        for bar in bars:
            bar.stop()


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _started(unit: str, total: int | None) -> Progress:
    """A bar that goes when the work is done; lines on stderr are written above it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    text = named(unit)
    passing = _on_terminal()  # elsewhere, what was asked for is written once, at the end
    console = Console(stderr=True, force_terminal=passing)  # whatever FORCE_COLOR says
    bar = Progress(
        TextColumn(text, markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=passing,
        redirect_stdout=False,
    )
    bar.add_task(text, total=total)
    bar.start()
    return bar
