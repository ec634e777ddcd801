"""A column of a result, which every output format reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np

from ..common.escapes import Markup
from ..common.numeric import AnyArray

Value = str | int | float | bool | None

DEFAULT_PLACES = 4  # as trec_eval and ir_measures print scores

PAPER_PLACES = 3  # as papers print scores


@dataclass(frozen=True)
class Column:
    """A column of a table: what programs read, what people read, and what it means."""

    name: str
    # None is an empty cell. NaN and infinity mark an undefined value: it is an empty cell in
    # ``tsv``, ``csv`` and ``csv-safe``, null in ``json`` and ``jsonl``, and a dash in the other
    # formats. A mapping holds the columns that ``table`` shows as one, such as both ends of an
    # interval; an empty one: the column is in ``table`` only.
    values: Sequence[Value] | AnyArray | Mapping[str, Iterable[Value]]
    # The cells of ``table``, or a function of the number of decimal places. None: the values.
    text: Sequence[str] | Callable[[int], Sequence[str]] | None = None
    meaning: str = ""  # a sentence below ``table``
    # A short name for ``table``, which says below what it stands for if there is no meaning.
    head: str = ""
    key: bool = False  # whether it names the rows: each block of a ``table`` that is split has it
    left: bool | None = None  # whether it is aligned to the left; None: if it has texts
    bold: Collection[int] = ()  # positions of the cells that are shown so
    dim: Collection[int] = ()  # as `bold`, on a terminal only
    # The letters of each cell that ``markdown``, ``latex`` and ``html`` write as a superscript.
    marks: Sequence[str] = ()

    @property
    def data(self) -> list[Column]:
        """The columns that programs read."""
        if isinstance(self.values, Mapping):
            return [Column(name, listed(values)) for name, values in self.values.items()]
        return [self]

    @property
    def arrays(self) -> Mapping[str, Any]:
        """What programs read, as the result holds it, by its names."""
        return self.values if isinstance(self.values, Mapping) else {self.name: self.values}

    @cached_property
    def listed(self) -> Sequence[Value]:
        """The values of a column that programs read, as Python's own."""
        if isinstance(self.values, Mapping):
            return []
        return listed(self.values) if isinstance(self.values, np.ndarray) else self.values

    @property
    def on_the_left(self) -> bool:
        if self.left is not None:
            return self.left
        defined = (value for value in self.listed if value is not None)
        return isinstance(next(defined, None), str)

    def cells(self, places: int) -> Sequence[str]:
        """The cells of ``table``."""
        if callable(self.text):
            return self.text(places)
        if self.text is not None:
            return self.text
        return [cell_text(value, places, "-") for value in self.listed]

    def marked_cells(self, markup: Markup, places: int) -> list[str]:
        """The cells of a format of texts and papers: bold, and with their marks."""
        cells = []
        for row, value in enumerate(self.listed):
            undefined = is_undefined(value)
            cell = markup.undefined if undefined else markup.text(cell_text(value, places))
            if row in self.bold:
                cell = markup.bold(cell)
            if self.marks and self.marks[row]:
                cell += markup.raised(self.marks[row])
            cells.append(cell)
        return cells


def stacked(tables: Sequence[Sequence[Column]]) -> list[Column]:
    """The rows of several tables with the same columns, one table below the other."""
    below: list[Column] = []
    for columns in zip(*tables, strict=True):
        values = [value for column in columns for value in column.listed]
        below.append(replace(columns[0], values=values))
    return below


def listed(values: Iterable[Any]) -> list[Value]:
    """The values of an array or a list, as Python's own."""
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def cell_text(value: Value, places: int, undefined: str = "") -> str:
    """A value as text; only floats are rounded, None is empty, and NaN is `undefined`."""
    if value is None:
        return ""
    if is_undefined(value):
        return undefined
    return f"{value:.{places}f}" if isinstance(value, float) and places != -1 else str(value)


def is_undefined(value: Value) -> bool:
    return isinstance(value, float) and not isfinite(value)
