"""A progress bar on stderr; tqdm, which is slow to import, is imported only where one is shown."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

DELAY = 0.5
"""Seconds before a bar appears that nobody asked for."""


def with_bar(
    work: Sequence[Item], unit: str, shown: bool | None, leave: bool = False
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
    if shown is None and len(work) > 1 and sys.stderr is not None and sys.stderr.isatty():
        from tqdm import tqdm

        return tqdm(work, unit=unit, delay=DELAY, leave=leave)
    if shown:
        from tqdm.auto import tqdm as tqdm_auto  # a notebook shows it as a widget

        return tqdm_auto(work, unit=unit, leave=leave)
    return work
