"""Rows of a table by columns, whatever they come from: a file, a DataFrame, rows or dicts.

Runs, qrels, groups, costs, scores, judgments and topics are made of them, so what is refused in one
of these is refused in all. A column is checked as a whole; its first wrong cell is the error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from ..common.memory import require_memory
from ..common.numeric import FloatArray
from ..common.writing import shown
from ..exceptions import InputError
from .arrow import array_of, ids_of
from .columns import INSTEAD, ColumnNames, names_in, pick
from .identifiers import Ids

PLAIN = re.compile("[-+.0-9eE]*")  # numbers without spaces and underscores

CELL_BYTES = 8  # of a cell, beside its value

ABSENT = object()
"""The cell of a row that lacks the column."""


@dataclass(frozen=True)
class Block:
    """Some rows of a table, by columns.

    A column is a list, or a column of a DataFrame or of an Arrow table.
    """

    what: str  # what messages call the table
    cells: Mapping[str, Any]  # by the names of the columns
    where: Callable[[int], str]  # what messages call a row
    number: Callable[[Any], float]  # of a cell; ValueError if it is none
    path: Path | None = None  # the file, of which no text may be empty
    line: Sequence[int] = ()  # of each row in the file
    of_text: bool = False  # whether all cells are text, as those of csv
    has_gaps: bool = False  # whether a row lacks a column that another one has

    def __len__(self) -> int:
        return len(next(iter(self.cells.values()), ()))

    def column(self, names: ColumnNames) -> tuple[str, Any]:
        """The column with a meaning; InputError if a row lacks it, or has two that differ."""
        if not self.has_gaps:
            head = pick(names, list(self.cells), self.what, lambda name: as_list(self.cells[name]))
            return head, self.cells[head]
        present = {name: self.cells[name] for name in names_in(names, self.cells)}
        column: list[Any] = []
        for row in range(len(self)):
            known = {n: [cells[row]] for n, cells in present.items() if cells[row] is not ABSENT}
            if len(known) != 1:
                heads = known or [head for head in self.cells if self._has(row, head, names)]
                pick(names, list(heads), f"{self.where(row)}: a row", known.__getitem__)
            column += next(iter(known.values()))
        return next(iter(present), ""), column

    def _has(self, row: int, head: str, names: ColumnNames) -> bool:
        """Whether a row has a column, which stands for no other in a table that has that one."""
        return self.cells[head][row] is not ABSENT and head not in INSTEAD.get(names, ())

    def ids(self, names: ColumnNames) -> Ids:
        """A column of texts.

        InputError if one is missing, TypeError if a cell in memory is no text; of a file, both are
        an InputError.
        """
        head, cells = self.column(names)
        values = _held(cells)
        if hasattr(values, "to_pylist"):
            found = ids_of(values, f"{self.what}: column {head!r}")
            if found is not None:
                return found
            values = values.to_pylist()
        if not _are_texts(values) or (self.path is not None and "" in values):
            self._refuse_no_text(head, values)
        return Ids.of(values)

    def texts(self, names: ColumnNames) -> list[str]:
        """A column of texts; errors as those of `ids`."""
        return self.ids(names).all()

    def _refuse_no_text(self, head: str, values: Iterable[Any]) -> None:
        for row, value in enumerate(values):  # first, because texts of numbers would have "nan"
            if is_missing(value) or (value == "" and self.path is not None):
                raise InputError(f"{self.where(row)}: column {head!r} must not be empty")
        row, value = next((row, one) for row, one in enumerate(values) if not isinstance(one, str))
        if self.path is not None:
            raise self.wrong(row, head, "text", value)
        raise TypeError(
            f"{self.where(row)}: column {head!r} must hold strings; got {type(value).__name__} "
            "(convert all to text, as .astype(str) does)"
        )

    def numbers(self, names: ColumnNames) -> FloatArray:
        """A column of numbers, which may be NaN or infinite if it is written so."""
        head, cells = self.column(names)
        values = cells
        if hasattr(cells, "chunks"):
            values = array_of(cells)
        elif hasattr(cells, "to_numpy"):
            values = cells.to_numpy()
        if isinstance(values, np.ndarray):
            if values.dtype.kind in "iuf":
                return values.astype(np.float64)
            if values.dtype.kind not in "Ob":
                raise InputError(
                    f"{self.what}: column {head!r} must hold numbers; got {values.dtype}"
                )
        listed = list(values)
        numbers = self._at_once(listed)
        if numbers is not None:
            return numbers
        found: list[float] = []
        try:
            found.extend(map(self.number, listed))
        except (ValueError, TypeError, OverflowError):
            row = len(found)
            raise self.wrong(row, head, "numbers", listed[row]) from None
        return np.array(found, np.float64)

    def _at_once(self, cells: list[Any]) -> FloatArray | None:
        """Finite numbers; None if a cell may be something else."""
        if self.of_text:
            are_plain = "" not in cells and PLAIN.fullmatch("".join(cells)) is not None
        else:
            are_plain = {*map(type, cells)} <= {int, float}
        if not are_plain:
            return None
        try:
            numbers = np.fromiter(map(float, cells), np.float64, len(cells))
        except (ValueError, OverflowError):
            return None
        return numbers if np.isfinite(numbers).all() else None

    def finite(self, names: ColumnNames) -> FloatArray:
        """A column of finite numbers."""
        numbers = self.numbers(names)
        for row in np.flatnonzero(~np.isfinite(numbers))[:1].tolist():
            raise self.wrong(row, self.column(names)[0], "finite numbers", float(numbers[row]))
        return numbers

    def as_written(self, names: ColumnNames) -> list[Any]:
        """A column of anything."""
        return as_list(self.column(names)[1])

    def if_any(self, names: ColumnNames) -> list[Any]:
        """A column that rows may lack: None where they do."""
        (head,) = names
        cells = as_list(self.cells.get(head, [None] * len(self)))
        return [None if cell is ABSENT else cell for cell in cells]

    def wrong(self, row: int, head: str, kind: str, got: object) -> InputError:
        """The error about a cell."""
        return InputError(f"{self.where(row)}: column {head!r} must hold {kind}; got {shown(got)}")


def block_in_memory(what: str, cells: Mapping[str, Any]) -> Block:
    """Rows in memory by columns."""
    return Block(what, cells, partial("{}, row {} (from 0)".format, what), number_of_object)


def block_of_records(
    records: Sequence[Mapping[Any, Any]],
    what: str,
    where: Callable[[int], str],
    number: Callable[[Any], float],
    path: Path | None = None,
    line: Sequence[int] = (),
) -> Block:
    """Rows as dicts, which may have different columns."""
    heads = dict.fromkeys(chain.from_iterable(records))
    count = len(heads) * len(records)
    require_memory(what, CELL_BYTES * count)  # rows may have keys of their own
    cells = {head: [record.get(head, ABSENT) for record in records] for head in heads}
    has_gaps = sum(map(len, records)) < count
    return Block(what, cells, where, number, path, line, has_gaps=has_gaps)


def number_of_object(value: Any) -> float:
    """A number in memory; ValueError if the value is another one, such as a text."""
    if isinstance(value, (str, bytes, bool, np.bool_)) or not hasattr(value, "__float__"):
        raise ValueError(value)
    return float(value)


def number_in_json(value: Any) -> float:
    """A number of JSON; ValueError if it is another value."""
    if type(value) not in (int, float):
        raise ValueError(value)
    return float(value)


def is_missing(value: object) -> bool:
    """Whether a value is None, NaN, or the missing value of pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Real) and bool(value != value)


def as_list(cells: Any) -> list[Any]:
    """The cells of a column as objects."""
    return cells.to_pylist() if hasattr(cells, "to_pylist") else list(cells)


def _are_texts(values: Iterable[Any]) -> bool:
    if isinstance(values, np.ndarray):
        from pandas.api.types import infer_dtype

        return infer_dtype(values, skipna=False) in ("string", "empty")
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def _held(cells: Any) -> Any:
    """A list, an array of objects or a column of Arrow, of a column of texts in any form."""
    array = getattr(cells, "array", None)  # of a DataFrame
    if array is None:
        return cells
    if type(array).__name__.startswith("Arrow"):
        return array.__arrow_array__()
    return cells.to_numpy(dtype=object)
