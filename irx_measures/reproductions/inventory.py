"""What a paper's ``paper.json`` declares: its tables and figures, and the numbers it prints."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from math import nan
from typing import TYPE_CHECKING, Literal, NamedTuple

from ..io.frames import frame

if TYPE_CHECKING:
    from ..io.frames import DataFrame

Status = Literal["reproduced", "repeated", "not possible"]

PrintedNumbers = Mapping[tuple[str, str], float]  # by row and column of a table


class PaperItem(NamedTuple):
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


class Declared(NamedTuple):
    """The declarations of a paper.

    Attributes
    ----------
    items
        Its tables and figures, in the order of the paper.
    printed
        The numbers that a table prints, by its label.
    said
        What its text says about numbers that are not reproduced, by topic.
    """

    items: tuple[PaperItem, ...]
    printed: Mapping[str, PrintedNumbers]
    said: Mapping[str, Mapping[str, str]]


def declared(package: str) -> Declared:
    """The declarations in ``paper.json`` of a paper's package.

    An item's data is a text, or the name of a text in ``reasons``. A table's first line has its
    columns, and each further line the numbers of a row; null where the paper prints none.
    """
    read = json.loads(files(package).joinpath("paper.json").read_text("utf-8"))
    reasons = read.get("reasons", {})
    items = tuple(
        PaperItem(label, content, status, reasons.get(data, data))
        for label, content, status, data in read["items"]
    )
    printed = {label: _numbers(**table) for label, table in read.get("printed", {}).items()}
    return Declared(items, printed, read.get("said", {}))


def _numbers(columns: list[str], **rows: list[float | None]) -> PrintedNumbers:
    return {
        (row, column): nan if value is None else float(value)
        for row, values in rows.items()
        for column, value in zip(columns, values, strict=True)
    }


def entries_frame(entries: Iterable[PaperItem]) -> DataFrame:
    """A row per table or figure, with column names for readers."""
    names = ("table or figure", "what it shows", "status", "data, or why not")
    return frame(dict(zip(names, map(list, zip(*entries, strict=True)), strict=True)))
