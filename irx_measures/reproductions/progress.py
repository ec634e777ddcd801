"""Progress of long computations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")


def steps(work: Iterable[Item], unit: str, progress: bool | None) -> Iterable[Item]:
    """The items of a long computation, with a progress bar on stderr.

    Parameters
    ----------
    work
    unit
        What an item is.
    progress
        Whether to show the bar; None shows it on a terminal.
    """
    from tqdm.auto import tqdm

    disable = None if progress is None else not progress
    bar: Iterable[Item] = tqdm(work, unit=unit, disable=disable, delay=0.5, leave=False)
    return bar
