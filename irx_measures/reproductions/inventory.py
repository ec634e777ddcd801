"""Every table and figure of a paper, and what can be reproduced of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..io.frames import frame

if TYPE_CHECKING:
    from ..io.frames import DataFrame

Status = Literal["reproduced", "repeated", "not possible"]


class Entry(NamedTuple):
    """A table or figure of a paper.

    Attributes
    ----------
    label
        As the paper calls it.
    content
        What it shows.
    status
        ``reproduced``: with the paper's data. ``repeated``: its experiment on other data.
        ``not possible``: the reason stands in `data`.
    data
        The data, or the reason why it is not possible.
    """

    label: str
    content: str
    status: Status
    data: str


def entries_frame(entries: Iterable[Entry]) -> DataFrame:
    """A row per table or figure, with column names for readers."""
    rows = list(entries)
    return frame(
        {
            "table or figure": [entry.label for entry in rows],
            "what it shows": [entry.content for entry in rows],
            "status": [entry.status for entry in rows],
            "data, or why not": [entry.data for entry in rows],
        }
    )
