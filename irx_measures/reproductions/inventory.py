"""Every table and figure of a paper, and what can be reproduced of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

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
