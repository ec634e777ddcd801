"""A progress bar on stderr; tqdm, which is slow to import, is imported only where one is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from operator import length_hint
from typing import Any, TypeVar

Item = TypeVar("Item")

DELAY = 0.5
"""Seconds before a bar appears that nobody asked for."""


def with_bar(
    work: Iterable[Item], unit: str, shown: bool | None, leave: bool = False
) -> Iterable[Item]:
    """The items of a computation, with a progress bar.

    Parameters
    ----------
    work
    unit
        What an item is.
    shown
        Whether to show the bar; None shows it on a terminal, for several items, after `DELAY`.
    leave
        Whether the bar stays when the work is done.
    """
    bar = _bar(shown, several=length_hint(work, 2) > 1)
    return work if bar is None else bar(work, unit=unit, leave=leave)


@contextmanager
def counting_bar(
    total: int | None, unit: str, shown: bool | None
) -> Iterator[Callable[[int], Any] | None]:
    """A function that counts items on a progress bar; None if no bar is shown, as in `with_bar`.

    The total is None if it is not known.
    """
    bar = _bar(shown, several=total is None or total > 1)
    if bar is None:
        yield None
        return
    with bar(total=total, unit=unit, leave=False) as counted:
        yield counted.update


def _bar(shown: bool | None, several: bool) -> Callable[..., Any] | None:
    """The class of the bar; None if no bar is shown."""
    if shown is None and several and sys.stderr is not None and sys.stderr.isatty():
        from tqdm import tqdm

        return partial(tqdm, delay=DELAY)
    if shown:
        from tqdm.auto import tqdm as tqdm_auto  # a notebook shows it as a widget

        return tqdm_auto
    return None
