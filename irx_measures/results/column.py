"""A column of a result, which every output format reads, and how a kind of result declares it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import isfinite
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..common.escapes import Markup
from ..common.numeric import AnyArray

Value = str | int | float | bool | None

Anything = TypeVar("Anything")

DEFAULT_PLACES = 4  # as trec_eval and ir_measures print scores

PAPER_PLACES = 3  # as papers print scores

DOCSTRING_WIDTH = (
    84  # characters, a choice: with the indentation, lines are as long as those of code
)


@dataclass(frozen=True)
class Column:
    """A column of a table: what programs read, what people read, and what it means."""

    name: str
    # None is an empty cell. NaN and infinity mark an undefined value: it is an empty cell in
    # ``tsv``, ``csv`` and ``csv-safe``, null in ``json`` and ``jsonl``, and a dash in the other
    # formats. Without values, the column is in ``table`` only.
    values: Sequence[Value] | AnyArray | None
    # The cells of ``table``, or a function of the number of decimal places. None: the values.
    text: Sequence[str] | Callable[[int], Sequence[str]] | None = None
    meaning: str = ""  # what the values are, for programs
    note: str = ""  # a sentence below ``table``
    # A short name for ``table``, which says below what it stands for if nothing else says it: if
    # the column has neither meaning nor note. Then formats of texts and papers have it, too.
    head: str = ""
    shown: bool = True  # whether ``table`` has it; another column may show its values, too
    key: bool = False  # whether it names the rows: each block of a ``table`` that is split has it
    left: bool | None = None  # whether it is aligned to the left; None: if it has texts
    bold: Collection[int] = ()  # positions of the cells that are shown so
    dim: Collection[int] = ()  # as `bold`, on a terminal only
    # The letters of each cell, and after `WORSE` some more: ``markdown``, ``latex`` and ``html``
    # write them as a superscript.
    marks: Sequence[str] = ()

    @cached_property
    def listed(self) -> list[Value]:
        """The values, as Python's own."""
        return [] if self.values is None else listed(self.values)

    @property
    def is_shortened(self) -> bool:
        """Whether the head stands for a longer name, which a line below the table says."""
        return self.head.strip() not in ("", self.name) and not (self.meaning or self.note)

    @property
    def head_in_texts(self) -> str:
        """The head in formats of texts and papers."""
        return self.head if self.is_shortened or self.has_own_note else self.name

    @property
    def has_own_note(self) -> bool:
        """Whether the note explains the head of the values as they are, in any format for people.

        If a terminal shows other cells, as the two ends of an interval in one, head and note are
        about these.
        """
        return bool(self.head and self.note) and self.text is None

    @property
    def short_for(self) -> str:
        """What the head stands for, as that line has it."""
        return f"{self.head} = {self.name}"

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


class Declared(NamedTuple):
    """A column that programs read, as a kind of result declares it, once."""

    name: str
    meaning: str
    when: str = ""  # which results have it, as the head of a list; empty: all of them
    # What a number of a system minus another one is if the systems change places: the same, or with
    # `signed` its negative; with `opposite`, that of the column with this name.
    signed: bool = False
    opposite: str = ""


def lists(declared: Iterable[Declared]) -> Callable[[Anything], Anything]:
    """A decorator: the docstring ends with the columns that a table has, and what they mean."""
    lines = []
    when = ""
    for each in declared:
        if each.when != when:
            when = each.when
            lines += ["", f"{when}:", ""]
        text = f"- {each.name}: {each.meaning}"
        lines += textwrap.wrap(text, DOCSTRING_WIDTH, subsequent_indent="  ")

    def with_list(function: Anything) -> Anything:
        doc = function.__doc__
        if doc is not None:  # python -OO leaves docstrings out
            *_, last = doc.rstrip().splitlines()
            indent = last[: len(last) - len(last.lstrip())]
            text = "\n".join(indent + line if line else "" for line in ["", *lines])
            function.__doc__ = f"{doc.rstrip()}\n{text}\n"
        return function

    return with_list


def notes_of(columns: Iterable[Column]) -> list[str]:
    """The sentences below a table on the columns that people see."""
    return [column.note for column in columns if column.shown and column.note]


def arrays_of(columns: Iterable[Column]) -> dict[str, Any]:
    """What programs read, by its names, as the result holds it."""
    return {column.name: column.values for column in columns if column.values is not None}


def stacked(tables: Iterable[Sequence[Column]]) -> list[Column]:
    """The rows of several tables with the same columns, one below the other, for programs.

    All columns have values.
    """
    below = []
    for parts in zip(*tables, strict=True):
        values: list[Any] = [part.values for part in parts]
        if isinstance(values[0], np.ndarray):
            rows: Any = np.concatenate(values)
        else:
            rows = [*chain.from_iterable(values)]
        below.append(Column(parts[0].name, rows, meaning=parts[0].meaning, key=parts[0].key))
    return below


def listed(values: Iterable[Any]) -> list[Value]:
    """The values of an array or a list, as Python's own."""
    if isinstance(values, np.ndarray):
        found: list[Value] = values.tolist()
        return found
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
