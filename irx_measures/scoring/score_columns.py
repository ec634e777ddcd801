"""The columns of a table of scores, in a file or a DataFrame: names as `Ids`, scores as numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
from ir_measures import Measure
from numpy.typing import NDArray

from ..common.memory import require_memory
from ..common.numeric import FloatArray, Int32Array
from ..common.writing import shown
from ..exceptions import InputError
from ..io.arrow import is_arrow
from ..io.checked_columns import CELL_BYTES, Kind, checked
from ..io.columns import QUERY_NAMES, SYSTEM_NAMES, ColumnNames
from ..io.identifiers import Ids, Numbering
from ..io.row_blocks import ABSENT, Block, Cells, listed
from ..io.rows import TableRow

if TYPE_CHECKING:
    import pandas

COLUMNS = {
    "measure": ("measure", "metric"),
    "system": ("name", *SYSTEM_NAMES, "model", "model_name"),
    "query": (*QUERY_NAMES, "topic", "task_name", "user_input", "question"),
    "value": ("value", "score"),
}
"""The accepted names of the columns, by what they hold: those of runs, and some of other tools."""

GROUP: Literal["group"] = "group"
COLLECTION: Literal["collection"] = "collection"

UNITS = (COLLECTION, GROUP)
"""The columns of what a query is of: a collection, or a group of queries."""

NAMES = ("measure", "system", "query")

HEADS_OF_NAMES = frozenset([*UNITS, *chain.from_iterable(COLUMNS[what] for what in NAMES)])

ROW_BYTES = 16  # the line of a row, its place among all scores, and copies while they are made

NAME_BYTES = 250  # a text of a few letters, and its places in dicts

NO_SCORE = ("", "nan", "na", "n/a", "null", "none")  # as tables write it


class Place(NamedTuple):
    """What messages call a table, and a row of it by its label in the index."""

    table: str
    row: Callable[[object], str]
    names_means: bool = True  # whether a query in `SUMMARY` stands for a mean


class Columns(Protocol):
    """The columns of a table of scores."""

    @property
    def heads(self) -> list[Any]:
        """What the columns are called."""

    @property
    def rows(self) -> NDArray[Any]:
        """What the rows are called."""

    def names(self, head: str) -> Ids:
        """A column of names; InputError if one is missing, TypeError if one is neither a string nor
        a measure."""

    def units(self, head: str) -> Ids:
        """A column of `UNITS`; an empty text where a row has none."""

    def numbers(self, head: str) -> FloatArray:
        """A column of scores, NaN for empty cells; InputError if a cell has another value."""


class BlockColumns:
    """The columns of a table in a file, which are kept as codes and numbers."""

    def __init__(self, found: Iterable[Block], place: Place) -> None:
        self._place = place
        self._numbering: dict[str, Numbering] = {}
        self._parts: dict[str, list[NDArray[Any]]] = {}  # by head: codes of names, or scores
        self._wrong: dict[str, Any] = {}  # the first cell of a column of scores that has none
        rows = [np.zeros(0, np.int32)]
        count = 0
        for block, columns in checked(iter(found), _kinds_in):
            size = len(block.line)
            self._require_memory(block, count)
            absent = [None] * size
            cells = dict(zip(block.cells, columns, strict=True))
            for head in cells:
                if head not in self._parts:  # the rows before lack it
                    self._parts[head] = [self._kept(head, [None] * count)]
            for head, parts in self._parts.items():
                parts.append(self._kept(head, cells.get(head, absent)))
            rows.append(block.lines().astype(np.int32))
            count += size
        self.rows = np.concatenate(rows)

    @property
    def heads(self) -> list[str]:
        return list(self._parts)

    def _require_memory(self, block: Block, before: int) -> None:
        """InputError if the columns would take more memory than is allowed, with another block."""
        of_row = ROW_BYTES + CELL_BYTES * len(self._parts)
        names = sum(map(len, self._numbering.values()))
        require_memory(block.path, of_row * (before + len(block.line)) + NAME_BYTES * names)

    def _kept(self, head: str, cells: Sequence[Any]) -> NDArray[Any]:
        """Cells as codes, -1 where there is no name; or as numbers, infinite where one is wrong."""
        if head in HEADS_OF_NAMES:
            numbering = self._numbering.setdefault(head, Numbering())
            if is_arrow(cells) or None not in cells:
                return numbering.codes(cells)
            codes = np.full(len(cells), -1, np.int32)
            named = [place for place, name in enumerate(cells) if name is not None]
            codes[named] = numbering.codes([cells[place] for place in named])
            return codes
        numbers = _numbers_of_cells(cells)
        wrong = np.flatnonzero(np.isinf(numbers))
        if len(wrong):
            first = cells[int(wrong[0])]
            if isinstance(first, float):  # of numpy
                first = float(first)
            self._wrong.setdefault(head, first)
        return numbers

    def names(self, head: str) -> Ids:
        code = np.concatenate(self._parts[head])
        missing = np.flatnonzero(code < 0)
        if len(missing):
            where = self._place.row(self.rows[missing[0]])
            raise InputError(f"{where}: column {head!r} must not be empty")
        return self._numbering[head].column(code)

    def units(self, head: str) -> Ids:
        code = np.concatenate(self._parts[head])
        numbering = self._numbering[head]
        code[code < 0] = numbering.of("")
        return Ids.of_codes(numbering.column(code).names, code)

    def numbers(self, head: str) -> FloatArray:
        numbers = np.concatenate(self._parts[head])
        wrong = np.flatnonzero(np.isinf(numbers))
        if len(wrong):
            raise _not_finite(self._place, self.rows[wrong[0]], head, self._wrong[head])
        return numbers


class FrameColumns:
    """The columns of a DataFrame."""

    def __init__(self, frame: pandas.DataFrame, place: Place) -> None:
        self._frame, self._place = frame, place
        self.heads = list(map(str, frame.columns))
        self.rows = np.asarray(frame.index)

    def _column(self, head: str) -> pandas.Series:
        return self._frame.iloc[:, self.heads.index(head)].rename(head)

    def names(self, head: str) -> Ids:
        found, distinct = self._column(head).factorize()
        code = np.asarray(found, np.int32)
        names = list(map(_name_of, distinct))
        for number, name in [(-1, ""), *enumerate(names)]:  # pandas numbers missing values -1
            if isinstance(name, str) and name:
                check_unicode(name, self._place.table)
                continue
            rows = np.flatnonzero(code == number)
            if not len(rows):
                continue
            where = f"{self._place.row(self.rows[rows[0]])}: column {head!r}"
            if name == "":
                raise InputError(f"{where} must not be empty")
            got = type(name).__name__
            raise TypeError(f"{where} must hold strings; got {got} (use .astype(str))")
        return _numbered_ids(names, code)

    def units(self, head: str) -> Ids:
        column = self._column(head)
        cells = column.astype(object)  # a categorical column of pandas 2 takes no new text
        cells[column.isna()] = ""
        found, distinct = cells.astype(str).factorize()
        return _numbered_ids(list(distinct), np.asarray(found, np.int32))

    def numbers(self, head: str) -> FloatArray:
        column = self._column(head)
        if column.dtype.kind in "iuf":
            numbers = column.to_numpy(np.float64, na_value=np.nan)
        else:
            numbers = np.fromiter(map(_number, column.tolist()), np.float64, len(column))
            numbers[column.isna().to_numpy()] = np.nan
        wrong = np.flatnonzero(np.isinf(numbers))
        if len(wrong):
            got = column.tolist()[wrong[0]]
            raise _not_finite(self._place, self.rows[wrong[0]], head, got)
        return numbers


def _name_of(cell: Any) -> Any:
    """The string of a measure; other cells as they are."""
    return str(cell) if isinstance(cell, Measure) else cell


def _numbered_ids(names: list[str], code: Int32Array) -> Ids:
    """A column of names that are numbered, of which several may be equal texts."""
    numbering = Numbering()
    return numbering.column(numbering.codes(names)[code])


def _not_finite(place: Place, row: object, head: str, got: object) -> InputError:
    return InputError(
        f"{place.row(row)}: column {head!r} must hold finite numbers; got {shown(got)}"
    )


# The kinds of cells of files


def _name_in_row(row: TableRow, names: ColumnNames) -> str | None:
    """A name, or a group, which may be empty; None if the row lacks the column."""
    (head,) = names
    if head not in row.cells:
        return None
    if head in UNITS and not row.cells[head]:
        return ""
    return row.text(names)


def _names_in_block(block: Block, names: ColumnNames) -> Cells | None:
    if names[0] in UNITS and block.of_csv:  # which may be empty
        return block.column(names)
    return block.texts(names)


def _score_in_row(row: TableRow, names: ColumnNames) -> Any:
    """A score, None if there is none, or what is neither."""
    return _score(row.cells.get(names[0]), row.number_of)


def _scores_in_block(block: Block, names: ColumnNames) -> Any:
    cells = block.cells[names[0]]
    numbers = block.numbers_of(cells)
    if numbers is not None:
        return numbers
    return [_score(cell, block.number_of) for cell in listed(cells)]


def _score(value: Any, number_of: Callable[[Any], float | None]) -> Any:
    if value is ABSENT or (isinstance(value, str) and value.lower() in NO_SCORE):
        return None
    number = number_of(value)
    return value if number is None else number


NAME = Kind(_name_in_row, _names_in_block)
SCORE = Kind(_score_in_row, _scores_in_block)


def _kinds_in(block: Block) -> dict[ColumnNames, Kind]:
    kinds: dict[ColumnNames, Kind] = {(head,): SCORE for head in block.cells}
    for head in HEADS_OF_NAMES:
        if head in block.cells:
            kinds[head,] = NAME
    return kinds


def _numbers_of_cells(cells: Any) -> FloatArray:
    """Scores; NaN where there is none, infinite where a cell has something else."""
    if isinstance(cells, np.ndarray):
        return cells
    return np.fromiter(map(_number_or_nan, cells), np.float64, len(cells))


def _number_or_nan(cell: Any) -> float:
    return np.nan if cell is None else _number(cell)


def check_unicode(name: str, table: str) -> None:
    """InputError if a name has a lone surrogate, which no file and no terminal takes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError(f"{table} has a name that is not text in Unicode: {shown(name)}") from None


def _number(value: Any) -> float:
    """A number; infinite if the value is none, or too large for a float."""
    if not isinstance(value, (Real, Decimal)) or isinstance(value, bool):
        return np.inf
    try:
        return float(value)
    except OverflowError:
        return np.inf
