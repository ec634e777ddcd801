"""Checked columns of tables that people write: a column is checked as a whole.

If a cell is wrong, the rows of its block are read one by one, to word the error: `TableRow` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..common.memory import require_memory
from ..common.numeric import FloatArray
from ..exceptions import InputError
from .columns import GRADE_LIMIT, ColumnNames
from .row_blocks import Block, blocks, listed
from .rows import TableRow

CELL_BYTES = 8  # a number; or the code of a text, and its copy while blocks are joined


class Kind(NamedTuple):
    """What the cells of a column must be: how one is read, and how all are, None if one is wrong.

    An array or a list of cells of one kind has the same values in both ways.
    """

    of_row: Callable[[TableRow, ColumnNames], Any]
    of_block: Callable[[Block, ColumnNames], Any]


Wanted: TypeAlias = Mapping[ColumnNames, Kind]
"""The kinds of some columns, by their accepted names."""


class Part(NamedTuple):
    """The wanted columns of some rows."""

    block: Block
    columns: list[Any]  # as they are wanted, each with a cell a row

    def entries(self) -> Iterator[tuple[Any, ...]]:
        """File and line of each row, for messages, and its cells."""
        columns = map(listed, self.columns)
        for line, *cells in zip(self.block.line, *columns, strict=True):
            yield f"{self.block.path}:{line}", *cells


def read_columns(path: Path, wanted: Wanted, form: str | None = None) -> Iterator[Part]:
    """The wanted columns of a table in a file; errors as `row_blocks.blocks`.

    InputError also if a cell is not of its kind, or the columns would take more memory than
    `common.memory` allows. The rows before it come first.
    """
    yield from checked(blocks(path, tuple(wanted), form), lambda block: wanted)


def checked(found: Iterator[Block], wanted_of: Callable[[Block], Wanted]) -> Iterator[Part]:
    """The wanted columns of blocks; see `read_columns`."""
    needed = 0
    for block in found:
        wanted = wanted_of(block)
        needed += len(block.line) * len(wanted) * CELL_BYTES
        require_memory(block.path, needed)
        columns = [kind.of_block(block, names) for names, kind in wanted.items()]
        if any(column is None for column in columns):
            yield from _by_row(block, wanted)
        else:
            yield Part(block, columns)


def _by_row(block: Block, wanted: Wanted) -> Iterator[Part]:
    """The wanted columns of a block in which a cell may be wrong."""
    found: list[list[Any]] = []
    wrong = None
    try:
        for row in block.rows():
            found.append([kind.of_row(row, names) for names, kind in wanted.items()])
    except InputError as error:
        wrong = error
    if found:
        yield Part(block.first(len(found)), list(map(list, zip(*found, strict=True))))
    if wrong is not None:
        raise wrong


def _numbers(block: Block, names: ColumnNames) -> FloatArray | None:
    cells = block.column(names)
    return None if cells is None else block.numbers_of(cells)


def _finite(block: Block, names: ColumnNames) -> FloatArray | None:
    numbers = _numbers(block, names)
    return None if numbers is None or not np.isfinite(numbers).all() else numbers


def _grades(block: Block, names: ColumnNames) -> FloatArray | None:
    numbers = _numbers(block, names)
    if numbers is None:
        return None
    are_grades = (np.abs(numbers) < GRADE_LIMIT) & (numbers == np.trunc(numbers))
    return numbers if are_grades.all() else None


TEXT = Kind(TableRow.text, Block.texts)
NUMBER = Kind(TableRow.number, _numbers)
FINITE = Kind(TableRow.finite, _finite)
GRADE = Kind(TableRow.grade, _grades)
AS_WRITTEN = Kind(TableRow.value, Block.column)
